"""The verbs of `tf2bridge` on Windows and macOS, as far as Linux can play them: what they give is what Linux gives."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.other_systems import simulated
from tests.other_systems.names import WINDOWS
from tests.other_systems.simulated import OTHERS, ROOT
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

FIXTURES = ROOT / "fixtures"
RUN = FIXTURES / "legacy/char_rnn/genuine/run"
NO_TENSORFLOW = ("tensorflow", "keras", "tf_keras")
PROGRAM = """import sys, subprocess
import tensorflow as tf
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    print(sess.run(x * 2, {x: 3.0}), sys.argv[1:])
if len(sys.argv) == 1:
    sys.exit(subprocess.call([sys.executable, "program.py", "again"]))
"""
"""A program that starts itself again, in an interpreter of its own."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for path in RUN.glob("model.ckpt-2*"):
        shutil.copy(path, tmp_path)
    return tmp_path


def tf2bridge(system: str, *words: object, cwd: Path, without: tuple[str, ...] = NO_TENSORFLOW) -> str:
    done = simulated.run(system, "-m", "tf2bridge", *words, cwd=cwd, without=without)
    assert done.returncode == 0, done.stderr.decode("cp1252")
    return done.stdout.decode("cp1252").replace("\r\n", "\n")


def here(*words: object, cwd: Path) -> str:
    command = [sys.executable, "-m", "tf2bridge", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", check=False).stdout


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("first", [(), ("tensorflow",)], ids=["alone", "with TensorFlow"])
def test_every_module_can_be_imported(system: str, first: tuple[str, ...]) -> None:
    done = simulated.run(system, ROOT / "tests/other_systems/imports.py", *first)
    text = done.stdout.decode().splitlines()
    assert len(text) == 1 and int(text[0].partition(" ")[0]) > 1000, text


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("name", ["model.ckpt-2", "model.ckpt-2.meta"])
def test_inspect(system: str, name: str, place: Path) -> None:
    words = ("inspect", name, "--output-format", "json")
    assert json.loads(tf2bridge(system, *words, cwd=place)) == json.loads(here(*words, cwd=place))


@pytest.mark.parametrize("system", OTHERS)
def test_audit_and_seal(system: str, place: Path) -> None:
    audited = simulated.run(system, "-m", "tf2bridge", "audit", "model.ckpt-2.meta", cwd=place, without=NO_TENSORFLOW)
    assert audited.returncode == 1 and b"save/SaveV2 (SaveV2) reads or writes files" in audited.stdout
    tf2bridge(system, "seal", "model.ckpt-2", cwd=place)
    sealed = (place / "model.ckpt-2.sha256").read_bytes()
    assert b"\r" not in sealed and b"  model.ckpt-2.index\n" in sealed
    assert "as it was sealed" in here("seal", "--check", "model.ckpt-2", cwd=place)


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("new", ()),
        ("new", ("--to", "saver")),
        ("new.npz", ("--to", "npz")),
        ("new.safetensors", ("--to", "safetensors")),
        ("new", ("--link",)),
    ],
)
def test_convert_and_compare(system: str, name: str, options: tuple[str, ...], place: Path) -> None:
    for force in ((), ("--force",)):
        tf2bridge(system, "convert", "model.ckpt-2", name, *options, *force, cwd=place)
    (place / "expected").mkdir()
    here("convert", place / "model.ckpt-2", place / "expected" / name, *options, cwd=place)
    with open_checkpoint(place / name) as made, open_checkpoint(place / "expected" / name) as expected:
        assert made.keys() == expected.keys()
        assert all(np.array_equal(made[item], expected[item]) for item in expected)
    assert not list(place.glob(".*"))
    tf2bridge(system, "compare", "model.ckpt-2", name, cwd=place)


@pytest.mark.parametrize("system", OTHERS)
def test_an_inventory_is_the_same_bytes(system: str, place: Path) -> None:
    shutil.make_archive(str(place / "packed"), "zip", RUN)
    tf2bridge(system, "fleet", "scan", ".", "-o", "inventory.jsonl", "--jobs", 1, cwd=place)
    written = (place / "inventory.jsonl").read_text("ascii")
    (place / "inventory.jsonl").unlink()
    assert written == here("fleet", "scan", ".", cwd=place)
    assert "packed.zip!model.ckpt-2" in written


@pytest.mark.parametrize("system", OTHERS)
def test_a_plan_is_the_same_text(system: str, place: Path) -> None:
    here("convert", "model.ckpt-2", "new.npz", "--to", "npz", cwd=place)
    for name, plan in (("plan.toml", tf2bridge), ("expected.toml", None)):
        words = ("plan", "model.ckpt-2", "--into", "new.npz", "--output", name)
        plan(system, *words, cwd=place) if plan else here(*words, cwd=place)
    assert (place / "plan.toml").read_bytes() == (place / "expected.toml").read_bytes()
    tf2bridge(system, "convert", "model.ckpt-2", "planned", "--plan", "plan.toml", cwd=place)


@pytest.mark.parametrize("system", OTHERS)
def test_keras_files_are_read_by_a_process_without_limits(system: str, place: Path) -> None:
    for name in ("model.h5", "weights.h5"):
        (place / name).write_bytes(gzip.decompress((FIXTURES / f"keras_files/{name}.gz").read_bytes()))
        words = ("inspect", name, "--output-format", "json")
        assert json.loads(tf2bridge(system, *words, cwd=place)) == json.loads(here(*words, cwd=place))


@pytest.mark.parametrize("system", OTHERS)
def test_a_directory_is_no_file(system: str, place: Path) -> None:
    (place / "folder.pb").mkdir()
    done = simulated.run(system, "-m", "tf2bridge", "convert", "folder.pb", "new", cwd=place, without=NO_TENSORFLOW)
    assert done.returncode == 2 and done.stderr.startswith(b"tf2bridge: error: ") and b"Traceback" not in done.stderr


def test_the_recorder_is_ascii() -> None:
    """A shell of Windows writes what is printed in an encoding of its own."""
    done = simulated.run(WINDOWS, "-m", "tf2bridge", "recorder", without=NO_TENSORFLOW)
    assert done.stdout.isascii()
    compile(done.stdout.replace(b"\r\n", b"\n"), "recorder.py", "exec")


@pytest.mark.parametrize("system", OTHERS)
def test_run(system: str, place: Path) -> None:
    (place / "program.py").write_bytes(PROGRAM.replace("\n", "\r\n").encode())
    assert tf2bridge(system, "run", "program.py", cwd=place, without=()) == "6.0 []\n6.0 ['again']\n"


@pytest.mark.parametrize("system", OTHERS)
def test_a_program_is_migrated_and_proven(system: str, place: Path) -> None:
    """It is rewritten, replayed by another process, and compared in a third."""
    shutil.copytree(FIXTURES / "legacy/scopes", place / "old")
    result = tf2bridge(system, "migrate", "old", "--output", "new", "--output-format", "json", cwd=place, without=())
    report = json.loads(result)
    assert report["proven"] and report["proof"]["first_divergence"] is None
    assert (place / "new/scopes.py").is_file() and (place / "new/report.html").is_file()


@pytest.mark.parametrize("system", OTHERS)
def test_a_cluster(system: str, place: Path) -> None:
    program = FIXTURES / "clusters/programs/monitored.py"
    words = ("cluster", "--ps", "1", "--workers", "1", "--", program)
    result = tf2bridge(system, *words, cwd=place, without=())
    assert "worker 0 | step 9 loss" in result
