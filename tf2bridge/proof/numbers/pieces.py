"""Arrays that are judged a piece at a time: those in memory, and those that are read while they are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

BLOCK = 1 << 15
"""Elements that are judged together: all that is computed of them on the way stays in a processor's own memory."""


@dataclass(frozen=True)
class Lazy:
    """An array that is not in memory.

    Attributes:
        pieces: gives its values as flat arrays of any sizes, last dimension fastest; what it raises for a damaged file
            goes through.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    pieces: Callable[[], Iterator[Array]]

    def whole(self) -> Array:
        """All of it, in memory."""
        pieces = list(self.pieces())
        flat = np.concatenate(pieces) if pieces else np.empty(0, self.dtype)
        return flat.reshape(self.shape)


def paired(actual: Array | Lazy, expected: Array | Lazy) -> Iterator[tuple[Array, Array]]:
    """Yields flat parts of both in the same places, of at most BLOCK elements. Both are of one size."""
    left, right = _flat(actual), _flat(expected)
    a, b = next(left, None), next(right, None)
    while a is not None and b is not None:
        size = min(len(a), len(b), BLOCK)
        if size:
            yield a[:size], b[:size]
        a, b = a[size:], b[size:]
        a = a if len(a) else next(left, None)
        b = b if len(b) else next(right, None)
    for rest in (left, right):
        for _ in rest:  # what is behind the last value is read, too: a file's checksum may be compared there
            pass


def _flat(given: Array | Lazy) -> Iterator[Array]:
    if isinstance(given, Lazy):
        yield from given.pieces()
    elif given.flags.c_contiguous:
        yield given.reshape(-1)
    else:
        yield from (given.flat[first : first + BLOCK] for first in range(0, given.size, BLOCK))
