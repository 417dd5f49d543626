"""Where tf2bridge writes, what it starts and what it prints: hostile directories, names, outputs and limits."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.tf2bridge.hostile_names import CONTROLS, check_only_text
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.directories import convert_directory
from tf2bridge.errors import BridgeError
from tf2bridge.migration.config import read

pytestmark = pytest.mark.soak

ROOT = Path(__file__).parents[2]
LEGACY = ROOT / "fixtures/legacy/mnist_towers"
FORMS = ("checkpoint", "saver", "npz", "safetensors")

COMMANDS = (
    "inspect model.npz",
    "inspect graph.meta",
    "inspect run.trace",
    "inspect run.trace --output-format json",
    "inspect graph.meta --html page.html --dot graph.dot --tensorboard log",
    "audit graph.meta",
    "audit graph.meta --output-format json",
    "plan model.npz --into shapes.json -o plan.toml",
    "plan model.npz --into shapes.json --output-format json",
    "convert model.npz new --force",
    "convert model.npz new.npz --to npz --force --output-format json",
    "compare model.npz model.npz",
    "compare model.npz model.npz --output-format json --html page.html",
    "export graph.meta frozen.pb --format frozen --outputs mean_loss --force",
    "replay run.trace --graph",
    "replay run.trace -- program.py",
    "migrate tree --output migrated",
    "seal model.npz --force",
    "recorder",
    "--help",
    "--version",
)
"""Every command but those whose output is the program's own; each works in the directory that `place` makes."""


def run(command: str, cwd: Path, before: str = "", after: str = "") -> subprocess.CompletedProcess[bytes]:
    line = f"rm -rf migrated; {before} {sys.executable} -m tf2bridge {command} {after}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(["bash", "-c", line], check=False, capture_output=True, cwd=cwd, timeout=600, env=environment)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    np.savez(tmp_path / "model.npz", weights=np.arange(6.0, dtype=np.float32))
    (tmp_path / "shapes.json").write_text('{"weights": [6]}')
    (tmp_path / "run.trace").symlink_to(LEGACY / "genuine/mnist_towers.trace")
    (tmp_path / "graph.meta").symlink_to(LEGACY / "genuine/run/model.ckpt-24.meta")
    (tmp_path / "program.py").write_text("print('no session')\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/train.py").write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n")
    return tmp_path


def check_ended(done: subprocess.CompletedProcess[bytes]) -> None:
    """A status that a command may have, and an error that is a line."""
    text = done.stderr.decode()
    assert done.returncode in (0, 1, 2), done
    assert "Traceback" not in text, text
    if done.returncode == 2 and text:
        assert text.splitlines()[-1].startswith("tf2bridge: error: "), text


def plantings(work: Path) -> Iterator[str]:
    """Puts one thing after the other where `work` is to be made, and takes it away again; yields what it is."""
    elsewhere = work.parent / "elsewhere"
    for name, target in (
        ("links", elsewhere),
        ("dangles", work.parent / "none"),
        ("circle", work),
        ("zero", "/dev/zero"),
    ):
        work.symlink_to(target)
        yield name
        work.unlink()
    os.mkfifo(work)
    yield "pipe"
    work.unlink()
    work.write_text("file")
    yield "file"
    work.unlink()
    for name in ("any", "moving.json", "journal", f"made-as-{elsewhere.stat().st_ino}", "new.index"):
        work.mkdir()
        (work / name).write_text(
            json.dumps({"others": ["mine"], "last": "new.index", "old": ["mine", "/etc/hostname"]})
        )
        yield f"holds {name}"
        (work / name).unlink()
        work.rmdir()


def what_is_there(folder: Path) -> dict[str, bytes | str]:
    return {
        str(path.relative_to(folder)): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize("form", FORMS)
def test_whatever_lies_in_the_place_of_the_work_directory_stays(form: str, place: Path) -> None:
    for folder in (place, place / "elsewhere"):
        folder.mkdir(exist_ok=True)
        (folder / "mine").write_text("mine")
    for kind in plantings(place / ".new.tf2bridge"):
        before = what_is_there(place)
        with pytest.raises(BridgeError):
            convert(place / "model.npz", place / "new", format=form)
        assert what_is_there(place) == before, kind
    convert(place / "model.npz", place / "new", format=form)


@pytest.mark.parametrize("seed", range(4))
def test_a_journal_of_any_content_touches_no_file_but_those_of_the_destination(seed: int, place: Path) -> None:
    chance = random.Random(seed)
    (place / "mine").write_text("mine")
    names = ["mine", "new", "new.index", "new.data-00000-of-00001", "../mine", "/etc/hostname", "", ".", "..", "new\0"]
    names += [chr(chance.randrange(1, 0x300)) * 3, "new.data-00000-of-00001/../mine", "model.npz", "new.index/"]
    for turn in range(300):
        work = place / ".new.tf2bridge"
        work.mkdir(exist_ok=True)
        (work / f"made-as-{work.stat().st_ino}").touch()
        message = {"others": chance.sample(names, 2), "last": chance.choice(names), "old": chance.sample(names, 2)}
        text = json.dumps(message)
        if turn % 3 == 0:
            cut = chance.randrange(len(text))
            text = text[:cut] + chance.choice(["", "\0", "}", "[", '"', "9" * 5000]) + text[cut + 1 :]
        (work / "moving.json").write_text(text)
        before = {name: data for name, data in what_is_there(place).items() if not name.startswith((".new", "new"))}
        try:
            convert(place / "model.npz", place / "new", force=True)
        except BridgeError:
            (work / "moving.json").unlink()
        after = {name: data for name, data in what_is_there(place).items() if not name.startswith((".new", "new"))}
        assert after == before, text


@pytest.mark.parametrize("seed", range(4))
def test_a_record_of_any_content_ends_clearly(seed: int, place: Path) -> None:
    chance = random.Random(seed)
    (place / "run").mkdir()
    (place / "to").mkdir()
    convert(place / "model.npz", place / "run/model-1", format="saver")
    (place / "run/checkpoint").write_text('model_checkpoint_path: "model-1"\n')
    convert_directory(place / "run", place / "to")
    record = place / "to/.tf2bridge.json"
    content = record.read_bytes()
    for _ in range(200):
        at = chance.randrange(len(content))
        record.write_bytes(content[:at] + bytes([chance.randrange(256)]) + content[at + chance.randrange(3) :])
        try:
            convert_directory(place / "run", place / "to", force=True)
        except BridgeError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("seed", range(4))
def test_a_configuration_of_any_content_names_nothing_outside(seed: int, place: Path) -> None:
    chance = random.Random(seed)
    tree = place / "tree"
    (tree / "out").symlink_to("../..")
    (place / "out.py").touch()
    parts = [
        "..",
        ".",
        "out",
        "out.py",
        "train",
        "train.py",
        "-m",
        "-c",
        "/",
        "//",
        "\\u0000",
        "\\n",
        " ",
        "'",
        "~",
        "*",
    ]
    for _ in range(2000):
        joined = chance.choice(["/", " ", "", "."]).join(chance.choices(parts, k=chance.randrange(1, 6)))
        (tree / "tf2bridge.toml").write_text(f'entry = "{joined}"\ntrace = "{joined}"\n')
        try:
            project = read(tree)
        except BridgeError as error:
            assert "Traceback" not in str(error)
            continue
        assert project.trace is None or project.trace.resolve().is_relative_to(tree.resolve()), joined
        if project.entry and project.entry[0] != "-m":
            assert (tree / project.entry[0]).resolve() == (tree / "train.py").resolve(), joined
        elif project.entry:
            assert project.entry[1] == "train", joined


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("after", ["> /dev/full", "| true", ">&-", "2> /dev/full", "2>&-", "<&- >&- 2>&-"])
def test_a_command_whose_output_is_lost(command: str, after: str, place: Path) -> None:
    before = "{ sleep 1; " if after == "| true" else "{"
    done = run(command, place, before, f"; echo $? > status; }} {after}")
    status = int((place / "status").read_text())
    assert status in (0, 1, 2)
    assert b"Traceback" not in done.stderr
    prints = not command.startswith(("convert", "export", "audit")) or "json" in command
    if prints and ("full" in after or "true" in after or after.startswith(">&-")) and not after.startswith("2"):
        assert status == 2, done
        assert b"tf2bridge: error: " in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("megabytes", [150, 250, 400, 700, 1000, 1400, 2000])
def test_a_command_under_a_limit_of_memory(command: str, megabytes: int, place: Path) -> None:
    check_ended(run(command, place, f"ulimit -v {megabytes * 1024};"))


@pytest.mark.parametrize("name", CONTROLS)
def test_a_name_of_every_kind_in_every_place(name: str, place: Path) -> None:
    kept = name.replace("/", "")
    folder = place / kept
    folder.mkdir()
    for file in ("model.npz", "shapes.json", "run.trace", "graph.meta", "program.py"):
        (folder / f"{kept}.{file}").symlink_to(place / file)
    (folder / f"{kept}.tree").mkdir()
    (folder / f"{kept}.tree/{kept}.py").write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32\n")
    (folder / f"{kept}.tree/train.py").write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n")
    for command in COMMANDS[:-3]:
        words = ["./*." + word if (place / word).exists() else word for word in command.split()]
        done = run(" ".join(words), folder)
        check_only_text(done.stdout + done.stderr)
        assert b"Traceback" not in done.stderr, done
        done = run(f"{command.split()[0]} ./*.absent*  ./*", folder)
        check_only_text(done.stdout + done.stderr)
        assert b"Traceback" not in done.stderr, done


def test_names_that_are_no_utf8_in_every_place(place: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(place) + b"/mod\xe8le"))
    folder.mkdir()
    for file in ("model.npz", "shapes.json", "run.trace", "graph.meta", "program.py", "tree"):
        (folder / os.fsdecode(b"\xff." + file.encode())).symlink_to(place / file)
    for command in COMMANDS[:-3]:
        words = ["./*." + word if (place / word).exists() else word for word in command.split()]
        done = run(" ".join(words), folder)
        check_ended(done)
        check_only_text(done.stdout + done.stderr)
