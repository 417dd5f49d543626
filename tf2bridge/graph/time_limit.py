"""What a graph computes while it is loaded, within a limit of time: loops may never end, and queues wait."""

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
"""Seconds: for anything, for each byte of what is made (slow initializers make ten times as many), and in all."""


class Limit:
    """The time for some runs of sessions together, of which `size` bytes are expected."""

    def __init__(self, size: int = 0) -> None:
        self.seconds = min(_FIRST + size * _PER_BYTE, _MOST)
        self._end = time.monotonic() + self.seconds

    def run(self, session: Any, fetches: Any, feeds: Mapping[Any, Any] | None = None) -> Any:
        """Returns what `session.run` does. Raises EndlessError where the time is over."""
        left = max(1, int(1000 * (self._end - time.monotonic())))
        try:
            return session.run(fetches, feeds, options=tf.compat.v1.RunOptions(timeout_in_ms=left))
        except tf.errors.DeadlineExceededError:
            raise EndlessError(_name(fetches), self.seconds) from None


def bytes_of(variables: Iterable[Any]) -> int:
    """The bytes of variables of which the nodes are given, as far as these say them."""
    return sum(map(_bytes, variables))


def _bytes(node: Any) -> int:
    count = prod([int(dim.size) for dim in node.attr["shape"].shape.dim])
    return max(0, count) * (item_bytes(type_name(node.attr["dtype"].type)) or 1)


def _name(fetches: Any) -> str:
    first = fetches[0] if isinstance(fetches, list) else fetches
    return str(getattr(first, "name", first))
