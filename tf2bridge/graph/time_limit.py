"""Limit the time of what a graph computes while it is loaded: a loop may never end, and a queue may wait."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import tensorflow as tf

from tf2bridge.formats.dtypes import item_bytes
from tf2bridge.formats.messages import type_name
from tf2bridge.graph.refusals import EndlessError

_FIRST, _PER_BYTE, _MOST = 15.0, 1e-7, 600.0
"""Seconds: the base, the time for each byte computed (even slow initializers are ten times faster), and the maximum."""


class Limit:
    """One time limit for several session runs, which together compute `size` bytes."""

    def __init__(self, size: int = 0) -> None:
        self.seconds = min(_FIRST + size * _PER_BYTE, _MOST)
        self._end = time.monotonic() + self.seconds

    def run(self, session: Any, fetches: Any, feeds: Mapping[Any, Any] | None = None) -> Any:
        """Returns the result of `session.run`. Raises EndlessError when the time is over."""
        milliseconds = max(1, int(1000 * (self._end - time.monotonic())))
        try:
            return session.run(fetches, feeds, options=tf.compat.v1.RunOptions(timeout_in_ms=milliseconds))
        except tf.errors.DeadlineExceededError:
            raise EndlessError(_name(fetches), self.seconds) from None


def bytes_of(variables: Iterable[Any]) -> int:
    """Returns the total bytes of variables, as far as their nodes state shapes."""
    return sum(map(_bytes, variables))


def _bytes(node: Any) -> int:
    count = prod([int(dim.size) for dim in node.attr["shape"].shape.dim])
    return max(0, count) * (item_bytes(type_name(node.attr["dtype"].type)) or 1)


def _name(fetches: Any) -> str:
    first = fetches[0] if isinstance(fetches, list) else fetches
    return str(getattr(first, "name", first))
