"""`tf2bridge cluster` as it is typed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.tf2bridge.train.clusters.commands import CLUSTERED, ENVIRONMENT, cluster, command, write


def test_the_launcher_does_not_import_tensorflow(tmp_path: Path) -> None:
    code = """
        import sys
        from tf2bridge.cli import main
        sys.argv = ['tf2bridge', 'cluster', '--workers', '1', '--', sys.argv[1]]
        try: main()
        except SystemExit as stop: assert stop.code == 2, stop.code
        assert not {'tensorflow', 'keras', 'tf_keras', 'libcst'} & set(sys.modules)
    """
    program = write(tmp_path, "import tensorflow as tf")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(program)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "cannot tell how the program learns its place" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)])
def test_a_signal_ends_every_process(number: int, tmp_path: Path) -> None:
    text = """
        import os, signal
        print(os.environ['TF_CONFIG'] and os.getpgid(0), flush=True)
        signal.pause()
    """
    running = subprocess.Popen(
        command("--workers", 1, "--", write(tmp_path, text)),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    groups = [int(running.stdout.readline().partition("|")[2]) for _ in range(2)]
    running.send_signal(number)
    _, result = running.communicate(timeout=60)
    assert running.returncode == 128 + number
    assert result.endswith(f"tf2bridge: error: {signal.Signals(number).name}: every process was ended\n")
    for group in groups:
        with pytest.raises(ProcessLookupError):
            os.kill(group, 0)


def test_what_may_be_open_to_others_is_said_first(tmp_path: Path) -> None:
    program = write(tmp_path, "import os\nprint(len(os.environ['TF_CONFIG']) > 0)")
    done = cluster("--tf2", "--ps", 0, "--workers", 1, "--", program)
    assert (done.returncode, done.stdout) == (0, "worker 0 | True\n")
    first = done.stderr.splitlines()[0]
    assert first.startswith(
        "tf2bridge: servers that the program starts itself, as tf.distribute does, may listen on every"
    )
    assert first.endswith("whoever reaches it runs graphs as you do: let a firewall keep others away")


@pytest.mark.parametrize("stream", ["> /dev/full", "2> /dev/full"])
def test_lines_that_cannot_be_printed_end_every_process(stream: str, tmp_path: Path) -> None:
    text = "import os, sys, time\nos.environ['TF_CONFIG']\n"
    text += "for line in range(1000): print('x' * 10, file=sys.{}, flush=True)\ntime.sleep(600)"
    program = write(tmp_path, text.format("stderr" if stream.startswith("2") else "stdout"))
    line = f"exec {' '.join(command('--tf2', '--ps', 0, '--workers', 1, '--', program))} {stream}"
    done = subprocess.run(
        ["bash", "-c", line], env=ENVIRONMENT, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 2
    own = [line for line in done.stderr.splitlines() if not line.startswith("worker 0 |")]  # it is ended, and says so
    assert "Traceback" not in "\n".join(own)
    if stream == "> /dev/full":
        assert done.stderr.splitlines()[-1] == "tf2bridge: error: standard output: No space left on device"


def test_wrong_use() -> None:
    for arguments, message in (
        ((), "name the program to run"),
        (("--ps", 0, "--workers", 0, "--", "x"), "no task to start"),
    ):
        done = cluster(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
    done = cluster("--", "nothing.py")
    assert (done.returncode, done.stderr) == (2, "tf2bridge: error: nothing.py: no such program\n")
    done = cluster("--api", "2.0", "--", __file__)
    assert done.returncode == 2
    assert done.stderr.startswith("tf2bridge: error: unknown TensorFlow release '2.0': use one of")


LATE = f"""{CLUSTERED}
    import os, time

    if FLAGS.task_index:
        while not os.path.exists(FLAGS.ended):
            time.sleep(0.1)
        time.sleep(2)
    with tf.Session(server.target) as session:
        print(session.run(count.initializer if not FLAGS.task_index else count))
    if not FLAGS.task_index:
        import atexit
        atexit.register(lambda: open(FLAGS.ended, 'w').close())
    elif FLAGS.status:
        raise SystemExit(FLAGS.status)
"""


def test_a_worker_that_begins_when_another_has_ended(tmp_path: Path) -> None:
    """Its session looks for the servers of all tasks. In TensorFlow 1.x (tried with 1.12.3) it waits for ever."""
    done = cluster("--ps", 1, "--workers", 2, "--", write(tmp_path, LATE), f"--ended={tmp_path / 'ended'}")
    assert done.returncode == 0, done.stderr
    assert "worker 1 | 0\n" in done.stdout


def test_a_worker_that_fails_when_another_has_ended(tmp_path: Path) -> None:
    words = [f"--ended={tmp_path / 'ended'}", "--status=3"]
    done = cluster("--ps", 1, "--workers", 2, "--", write(tmp_path, LATE), *words)
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1] == "tf2bridge: error: worker 1 ended with status 3; ps 0 was ended"
