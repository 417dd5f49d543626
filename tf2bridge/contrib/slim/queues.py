"""`QueueRunners`: the queue runners of a session, for the length of a with block."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
_running = threading.Lock()


class NestedQueueRunnerError(Exception):
    """A `QueueRunners` block within another."""


@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:  # noqa: N802  # contrib's name
    """Runs the graph's queue runners in `session` until the block ends.

    Raises NestedQueueRunnerError within another such block.
    """
    if not _running.acquire(blocking=False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested: leave the other with block first")
    coordinator = v1.train.Coordinator()
    runners = v1.get_collection(v1.GraphKeys.QUEUE_RUNNERS)
    threads = [
        thread
        for runner in runners
        for thread in runner.create_threads(session, coord=coordinator, daemon=True, start=True)
    ]
    try:
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _running.release()
