"""No verdict without a comparison: whatever ends early, holds nothing or is left out, the status is 1 or 2."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.tf2bridge.proof.recording.running import recorder

ROOT = Path(__file__).parents[2]
CODE = "tests.hostile.verdict_code"


def run(*arguments: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-m", "tf2bridge", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=900)


def check_no_success(done: subprocess.CompletedProcess[str], status: int | None = None) -> None:
    """The status is 1 or 2, and nothing on standard output says otherwise."""
    assert done.returncode == status if status is not None else done.returncode in (1, 2), done
    assert "all equal" not in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.startswith("EQUAL")]
    assert '"proven": true' not in done.stdout
    assert '"equal": true' not in done.stdout
    assert "Traceback" not in done.stderr or status is None


@pytest.mark.parametrize(
    "function, status",
    [
        ("nan", 1),
        ("nothing", 1),
        ("leaves", 2),
        ("leaves_at_once", 2),
        ("leaves_later", 2),
        ("differs_and_leaves_at_exit", 1),
        ("crashes", 2),
        ("forks_and_leaves", 2),
    ],
)
@pytest.mark.parametrize("form", ["text", pytest.param("json", marks=pytest.mark.soak)])
def test_code_that_ends_the_process_or_gives_nothing(function: str, status: int, form: str) -> None:
    other = function if function in ("nan", "nothing") else "ones"
    done = run("compare", f"{CODE}:{other}", f"{CODE}:{function}", "--output-format", form)
    if function == "forks_and_leaves":
        assert done.returncode == status, done  # the process that goes on may print what it finds
    else:
        check_no_success(done, status)
    if status == 2:
        assert len(done.stderr.splitlines()) == 1 and "verdict" in done.stderr, done


def test_equal_is_still_equal() -> None:
    done = run("compare", f"{CODE}:ones", f"{CODE}:ones")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("where", ["main", pytest.param("function", marks=pytest.mark.soak)])
def test_a_graph_that_ends_the_process_is_not_equal(where: str, tmp_path: Path) -> None:
    """`Abort` with exit_without_error ends the process, with status 0, as soon as it runs."""
    path = tmp_path / "abort.pb"
    path.write_bytes(aborting(where))
    check_no_success(run("compare", path, path, "--inputs", "random:1"))


def aborting(where: str) -> bytes:
    """y = x, after an op that ends the process."""
    import tensorflow as tf

    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2], "x")

        @tf.function
        def inside(value: Any) -> Any:
            tf.raw_ops.Abort(error_msg="", exit_without_error=True)
            return tf.identity(value)

        if where == "main":
            with tf.control_dependencies([tf.raw_ops.Abort(error_msg="", exit_without_error=True)]):
                tf.identity(x, "y")
        else:
            tf.identity(inside(x), "y")
        return bytes(graph.as_graph_def().SerializeToString())


PROGRAM = """
import atexit, os, sys
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
START = {start!r}
exec(START)
w = v1.get_variable("w", [4, 3], initializer=v1.constant_initializer(0.5))
loss = tf.reduce_sum(w * w, name="loss")
train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
with v1.Session() as sess:
    sess.run(v1.global_variables_initializer())
    for step in range(5):
        exec({within!r})
        try:
            print(sess.run([loss, train]{feeds})[0])
        except {caught}:
            pass
exec({end!r})
"""
PLAIN = {"start": "", "within": "", "feeds": "", "caught": "ZeroDivisionError", "end": ""}
PROGRAMS: dict[str, dict[str, str]] = {
    "leaves at the start": {"start": "sys.exit(0)"},
    "leaves within": {"within": "if step == 2: sys.exit(0)"},
    "leaves at once at the start": {"start": "os._exit(0)"},
    "leaves at once within": {"within": "if step == 2: os._exit(0)"},
    "leaves at once at its end": {"end": "os._exit(0)"},
    "fails at its end": {"end": "sys.exit(3)"},
    "changes its status at exit": {"within": "if step == 2: break", "start": "atexit.register(os._exit, 0)"},
    "skips steps": {"within": "if step % 2: continue"},
    "hides its errors": {"feeds": ", {'nothing:0': 1}", "caught": "Exception"},
    "forks, and its child goes on": {"within": "if step == 2 and (os.fork() and os._exit(0) or 1): break"},
}


@functools.cache
def recording() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(PROGRAM.format(**PLAIN))
        command = [sys.executable, str(recorder()), "--output", "t.trace", "--", "train.py"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        return Path(folder, "t.trace").read_bytes()


def replayed(folder: Path, change: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "t.trace").write_bytes(recording())
    (folder / "train.py").write_text(PROGRAM.format(**PLAIN | change))
    return run("replay", "t.trace", "--no-search", *options, "--", "train.py", cwd=folder)


def test_a_program_that_forks_is_replayed_as_it_is(tmp_path: Path) -> None:
    leaves_one_behind = "os.system('sleep 1000 > /dev/null 2>&1 & echo $! > behind')"
    change = {"within": "if step == 2 and not os.fork(): os._exit(5)", "end": leaves_one_behind}
    done = replayed(tmp_path, change, "--output-format", "json")
    os.kill(int((tmp_path / "behind").read_text()), signal.SIGKILL)
    assert (done.returncode, json.loads(done.stdout)["proven"]) == (0, True), done


@pytest.mark.parametrize(
    "change",
    [
        PROGRAMS["leaves within"],
        *(pytest.param(change, marks=pytest.mark.soak) for name, change in PROGRAMS.items() if name != "leaves within"),
    ],
    ids=["leaves within", *(name for name in PROGRAMS if name != "leaves within")],
)
def test_a_program_that_makes_less_than_it_did_is_not_proven(change: dict[str, str], tmp_path: Path) -> None:
    check_no_success(replayed(tmp_path, change))


@pytest.mark.soak
@pytest.mark.parametrize("name", ["leaves within", "leaves at once within", "skips steps", "hides its errors"])
def test_many_runs_that_make_less_are_told_apart(name: str, tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program/train.py").write_text(PROGRAM.format(**PLAIN | PROGRAMS[name]))
    traces = [tmp_path / f"{number}.trace" for number in range(5)]
    for trace in traces:
        trace.write_bytes(recording())
    also = [part for trace in traces[1:] for part in ("--also", trace)]
    check_no_success(run("replay", traces[0], *also, "--", "train.py", cwd=tmp_path / "program"))


@pytest.mark.soak
@pytest.mark.parametrize("name", ["leaves at the start", "leaves at once within", "hides its errors"])
def test_a_migrated_program_that_makes_less_is_not_proven(name: str, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "t.trace").write_bytes(recording())
    (tmp_path / "old/train.py").write_text(PROGRAM.format(**PLAIN | PROGRAMS[name]))
    options = ("--output", "new", "--entry", "train.py", "--trace", "t.trace", "--no-search", "--html", "page.html")
    done = run("migrate", "old", *options, cwd=tmp_path)
    check_no_success(done)
    assert done.stdout.splitlines()[-1:] != ["proven"]
