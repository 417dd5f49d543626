"""However a program ends, its trace is there: whole, or the folder as far as it came."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import RELEASES, fetched, finished, line, record, started, write
from tf2bridge.proof.traces.reader import Trace

everywhere = pytest.mark.parametrize("release", ["", *(pytest.param(r, marks=pytest.mark.oracle) for r in RELEASES)])
oldest_and_newest = pytest.mark.parametrize(
    "release", ["", *(pytest.param(r, marks=pytest.mark.oracle) for r in ("0.12.1-py2", "1.15.5"))]
)
# Prints a line when the signal may come, and goes on for ever.
ENDLESS = """\
    v = tf.Variable(tf.zeros([1000]), name="v")
    step = v.assign_add(tf.ones([1000]))
    sess = tf.Session()
    sess.run(v.initializer)
    for i in range(3):
        sess.run(step)
    print("ready")
    sys.stdout.flush()
    while True:
        sess.run(v)
"""


def ended_by(number: int, directory: Path, release: str) -> tuple[subprocess.Popen[str], str]:
    """Starts ENDLESS, and sends a signal when it runs."""
    write(directory, ENDLESS)
    process = started(directory, "--", "program.py", python=oracles.interpreter(release) if release else sys.executable)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    process.send_signal(number)
    _, errors = process.communicate()
    return process, errors


@everywhere
def test_a_killed_program_leaves_a_folder_that_reads_like_a_trace(tmp_path: Path, release: str) -> None:
    process, _ = ended_by(signal.SIGKILL, tmp_path, release)
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "out.trace").exists()
    trace = Trace(tmp_path / "out.trace.part")
    assert (trace.ended, trace.manifest["exit"]) == (False, None)
    assert len(trace.calls) >= 4
    (v,) = trace.graphs[0].variables
    assert v.initial is not None and v.final is None
    assert trace.value(v.initial).tolist() == [0.0] * 1000
    assert [next(iter(fetched(trace, call).values()))[0] for call in trace.calls[1:4]] == [1.0, 2.0, 3.0]
    assert trace.graph_def() and trace.lines()["v"] == line("name=", ENDLESS)


def test_what_a_killed_program_left_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "out.trace.part").mkdir()
    write(tmp_path, "print('ran')")
    output, errors = finished(started(tmp_path, "--", "program.py"), status=2)
    assert output == ""
    last = errors.splitlines()[-1]
    assert "out.trace.part holds what a recording left" in last and "tf2bridge inspect" in last


@pytest.mark.parametrize(
    "release", ["", *(pytest.param(r, marks=pytest.mark.oracle) for r in ("0.12.1-py2", "1.15.5"))]
)
def test_sigterm_ends_it_with_a_whole_trace(tmp_path: Path, release: str) -> None:
    process, _ = ended_by(signal.SIGTERM, tmp_path, release)
    assert process.returncode == -signal.SIGTERM
    trace = Trace(tmp_path / "out.trace")
    assert trace.manifest["exit"] == {"status": -15, "error": "signal 15"}
    (v,) = trace.graphs[0].variables
    assert v.final is not None
    assert trace.value(v.final).tolist() == [3.0] * 1000
    assert list(tmp_path.glob("*.part")) == []


@pytest.mark.parametrize(
    "release", ["", *(pytest.param(r, marks=pytest.mark.oracle) for r in ("0.12.1-py2", "1.15.5"))]
)
def test_ctrl_c_is_the_program_s_exception(tmp_path: Path, release: str) -> None:
    process, errors = ended_by(signal.SIGINT, tmp_path, release)
    assert process.returncode == (1 if release else -signal.SIGINT), "as Python of that version ends"
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    trace = Trace(tmp_path / "out.trace")
    assert trace.manifest["exit"] == {"status": process.returncode, "error": "KeyboardInterrupt"}


def test_forked_processes_are_not_recorded(tmp_path: Path) -> None:
    program = """\
    import os
    one = tf.constant(1.0, name="one")
    sess = tf.Session()
    sess.run(one)
    child = os.fork()
    if child == 0:
        tf.constant(2.0, name="other")
        sys.exit(5)  # unwinds through the recorder, too
    print("child", os.waitpid(child, 0)[1] >> 8)
    sess.run(one)
    """
    trace, printed, _ = record(tmp_path, program)
    assert printed == "child 5\n"
    assert len(trace.calls) == 2


def test_a_module_of_a_package_and_its_tests(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/__init__.py").touch()
    write(tmp_path / "package", "print(sys.argv[1:], __name__, tf.Session().run(tf.constant(3)))\n")
    output, _ = finished(started(tmp_path, "--", "-m", "package.program", "--steps", "5"))
    assert output == "['--steps', '5'] __main__ 3\n"
    trace = Trace(tmp_path / "out.trace")
    assert trace.manifest["argv"] == ["-m", "package.program", "--steps", "5"]
    assert trace.calls[0].where == "package/program.py:9"


def test_pytest_is_a_module_like_any_other(tmp_path: Path) -> None:
    write(tmp_path, "def test_three():\n        assert tf.Session().run(tf.constant(3)) == 3\n")
    command = ["--", "-m", "pytest", "-q", "-p", "no:cacheprovider", "program.py"]
    output, _ = finished(started(tmp_path, *command))
    assert "1 passed" in output
    trace = Trace(tmp_path / "out.trace")
    assert [(call.where, call.via) for call in trace.calls] == [("program.py:10", "")]


@pytest.mark.parametrize("release", ["", pytest.param("0.12.1-py2", marks=pytest.mark.oracle)])
def test_a_write_that_fails_stops_the_recording_and_not_the_program(tmp_path: Path, release: str) -> None:
    program = """\
    import resource
    n = tf.placeholder(tf.float32, [])
    many = tf.fill([25000], n, name="many")
    with tf.Session() as sess:
        sess.run(many, {n: 0})
        resource.setrlimit(resource.RLIMIT_FSIZE, (250000, -1))  # as a disk that gets full
        for i in range(1, 6):
            last = sess.run(many, {n: i})
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    print(last[0])
    """
    trace, printed, _ = record(tmp_path, program, python=oracles.interpreter(release) if release else sys.executable)
    assert printed == "5.0\n"
    assert trace.stopped == {"reason": "[Errno 27] File too large", "call": 2}
    assert [trace.value(call.fetches[0].value or 0)[-1] for call in trace.calls] == [0.0, 1.0]


PRINTING = """\
    print("loss", 0.5)
    sys.stdout.write("caf\\u00e9\\n" if sys.version_info > (3,) else "caf\\xc3\\xa9\\n")
    tf.Session().run(tf.constant(1.0))
    print("to errors", file=sys.stderr)
"""


@oldest_and_newest
def test_what_a_program_prints_is_in_its_trace(tmp_path: Path, release: str) -> None:
    python = oracles.interpreter(release) if release else sys.executable
    trace, output, _ = record(tmp_path, PRINTING, python=python)
    assert trace.printed == "loss 0.5\ncaf\u00e9\n"
    assert trace.manifest["printed"] == {"member": "printed.txt", "cut": False}
    assert output.startswith("loss 0.5\n")


def test_a_program_that_prints_nothing_has_no_printed_text(tmp_path: Path) -> None:
    trace, _, _ = record(tmp_path, "    tf.Session().run(tf.constant(1.0))\n")
    assert "printed" not in trace.manifest
    assert trace.printed is None


def test_of_a_long_text_the_beginning_is_kept(tmp_path: Path) -> None:
    program = """\
    tf.Session().run(tf.constant(1.0))
    for _ in range(3):
        sys.stdout.write("x" * (1 << 19))
    """
    trace, output, _ = record(tmp_path, program)
    assert trace.printed == "x" * (1 << 20)
    assert trace.manifest["printed"]["cut"]
    assert len(output) == 3 << 19
