"""The chief's thread of synchronous replicas, in a form that can be interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_SENT_AGAIN = "request was received twice"
"""Part of TensorFlow's message about a request that gRPC repeated under load: the first request runs, or has run."""


class _OwnSession(v1.Session):  # type: ignore[misc, name-defined]  # no types
    """A session that one thread uses and another thread closes; its running step then raises CancelledError.

    TensorFlow raises four other errors, depending on where the closing meets the step: AbortedError,
    FailedPreconditionError and InvalidArgumentError of a master, and RuntimeError of a closed Session. A QueueRunner
    takes these errors for failures.
    """

    is_ended = False

    def close(self) -> None:
        self.is_ended = True
        super().close()

    def make_callable(self, *arguments: Any, **keywords: Any) -> Callable[[], Any]:
        run = super().make_callable(*arguments, **keywords)

        def run_until_closed() -> Any:
            try:
                return run()
            except (tf.errors.OpError, RuntimeError) as error:
                if not self.is_ended:
                    if isinstance(error, tf.errors.AbortedError) and _SENT_AGAIN in error.message:
                        return None
                    raise
                raise tf.errors.CancelledError(None, None, "The session was closed.") from error

        return run_until_closed


class ChiefQueueRunner(v1.train.QueueRunner):  # type: ignore[misc, name-defined]  # no types
    """Aggregates gradients and gives tokens, in threads with sessions of their own, which `stop` closes.

    Nothing else interrupts an operation that waits for gradients. The arguments are those of QueueRunner.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._own: list[Any] = []

    def stop(self) -> None:
        """Stops the aggregation: closes the sessions of the threads."""
        while self._own:
            self._own.pop().close()

    def create_threads(self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False) -> list[Any]:
        """Creates the threads, as QueueRunner does, but with a session of their own."""
        if sess.sess_str:  # a session without a server holds its variables itself: a second session lacks them
            sess = _OwnSession(sess.sess_str, graph=sess.graph, config=sess._config)
            self._own.append(sess)
        return list(super().create_threads(sess, coord, daemon, start))

    def _close_on_stop(self, sess: Any, cancel_op: Any, coord: Any) -> None:
        super()._close_on_stop(sess, cancel_op, coord)
        self.stop()
