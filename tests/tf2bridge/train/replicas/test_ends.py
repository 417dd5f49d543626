"""Synchronous replicas that do not stop after the same step: TensorFlow's own optimizer hangs in each of these."""

from __future__ import annotations

import re
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import tensorflow as tf

from fixtures.clusters.runs import HERE
from tests.tf2bridge.train.clusters.commands import cluster
from tf2bridge.train.replicas.chief import ChiefQueueRunner
from tf2bridge.train.replicas.optimizer import SyncReplicasOptimizer

v1 = tf.compat.v1
# After 6 rounds of both workers. The 3 that worker 1 has left make one more step, before or after the chief looks.
WHEN_THE_CHIEF_STOPS = re.compile(r"^worker 0 \| step [67]$", re.MULTILINE)


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
    assert WHEN_THE_CHIEF_STOPS.search(done.stdout)
    assert "worker 1 | ended\n" in done.stdout


@pytest.mark.soak
def test_a_worker_whose_session_nobody_monitors_is_told_that_the_chief_has_stopped() -> None:
    done = trained("--rounds", "6,9", "--nomonitored")
    assert done.returncode == 1
    assert "OutOfRangeError" in done.stderr
    assert WHEN_THE_CHIEF_STOPS.search(done.stdout)


@pytest.mark.soak
@pytest.mark.parametrize("attempt", range(20))
def test_a_supervisor_that_nobody_stops(attempt: int) -> None:
    """As in the programs of 2016: each worker goes on until it reads the last step, which may be a step late."""
    del attempt
    done = trained("--nomonitored", "--spare", "--steps", "30")
    assert done.returncode == 0, done.stderr
    assert "worker 0 | all steps: True\n" in done.stdout


class Replica:
    """A worker of two, with a graph and a session of its own."""

    def __init__(self, target: str, before_gradient: Callable[[], object]) -> None:
        with tf.Graph().as_default() as graph:
            weight = v1.get_variable("weight", [], initializer=v1.zeros_initializer())
            step = v1.train.get_or_create_global_step()
            self.step = tf.identity(step)
            with tf.control_dependencies([self.step]):
                waited = v1.py_func(before_gradient, [], [])
            with tf.control_dependencies([waited]):
                loss = weight * tf.identity(1.0)  # its gradient is the factor
            self.optimizer = SyncReplicasOptimizer(v1.train.GradientDescentOptimizer(0.1), 2, 2)
            self.train = self.optimizer.minimize(loss, step)
            self.initialize = v1.global_variables_initializer()
            self.session = v1.Session(target, graph=graph)

    def read(self) -> int:
        """Gives a gradient, takes a token; the step as it was when the run began."""
        return int(self.session.run([self.step, self.train])[0])


def test_a_worker_sees_the_last_step_whose_tokens_the_chief_took_all() -> None:
    """It is in a run that began before that step, and needs one more to read it."""
    server = v1.train.Server.create_local_server()
    reached, go_on = threading.Event(), threading.Event()

    def let_the_chief_go_first() -> None:
        reached.set()
        go_on.wait(60)

    chief = Replica(server.target, lambda: None)
    worker = Replica(server.target, let_the_chief_go_first)
    chief.session.run(chief.initialize)
    chief.session.run(chief.optimizer.chief_init_op)
    worker.session.run(worker.optimizer.local_step_init_op)
    with chief.session.graph.as_default():
        tokens = chief.optimizer.get_init_tokens_op(1)
    chief.session.run(tokens)
    chief.optimizer.get_chief_queue_runner().create_threads(chief.session, start=True)

    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(worker.read)
        assert reached.wait(60)
        for _ in range(3):  # two gradients make the step, which has two tokens
            last = chief.read()
        assert last == 1
        chief.optimizer.leave(chief.session, is_chief=True)
        go_on.set()
        assert pending.result(60) == 0
    assert worker.read() == 1


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
