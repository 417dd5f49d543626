"""Errors of several threads, collected and raised by one."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

IGNORED = (tf.errors.AbortedError, tf.errors.UnavailableError)
"""The errors of a lost worker. The session is made again after them."""

CLOSE_AFTER = 5
"""Seconds from an error to the closing of its session, as in 1.15.5."""


class ErrorRendezvous:
    """Collects the errors of `num_sources` threads. `raise_errors` raises the first informative error."""

    def __init__(self, num_sources: int) -> None:
        self._errors: dict[str, Any] = {}
        self._num_sources = num_sources
        self._all_done = threading.Event()
        self._closing: threading.Timer | None = None

    def record_error(self, source: str, exc_info: Any, session: Any = None) -> None:
        """Keeps an error of `source`; the session is closed a while later, so that other threads stop."""
        value = exc_info[1]
        if isinstance(value, IGNORED):
            return
        self._keep(source, exc_info)
        logging.error("Error recorded from %s: %s", source, value)
        if session is not None and self._closing is None:
            self._closing = threading.Timer(CLOSE_AFTER, session.close)
            self._closing.daemon = True
            self._closing.start()

    def record_done(self, source: str) -> None:
        """Says that `source` has ended."""
        logging.info("%s marked as finished", source)
        if source not in self._errors:
            self._keep(source, None)

    def _keep(self, source: str, exc_info: Any) -> None:
        self._errors[source] = exc_info
        if len(self._errors) == self._num_sources:
            self._all_done.set()

    @contextlib.contextmanager
    def catch_errors(self, source: str, session: Any = None) -> Iterator[None]:
        """Keeps the errors of the block instead of raising them."""
        try:
            yield
        except Exception:
            self.record_error(source, sys.exc_info(), session)

    def raise_errors(self, timeout_sec: float = 0) -> None:
        """Waits up to `timeout_sec` for all sources, then raises a recorded error, preferably no CancelledError."""
        if timeout_sec:
            self._all_done.wait(timeout_sec)
        kept = [recorded[1] for recorded in self._errors.values() if recorded is not None]
        kept.sort(key=lambda error: isinstance(error, tf.errors.CancelledError))
        if kept:
            logging.warning("Reraising captured error")
            raise kept[0]
