"""`FeedingQueueRunner`: threads that run enqueue ops with the feeds of Python functions."""

from __future__ import annotations

import threading
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1

_QueueRunner: Any = v1.train.QueueRunner


class FeedingQueueRunner(_QueueRunner):  # type: ignore[misc]  # TensorFlow has no types here
    """A queue runner whose thread i runs `enqueue_ops[i]` with the feed `feed_fns[i]()`.

    Raises:
        ValueError: the numbers of ops and functions differ.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Any = None,
        close_op: Any = None,
        cancel_op: Any = None,
        feed_fns: Any = None,
        queue_closed_exception_types: Any = None,
    ) -> None:
        super().__init__(
            queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types=queue_closed_exception_types
        )
        self._feed_fns = [None for _ in enqueue_ops] if feed_fns is None else feed_fns
        if len(self._feed_fns) != len(enqueue_ops):
            raise ValueError(
                f"there are {len(enqueue_ops)} enqueue_ops and {len(self._feed_fns)} feed_fns; give one each"
            )

    def _run(self, sess: Any, enqueue_op: Any, feed_fn: Any, coord: Any = None) -> None:
        """Enqueues until the data end or the queue is closed. This is the body of a thread."""
        decremented = False
        try:
            while coord is None or not coord.should_stop():
                try:
                    sess.run(enqueue_op, None if feed_fn is None else feed_fn())
                except (tf.errors.OutOfRangeError, tf.errors.CancelledError):
                    decremented = self._one_ended(sess)
                    return
        except Exception as error:
            if coord is None:
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
            coord.request_stop(error)
        finally:
            if not decremented:
                with self._lock:
                    self._runs_per_session[sess] -= 1

    def _one_ended(self, sess: Any) -> bool:
        """Counts a thread as ended. The last thread closes the queue."""
        with self._lock:
            self._runs_per_session[sess] -= 1
            if not self._runs_per_session[sess]:
                try:
                    sess.run(self._close_op)
                except Exception as error:  # the queue may already be closed
                    logging.vlog(1, "Ignored exception: %s", error)
        return True

    def create_threads(self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False) -> list[Any]:
        """Returns the threads for `sess`, or an empty list if earlier threads still run."""
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised: list[Exception] = []
        targets: list[tuple[Any, tuple[Any, ...]]] = [
            (self._run, (sess, op, feed, coord)) for op, feed in zip(self._enqueue_ops, self._feed_fns, strict=True)
        ]
        if coord:
            targets.append((self._close_on_stop, (sess, self._cancel_op, coord)))
        threads = [threading.Thread(target=target, args=args) for target, args in targets]
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            if daemon:
                thread.daemon = True
            if start:
                thread.start()
        return threads

    def _init_from_proto(self, queue_runner_def: Any, import_scope: str | None = None) -> None:
        raise NotImplementedError(f"{type(self).__name__} holds functions: it cannot be made from a message")

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Raises NotImplementedError: Python functions cannot be serialized."""
        raise NotImplementedError(f"{type(self).__name__} holds functions: it cannot be written as a message")
