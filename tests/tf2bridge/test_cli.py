"""The command line with wrong input: one clear line, the right exit status, nothing half-written."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tf2bridge.proof.recording.assembled import assembled

ROOT = Path(__file__).parents[2]
TOWERS = ROOT / "fixtures/legacy/mnist_towers"
TRACE = TOWERS / "genuine/mnist_towers.trace"


def tf2bridge(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf2bridge", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, **options)  # type: ignore[call-overload,no-any-return]


def check_one_line(done: subprocess.CompletedProcess[str], *message: str) -> None:
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("tf2bridge: error: ")
    for words in message:
        assert words in done.stderr


def test_help_does_not_import_tensorflow() -> None:
    code = (
        "import sys; sys.argv = ['tf2bridge', '--help']\n"
        "from tf2bridge.cli import main\n"
        "try: main()\n"
        "except SystemExit as stop: assert stop.code == 0\n"
        "assert not {'tensorflow', 'keras', 'tf_keras', 'libcst'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "migrate" in done.stdout


def test_the_recorder_is_printed_as_it_is() -> None:
    done = tf2bridge("recorder")
    assert done.returncode == 0
    assert done.stdout == assembled()


def test_no_such_source(tmp_path: Path) -> None:
    done = tf2bridge("migrate", tmp_path / "none", "--output", tmp_path / "new")
    check_one_line(done, str(tmp_path / "none"), "no such directory")


def test_a_tree_without_tensorflow(tmp_path: Path) -> None:
    source = tmp_path / "old"
    source.mkdir()
    (source / "a.py").write_text("print(1)\n")
    check_one_line(tf2bridge("migrate", source, "--output", tmp_path / "new"), str(source), "no Python file here uses")
    assert not (tmp_path / "new").exists()


def test_an_output_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new/mine.txt").write_text("mine")
    check_one_line(tf2bridge("migrate", TOWERS, "--output", tmp_path / "new"), "exists and is not empty")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["mine.txt"]


def test_an_output_inside_the_source(tmp_path: Path) -> None:
    source = shutil.copytree(TOWERS, tmp_path / "old")
    check_one_line(tf2bridge("migrate", source, "--output", source / "new"), "overlaps the source tree")
    assert not (source / "new").exists()


def test_an_output_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    check_one_line(tf2bridge("migrate", TOWERS, "--output", tmp_path / "file/new"), "cannot be written")


def test_a_damaged_trace_stops_before_anything_is_written(tmp_path: Path) -> None:
    damaged = tmp_path / "t.trace"
    damaged.write_bytes(TRACE.read_bytes()[:5000])
    check_one_line(
        tf2bridge("migrate", TOWERS, "--output", tmp_path / "new", "--trace", damaged),
        str(damaged),
        "not a readable trace",
    )
    assert not (tmp_path / "new").exists()


def test_a_missing_trace(tmp_path: Path) -> None:
    check_one_line(tf2bridge("replay", tmp_path / "none.trace", "--", "train.py"), "no such trace")


@pytest.mark.parametrize(
    "text, message",
    [
        ("entry = ", "cannot be read as TOML"),
        ("entries = 'x.py'", "unknown key 'entries'"),
        ("entry = 3", "entry must be a str"),
        ("seeds = 'mine'", "seeds must be one of trace, rule"),
        ("[tolerance]\nrtol = -1", "tolerance.rtol must be a finite number"),
    ],
)
def test_a_wrong_configuration(text: str, message: str, tmp_path: Path) -> None:
    source = tmp_path / "old"
    source.mkdir()
    (source / "train.py").write_text("import tensorflow as tf\n")
    (source / "tf2bridge.toml").write_text(text)
    check_one_line(tf2bridge("migrate", source, "--output", tmp_path / "new"), "tf2bridge.toml", message)


@pytest.mark.parametrize(
    "arguments", [("migrate", "x"), ("migrate", "x", "--outpt", "y"), ("run",), ("replay", "x"), ("nope",)]
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    done = tf2bridge(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_unknown_release() -> None:
    check_one_line(tf2bridge("run", "--api", "3.7", TOWERS / "train.py"), "unknown TensorFlow release '3.7'", "0.12.1")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    check_one_line(tf2bridge("run", tmp_path / "none.py"), str(tmp_path / "none.py"))


def test_a_program_that_never_starts_is_said_to_differ(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import no_such_package\n")
    done = tf2bridge("replay", TRACE, "--", "train.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "no_such_package" in done.stdout
    assert "the program ended with status 1, recorded 0" in done.stdout


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(100)\n")
    command = [sys.executable, "-m", "tf2bridge", "replay", str(TRACE), "--", "train.py"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    wait_until(lambda: (tmp_path / "pid").is_file() and (tmp_path / "pid").read_text() != "")
    process.send_signal(signal.SIGINT)
    _, result = process.communicate(timeout=60)
    started = f"tf2bridge: running in {tmp_path}: python train.py"
    assert (process.returncode, result.split("\n\n")) == (130, [started, "tf2bridge: interrupted\n"])
    child = int((tmp_path / "pid").read_text())
    wait_until(lambda: not Path(f"/proc/{child}").exists())


def wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "did not come about"
        time.sleep(0.05)
