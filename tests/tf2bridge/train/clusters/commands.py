"""`tf2bridge cluster` as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[4]
ENVIRONMENT = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT)}


CLUSTERED = """
    import tensorflow as tf

    tf.app.flags.DEFINE_string('ps_hosts', '', '')
    tf.app.flags.DEFINE_string('worker_hosts', '', '')
    tf.app.flags.DEFINE_string('job_name', '', '')
    tf.app.flags.DEFINE_integer('task_index', 0, '')
    tf.app.flags.DEFINE_string('more', '', '')
    tf.app.flags.DEFINE_string('ended', '', '')
    tf.app.flags.DEFINE_integer('status', 0, '')
    FLAGS = tf.app.flags.FLAGS

    jobs = {'worker': (FLAGS.worker_hosts + FLAGS.more).split(',')}
    if FLAGS.ps_hosts:
        jobs['ps'] = FLAGS.ps_hosts.split(',')
    server = tf.train.Server(jobs, FLAGS.job_name, FLAGS.task_index)
    if FLAGS.job_name == 'ps':
        server.join()
    with tf.device('/job:%s/task:0' % min(jobs)):
        count = tf.Variable(0)
"""
"""How programs of a cluster begin; the flags `more`, `ended` and `status` are for what follows."""


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "tf2bridge", "cluster", *map(str, arguments)]


def cluster(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run(
        command(*arguments), env=ENVIRONMENT, capture_output=True, text=True, timeout=180, check=False
    )


def write(folder: Path, text: str) -> Path:
    """A program of this text in `folder`."""
    path = folder / "trainer.py"
    path.write_text(textwrap.dedent(text))
    return path
