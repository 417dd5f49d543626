"""The command `fleet scan`: what it writes, its status, and what an interruption leaves."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.tf2bridge.fleet.scanned import FIXTURES
from tf2bridge.fleet.inventory import read
from tf2bridge.fleet.scanning.progress import text
from tf2bridge.fleet.scanning.scan import Summary
from tf2bridge.systems import starting

_RUN = FIXTURES / "legacy/generator_freeze/genuine/run"


def _scan(*arguments: str | Path, **options: str) -> subprocess.CompletedProcess[bytes]:
    command = [*starting.command("tf2bridge.cli"), "fleet", "scan", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, env={**os.environ, **options})


def test_two_scans_write_the_same_bytes_whatever_the_number_of_processes(tmp_path: Path) -> None:
    for number, jobs in enumerate(("1", "3")):
        done = _scan(_RUN, "-o", tmp_path / f"{number}.jsonl", "--jobs", jobs)
        assert done.returncode == 0, done.stderr
        assert done.stdout == b""
    first, second = ((tmp_path / f"{number}.jsonl").read_bytes() for number in (0, 1))
    assert first == second
    assert [item.path for item in read(tmp_path / "0.jsonl")] == sorted(
        item.path for item in read(tmp_path / "0.jsonl")
    )
    assert _scan(_RUN).stdout == first


def test_a_scan_imports_no_tensorflow(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("raise SystemExit('imported')\n")
    done = _scan(_RUN, PYTHONPATH=os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    assert done.returncode == 0, done.stderr


def test_the_status_says_whether_all_was_read(tmp_path: Path) -> None:
    shutil.copy(_RUN / "frozen.pb", tmp_path)
    (tmp_path / "cut.pb").write_bytes((_RUN / "frozen.pb").read_bytes()[:900])
    done = _scan(tmp_path)
    assert done.returncode == 1
    assert b"1 cannot be read, 0 are duplicates" in done.stderr
    assert _scan(tmp_path / "gone").returncode == 2
    assert _scan(tmp_path / "*.gone").returncode == 2


def busy_scan(folder: Path) -> subprocess.Popen[bytes]:
    """Starts a scan of folder/models into folder/out, and returns it when it has begun."""
    models, scratch, out = folder / "models", folder / "scratch", folder / "out"
    for part in (models, scratch, out):
        part.mkdir()
    (models / "large.tflite").write_bytes(b"\0\0\0\0TFL3")
    os.truncate(models / "large.tflite", 16 << 30)  # a hole, which takes a minute to read
    (out / "inventory.jsonl").write_text("as it was\n")
    command = [*starting.command("tf2bridge.cli"), "fleet", "scan", str(models), "-o", str(out / "inventory.jsonl")]
    process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not list(scratch.glob("*/items.sqlite")) and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    scratch, out = tmp_path / "scratch", tmp_path / "out"
    process = busy_scan(tmp_path)
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=60)
    assert process.returncode == 130, printed
    assert printed.strip() == b"tf2bridge: interrupted"
    assert [path.name for path in out.iterdir()] == ["inventory.jsonl"]
    assert (out / "inventory.jsonl").read_text() == "as it was\n"
    assert list(scratch.iterdir()) == []


def test_workers_end_with_a_scan_that_is_killed(tmp_path: Path) -> None:
    process = busy_scan(tmp_path)
    time.sleep(1.0)  # until its workers read
    process.kill()
    process.communicate(timeout=20)  # until all have closed standard error


def test_the_line_of_progress_has_numbers_rate_and_time() -> None:
    assert text(Summary(groups=10, done=5), 2.0) == "scan: 5 of 10+ files, 2/s"
    assert text(Summary(groups=1000, done=100, walked=True), 10.0) == "scan: 100 of 1,000 files, 10/s, 1:30 left"
    assert text(Summary(), 0.0) == "scan: 0 of 0+ files, 0/s"
