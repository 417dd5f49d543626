"""Synchronous replicas that do not stop after the same step: TensorFlow's own optimizer hangs in each of these."""

from __future__ import annotations

import subprocess
import time

import pytest
import tensorflow as tf

from fixtures.clusters.runs import HERE
from tests.tf2bridge.train.clusters.commands import cluster
from tf2bridge.train.replicas.chief import ChiefQueueRunner

v1 = tf.compat.v1


def trained(*arguments: str) -> subprocess.CompletedProcess[str]:
    return cluster("--ps", 1, "--workers", 2, "--", HERE / "programs/replicas.py", *arguments)


@pytest.mark.parametrize(
    "arguments", [["--rounds", "9,6"], pytest.param(["--rounds", "9,6", "--nomonitored"], marks=pytest.mark.soak)]
)
def test_the_chief_goes_on_alone_when_a_worker_has_stopped(arguments: list[str]) -> None:
    done = trained(*arguments)
    assert done.returncode == 0, done.stderr
    assert "worker 0 | step 7\n" in done.stdout  # 9 + 6 gradients, 2 a step
    assert "worker 1 | ended\n" in done.stdout


def test_a_worker_ends_when_the_chief_has_stopped() -> None:
    done = trained("--rounds", "6,9")
    assert done.returncode == 0, done.stderr
    assert "worker 0 | step 6\n" in done.stdout
    assert "worker 1 | ended\n" in done.stdout


@pytest.mark.soak
def test_a_worker_whose_session_nobody_monitors_is_told_that_the_chief_has_stopped() -> None:
    done = trained("--rounds", "6,9", "--nomonitored")
    assert done.returncode == 1
    assert "OutOfRangeError" in done.stderr
    assert "worker 0 | step 6\n" in done.stdout


@pytest.mark.soak
@pytest.mark.parametrize("attempt", range(20))
def test_a_supervisor_that_nobody_stops(attempt: int) -> None:
    """As in the programs of 2016: each worker goes on until it reads the last step, which may be a step late."""
    del attempt
    done = trained("--nomonitored", "--spare", "--steps", "30")
    assert done.returncode == 0, done.stderr
    assert "worker 0 | all steps: True\n" in done.stdout


def test_the_end_of_the_chief_is_no_error_wherever_it_meets_a_step() -> None:
    """A step that meets the closing of its session fails with one of four errors, about one in fifty."""
    server = v1.train.Server.create_local_server()
    with tf.Graph().as_default(), v1.Session(server.target) as session:
        tokens = v1.FIFOQueue(1, ["int64"], shapes=[[]])
        closed = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
        runner = ChiefQueueRunner(tokens, [tf.no_op()] * 8, queue_closed_exception_types=closed)
        for milliseconds in range(50):
            coordinator = v1.train.Coordinator()
            threads = runner.create_threads(session, coordinator, start=True)
            time.sleep(milliseconds / 1000)
            runner.stop()
            for thread in threads[:8]:  # all but the one that waits for the coordinator
                thread.join()
            coordinator.request_stop()
            coordinator.join(threads)  # raises what a thread failed with
