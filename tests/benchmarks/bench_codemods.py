"""Rewriting, beside the official converter on the same files in one run; each figure is printed beside the peer's.

    python -m pytest tests/benchmarks/bench_codemods.py

The files are the fixtures' programs; CODEMODS_CORPUS=DIR takes those below a directory instead. Both converters run as
pip installs them, with their bytecode. Times are the least of some rounds. The clock is worth something on an idle
machine only; the processor's seconds, printed beside it, count other work little.
"""

from __future__ import annotations

import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("CODEMODS_CORPUS", ROOT / "fixtures/legacy"))
INSTALLED = tempfile.TemporaryDirectory()
ENVIRONMENT = {**os.environ, "PYTHONPATH": INSTALLED.name, "TF_CPP_MIN_LOG_LEVEL": "3"}

# Both converters in a process of their own: what they import is not timed, and says nothing of the other's memory.
# The official one empties what does not parse on Python 3 and stops at some files, so both get what it can read.
OURS = """
from codemods.engine import check_paths
from codemods.settings import Settings
import gc, libcst, codemods.registry
from codemods import command
codemods.registry.all_rules()
gc.set_threshold(*command.COLLECT)
def convert(paths):
    return len(list(check_paths([paths[0].parent], Settings(), JOBS)))
def warm(paths):
    return len(list(check_paths([paths[0].parent], Settings(), 1)))
"""
OFFICIAL = """
import contextlib, io
from tensorflow.tools.compatibility import ast_edits, tf_upgrade_v2
def convert(paths):
    converter = ast_edits.ASTCodeUpgrader(tf_upgrade_v2.TFAPIChangeSpec())
    with contextlib.redirect_stdout(io.StringIO()):
        return sum(converter.update_string_pasta(path.read_text("utf-8"), str(path))[1] is not None for path in paths)
warm = convert
"""
MEASURE = """
import json, pathlib, re, resource, sys, time
paths = [pathlib.Path(line) for line in sys.stdin.read().split("\\0")]
clock = time.CLOCK
warm(paths)
best, children = 1e9, 1e9
def waited_for():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
for _ in range(ROUNDS):
    start, before = clock(), waited_for()
    number = convert(paths)
    best, children = min(best, clock() - start), min(children, waited_for() - before)
status = pathlib.Path("/proc/self/status")
peak = int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]) / 1024 if status.exists() else 0
print(json.dumps({"files": number, "seconds": best, "peak": peak, "children": children}))
"""
READABLE = """
import sys, pathlib, contextlib, io
from tensorflow.tools.compatibility import ast_edits, tf_upgrade_v2
converter = ast_edits.ASTCodeUpgrader(tf_upgrade_v2.TFAPIChangeSpec())
good = []
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py")):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            done = converter.update_string_pasta(path.read_text("utf-8"), str(path))
    except Exception:
        continue
    if done[1]:
        good.append(str(path))
print("\\0".join(good), end="")
"""


def run(code: str, *arguments: str, stdin: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def measured(converter: str, files: list[str], clock: str = "process_time", rounds: int = 3, jobs: int = 1) -> Any:
    code = converter.replace("JOBS", str(jobs)) + MEASURE.replace("CLOCK", clock).replace("ROUNDS", str(rounds))
    return json.loads(run(code, stdin="\0".join(files)).splitlines()[-1])


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """A copy of the package with its bytecode, as TensorFlow has it."""
    copy = Path(INSTALLED.name, "codemods")
    shutil.copytree(ROOT / "codemods", copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(copy, quiet=1)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Copies of the files that both can read, in one folder."""
    return _copied(run(READABLE, str(CORPUS)).split("\0"), tmp_path_factory.mktemp("corpus"), 1)


def _copied(files: list[str], folder: Path, times: int) -> list[str]:
    made = []
    for number in range(times):
        for place, file in enumerate(files):
            made.append(folder / f"n{number}_{place}.py")
            made[-1].write_bytes(Path(file).read_bytes())
    return [str(path) for path in made]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Any:
    def say(what: str, ours: str, peer: str, wanted: str) -> None:
        with capsys.disabled():
            print(f"\n{what:<34} codemods {ours:<18} {peer:<34} wanted: {wanted}", end="")

    return say


def bench_one_process(files: list[str], say: Any) -> None:
    ours, official = measured(OURS, files), measured(OFFICIAL, files, rounds=1)
    speed, peer = ours["files"] / ours["seconds"], official["files"] / official["seconds"]
    say(f"{len(files)} files, one process", f"{speed:.1f} files/s", f"tf_upgrade_v2 {peer:.1f} files/s", "4 times")
    say("", f"{speed / peer:.1f} times", "", "")
    say("peak memory", f"{ours['peak']:.0f} MB", f"tf_upgrade_v2 {official['peak']:.0f} MB", "under 150 MB")


def bench_two_processes(files: list[str], tmp_path: Path, say: Any) -> None:
    many = files if len(files) > 100 else _copied(files, tmp_path, 1 + 100 // len(files))
    one, two = (measured(OURS, many, "perf_counter", 2, jobs) for jobs in (1, 2))
    spent, shared = (measured(OURS, many, "process_time", 2, jobs) for jobs in (1, 2))
    bound = spent["seconds"] / (shared["seconds"] + shared["children"] / 2)
    where = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; by the processor's seconds {bound:.2f} times"
    say("two processes", f"{one['seconds'] / two['seconds']:.2f} times one", where, "1.7 times")


def bench_whole_command(files: list[str], tmp_path: Path, say: Any) -> None:
    """Ten files, start to end, imports and all."""
    tree = tmp_path / "tree"
    tree.mkdir()
    _copied(sorted(files)[:10], tree, 1)
    official = "from tensorflow.tools.compatibility.tf_upgrade_v2_main import main; main()"
    theirs = [sys.executable, "-c", official, "--intree", str(tree), "--reportfile", str(tmp_path / "report.txt")]
    mine = [sys.executable, "-m", "codemods", "check", str(tree)]
    peer = _least(lambda number: [*theirs, "--outtree", str(tmp_path / f"theirs{number}")], 2)
    ours = _least(lambda number: [*mine, "--output", str(tmp_path / f"mine{number}")], 4)
    say("whole command, ten files", f"{ours[0]:.2f} s", f"tf_upgrade_v2 {peer[0]:.2f} s", "5 times")
    say("", f"{peer[0] / ours[0]:.1f} times", f"by the processor's seconds {peer[1] / ours[1]:.1f} times", "")


def _least(command: Any, rounds: int) -> tuple[float, float]:
    """The seconds by the clock, and those of the processor."""
    clock, spent = 1e9, 1e9
    for number in range(rounds):
        before, start = os.times(), time.perf_counter()
        done = subprocess.run(command(number), capture_output=True, check=False, env=ENVIRONMENT)
        clock, after = min(clock, time.perf_counter() - start), os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        spent = min(spent, used)
        assert done.returncode in (0, 1), done.stderr[-2000:]
    return clock, spent


def bench_first_finding(tmp_path: Path, say: Any) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\nprint(tf.Session().run(tf.mul(1, 2)))\n")
    best = 1e9
    command = [sys.executable, "-m", "codemods", "check", str(tmp_path)]
    for _ in range(5):
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT) as process:
            assert process.stdout is not None
            assert process.stdout.readline()
            best = min(best, time.perf_counter() - start)
    _, spent = _least(lambda _: command, 3)
    where = f"load {os.getloadavg()[0]:.1f}; the whole command {spent:.2f} s of the processor"
    say("start to first finding", f"{best:.2f} s", where, "under 0.5 s")


def bench_long_files(tmp_path: Path, say: Any) -> None:
    seconds = {}
    for lines in (2_000, 20_000):
        body = "".join(f"x{i} = tf.concat(1, [tf.mul(a, {i}), tf.sub(b, c)])\n" for i in range(lines - 1))
        (tmp_path / f"{lines}.py").write_text("import tensorflow as tf\n" + body)
        seconds[lines] = measured(OURS, [str(tmp_path / f"{lines}.py")], rounds=2)["seconds"]
    growth = seconds[20_000] / seconds[2_000]
    say("20,000 lines", f"{seconds[20_000]:.1f} s", f"2,000 lines {seconds[2_000]:.2f} s", "10 times")
    say("", f"{growth:.1f} times", "", "")
