"""A training that is ended in the middle of a step, or whose disk is full, goes on from its last whole checkpoint."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.forked import run
from tests.tf2bridge.train.whole import check_whole

# argv: the class, the log directory, the last step, and the fault with its step. Saves after each step.
PROGRAM = """
import os, resource, signal, sys, time
import numpy as np
import tensorflow.compat.v1 as tf
from tf2bridge import train

kind, logdir, last, fault, fault_step = sys.argv[1:]

def disturb(step):
    print("in step", step, flush=True)
    if step == int(fault_step) and fault == "disk":
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    if step == int(fault_step) and fault == "SIGTERM":
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    return np.float32(1)

with tf.Graph().as_default():
    large = tf.get_variable("large", [100_000], initializer=tf.zeros_initializer())
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies([tf.py_func(disturb, [step], tf.float32)]):
        raised = tf.assign_add(large, tf.ones([100_000]))
    with tf.control_dependencies([raised]):
        advance = tf.assign_add(step, 1)
    if kind == "MonitoredTrainingSession":
        hooks = [tf.train.StopAtStepHook(last_step=int(last))]
        with train.MonitoredTrainingSession(checkpoint_dir=logdir, hooks=hooks, save_checkpoint_steps=1) as session:
            while not session.should_stop():
                session.run(advance)
    else:
        supervisor = train.Supervisor(logdir=logdir, save_model_secs=0, save_summaries_secs=0)
        with supervisor.managed_session() as session:
            while session.run(step) < int(last):
                session.run(advance)
                supervisor.saver.save(session, supervisor.save_path, supervisor.global_step)
"""


def attempts() -> Iterator[object]:
    """Two in every run of the tests, one with each kind of session; twenty of each by hand."""
    for kind in ("Supervisor", "MonitoredTrainingSession"):
        for attempt in range(20):
            yield pytest.param(kind, 3 + attempt, marks=[pytest.mark.soak] if attempt else [], id=f"{kind}-{attempt}")


def check_resumed(kind: str, logdir: Path, step: int, fault: str, status: int) -> str:
    """The fault ends the program in `step`; the next one goes on from the step before. What the first one said."""
    disturbed = run(PROGRAM, kind, str(logdir), str(step + 5), fault, str(step))
    assert disturbed.returncode == status, disturbed.stderr[-2000:]
    stored = check_whole(logdir)
    assert stored["global_step"] == step
    done = run(PROGRAM, kind, str(logdir), str(step + 5), "", "-1")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[0] == f"in step {step}"
    stored = check_whole(logdir)
    np.testing.assert_array_equal(stored["large"], np.full(100_000, step + 5, np.float32))  # one a step, none twice
    return disturbed.stderr


@pytest.mark.parametrize("kind, step", attempts())
def test_sigterm_in_a_step(kind: str, step: int, tmp_path: Path) -> None:
    check_resumed(kind, tmp_path, step, "SIGTERM", -signal.SIGTERM)


@pytest.mark.parametrize("kind, step", attempts())
def test_a_full_disk_at_a_checkpoint(kind: str, step: int, tmp_path: Path) -> None:
    result = check_resumed(kind, tmp_path, step, "disk", 1)
    assert "the checkpoint could not be written (File too large)" in result
    assert f"the last whole checkpoint is {tmp_path}/model.ckpt-{step}" in result
