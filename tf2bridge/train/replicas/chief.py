"""The chief's thread of synchronous replicas, which can be interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_SENT_AGAIN = "request was received twice"
"""What TensorFlow says of a request that gRPC sent again under load: the first one runs, or has run."""


class _OwnSession(v1.Session):  # type: ignore[misc, name-defined]  # no types
    """A session that a thread uses and another closes: what it runs then is cancelled.

    TensorFlow has four more errors for it, by where the closing met the step, which a QueueRunner takes for failures:
    AbortedError, FailedPreconditionError and InvalidArgumentError of a master, RuntimeError of a closed Session.
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
    """Aggregates gradients and gives tokens, in threads with a session of their own, which a stop closes.

    Nothing else interrupts an operation that waits for gradients. Takes the arguments of QueueRunner.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._own: list[Any] = []

    def stop(self) -> None:
        """Aggregates no more."""
        while self._own:
            self._own.pop().close()

    def create_threads(self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False) -> list[Any]:
        """As that of QueueRunner."""
        if sess.sess_str:  # what a session in this process holds, no other session has
            sess = _OwnSession(sess.sess_str, graph=sess.graph, config=sess._config)
            self._own.append(sess)
        return list(super().create_threads(sess, coord, daemon, start))

    def _close_on_stop(self, sess: Any, cancel_op: Any, coord: Any) -> None:
        super()._close_on_stop(sess, cancel_op, coord)
        self.stop()
