"""`tf2bridge cluster` as it is typed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
ENVIRONMENT = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT)}

TRAINER = """
    # Four steps of two workers, in any order, on one variable of a parameter server.
    import sys
    import tensorflow as tf

    tf.app.flags.DEFINE_string('ps_hosts', '', '')
    tf.app.flags.DEFINE_string('worker_hosts', '', '')
    tf.app.flags.DEFINE_string('job_name', '', '')
    tf.app.flags.DEFINE_integer('task_index', 0, '')
    FLAGS = tf.app.flags.FLAGS

    cluster = tf.train.ClusterSpec({'ps': FLAGS.ps_hosts.split(','), 'worker': FLAGS.worker_hosts.split(',')})
    server = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == 'ps':
        server.join()
    with tf.device(tf.train.replica_device_setter(cluster=cluster)):
        step = tf.train.get_or_create_global_step()
        advance = tf.assign_add(step, 1)
    with tf.train.MonitoredTrainingSession(server.target, FLAGS.task_index == 0) as session:
        for _ in range(2):
            session.run(advance)
        while session.run(step) < 4:
            pass
        print('at', session.run(step), 'on', step.device)
    sys.stderr.write('leaving')
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "trainer.py"
    path.write_text(textwrap.dedent(text))
    return path


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "tf2bridge", "cluster", *map(str, arguments)]


def cluster(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_parameter_server_and_two_workers(tmp_path: Path) -> None:
    done = cluster("--ps", 1, "--workers", 2, "--timeout", 60, "--", write(tmp_path, TRAINER))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"worker {index} | at 4 on /job:ps/task:0" for index in (0, 1)]
    assert "worker 0 | leaving\n" in done.stderr
    assert "ps 0     | leaving" not in done.stderr


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
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
    _, said = running.communicate(timeout=60)
    assert running.returncode == 128 + number
    assert said.endswith(f"tf2bridge: error: {signal.Signals(number).name}: every process was ended\n")
    for group in groups:
        with pytest.raises(ProcessLookupError):
            os.kill(group, 0)


def test_wrong_use() -> None:
    for arguments, said in (
        ((), "name the program to run"),
        (("--ps", 0, "--workers", 0, "--", "x"), "no task to start"),
    ):
        done = cluster(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
    done = cluster("--", "nothing.py")
    assert (done.returncode, done.stderr) == (2, "tf2bridge: error: nothing.py: no such program\n")
