"""The calls of queue runners, played as they were made: in threads of their own, beside the program's calls.

Such a call fills a queue, and waits where the queue is full. So a session that is played by one thread alone would wait
for itself. What each thread did comes in its order; the queues say which thread goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

import tensorflow as tf

from tf2bridge.proof.traces.records import CallRecord

_MODULES = ("queue_runner", "feeding_queue_runner")
"""The modules whose threads fill queues (training/queue_runner_impl.py, estimator/inputs/queues/)."""
_ENDING_S = 5.0
"""How long a thread may take to end when its session is closed."""


def is_of_runner(call: CallRecord) -> bool:
    """Returns whether a thread of a queue runner made a call."""
    return call.via.startswith(_MODULES)


class RunnerThreads:
    """The threads of one session.

    Args:
        calls: all calls of the session.
        run: runs one of them; it raises an error of TensorFlow when the session is closed.
    """

    def __init__(self, calls: Iterable[CallRecord], run: Callable[[CallRecord], object]) -> None:
        self._run = run
        self._calls: dict[str, list[CallRecord]] = {}
        for call in filter(is_of_runner, calls):
            self._calls.setdefault(call.thread, []).append(call)
        self._threads: dict[str, threading.Thread] = {}

    def begin(self, name: str) -> None:
        """Starts the thread of a name, unless it runs already: it makes all its calls as fast as the queues let it."""
        if name not in self._threads:
            thread = threading.Thread(target=self._make, args=(self._calls[name],), daemon=True)
            self._threads[name] = thread
            thread.start()

    def end(self) -> None:
        """Waits for the threads, after the session was closed."""
        for thread in self._threads.values():
            thread.join(_ENDING_S)

    def _make(self, calls: Iterable[CallRecord]) -> None:
        for call in calls:
            try:
                self._run(call)
            except (tf.errors.OpError, RuntimeError):  # the queue, or the session, is closed
                return
