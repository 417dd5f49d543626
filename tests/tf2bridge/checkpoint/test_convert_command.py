"""`tf2bridge convert`: one line of result, JSON, errors of one line, and no TensorFlow where none is needed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.table_writer import write_table
from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.bundle_index import index_path, shard_path
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.messages import own

FIXTURES = Path(__file__).parents[3] / "fixtures"
CHAR_RNN = FIXTURES / "legacy/char_rnn/genuine/run/model.ckpt-2"
SUPERVISED = FIXTURES / "legacy/supervisor_counter/genuine/run"

WITHOUT = """
import sys
sys.argv[0] = "tf2bridge"
from tf2bridge.cli import main
try:
    main()
except SystemExit as stop:
    assert stop.code == 0
print(sorted({"tensorflow", "keras", "numpy", "h5py", "scipy"} & set(sys.modules)))
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", "convert", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)


def check_one_line(done: subprocess.CompletedProcess[str], *message: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("tf2bridge: error: ")
    assert all(item in done.stderr for item in message), done.stderr


def test_what_it_says(tmp_path: Path) -> None:
    done = run(CHAR_RNN, tmp_path / "new", "--output-format", "json")
    assert done.returncode == 0
    line = f"{tmp_path / 'new'}: checkpoint, 7 tensors, 41,944 bytes, only the index is new, read back\n"
    assert done.stderr == line
    report = json.loads(done.stdout)
    assert (report["tensors"], report["nbytes"], report["kept"], report["verified"]) == (7, 41944, True, True)


@pytest.mark.parametrize(
    ("options", "used"),
    [
        ((), []),
        (("--to", "saver", "--no-verify"), []),
        (("--to", "npz"), ["numpy"]),
        (("--to", "safetensors"), ["numpy"]),
    ],
)
def test_tensorflow_is_not_imported(options: tuple[str, ...], used: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, "convert", str(CHAR_RNN), str(tmp_path / "new"), *options]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == f"{used}\n"


def test_a_plan_is_applied_without_tensorflow(tmp_path: Path) -> None:
    from tf2bridge.checkpoint.planning.matching import plan

    with open_checkpoint(CHAR_RNN) as old:
        target = {name.replace("rnnlm", "model"): info.shape for name, info in old.tensors.items()}
        plan(old, target, rules=[("rnnlm/(.*)", r"model/\1")]).save(tmp_path / "plan.toml")
    command = [sys.executable, "-c", WITHOUT, "convert", str(CHAR_RNN), str(tmp_path / "new")]
    command += ["--plan", str(tmp_path / "plan.toml"), "--to", "saver"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[]\n"
    with open_checkpoint(CHAR_RNN) as old, open_checkpoint(tmp_path / "new") as new:
        assert [name.replace("rnnlm", "model") for name in old] == list(new)
        assert all((new[name.replace("rnnlm", "model")] == old[name]).all() for name in old)


def test_a_directory(tmp_path: Path) -> None:
    done = run(SUPERVISED, tmp_path / "new", "--max-to-keep", 2)
    assert done.returncode == 0
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        f"[1/2] model.ckpt-8 -> {tmp_path / 'new/ckpt-8'}",
        f"[2/2] model.ckpt-12 -> {tmp_path / 'new/ckpt-12'}",
    ]
    again = run(SUPERVISED, tmp_path / "new", "--max-to-keep", 2)
    assert [line.split(": ")[1] for line in again.stderr.splitlines()] == ["already there", "already there"]


def test_wrong_input(tmp_path: Path) -> None:
    check_one_line(run(tmp_path / "none", tmp_path / "new"), "none")
    check_one_line(run(CHAR_RNN, tmp_path / "no/such/place"), "no such directory")
    check_one_line(run(CHAR_RNN, tmp_path / "new.keras", "--to", "keras"), "--into")
    check_one_line(run(CHAR_RNN, tmp_path / "new.npz", "--to", "npz", "--link"), "--link is for checkpoint and saver")
    check_one_line(run(CHAR_RNN, tmp_path / "new", "--plan", tmp_path / "plan.toml"), "no such plan")
    assert not list(tmp_path.iterdir())
    assert run(CHAR_RNN, tmp_path / "new").returncode == 0
    check_one_line(run(CHAR_RNN, tmp_path / "new"), "new.index exists", "--force")
    assert run(CHAR_RNN, tmp_path / "new", "--max-to-keep", 2).returncode == 2


def test_what_is_left_to_decide(tmp_path: Path) -> None:
    (tmp_path / "shapes.json").write_text(json.dumps({"a": [22, 24], "b": [7]}))
    done = run(CHAR_RNN, tmp_path / "new", "--into", tmp_path / "shapes.json")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "the plan is not complete" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["shapes.json"]


def sparse(prefix: Path, offset: int) -> Path:
    """A checkpoint of one tensor of zeros that lies far back in a file that takes no room on the disk."""
    with shard_path(prefix, 0, 1).open("wb") as data:
        data.truncate(offset + 4096)
    zeros = 0x25961CCA  # the masked crc32c of 4,096 zeros
    entry = own("BundleEntryProto")(dtype=1, offset=offset, size=4096, crc32c=zeros)
    entry.shape.dim.add(size=1024)
    header = own("BundleHeaderProto")(num_shards=1)
    with index_path(prefix).open("wb") as file:
        write_table(file, [(b"", header.SerializeToString()), (b"far", entry.SerializeToString())])
    return prefix


def test_offsets_beyond_four_gigabytes(tmp_path: Path) -> None:
    source = sparse(tmp_path / "old", 5 << 30)
    convert(source, tmp_path / "new", link=True)
    result: Any = Bundle(tmp_path / "new")
    assert result.entry("far/.ATTRIBUTES/VARIABLE_VALUE").offset == 5 << 30
    assert not result["far/.ATTRIBUTES/VARIABLE_VALUE"].any()
    result.close()
    convert(source, tmp_path / "whole", format="saver")  # too little of the file is used for it to be copied
    assert shard_path(tmp_path / "whole", 0, 1).stat().st_size == 4096


def test_a_source_elsewhere(tmp_path: Path) -> None:
    """A hard link cannot lead to another file system."""
    other = Path("/dev/shm")  # noqa: S108 (only where it is there)
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other file system")
    folder = other / tmp_path.name
    folder.mkdir(exist_ok=True)
    try:
        check_one_line(run(CHAR_RNN, folder / "new", "--link"), "cannot be linked", "leave out --link")
        assert not list(folder.iterdir())
    finally:
        shutil.rmtree(folder)
