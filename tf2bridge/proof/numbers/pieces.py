"""Arrays that are compared a piece at a time, in memory or read from a file meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

BLOCK = 1 << 15
"""The number of elements in a block. All intermediate values of a block fit into the processor's cache."""


@dataclass(frozen=True)
class Lazy:
    """An array that is not in memory.

    Attributes:
        shape: The shape.
        dtype: The type.
        pieces: Yields the values as flat arrays of any size, last dimension fastest. Its errors for damaged files pass
            through.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    pieces: Callable[[], Iterator[Array]]

    def whole(self) -> Array:
        """Returns the complete array in memory."""
        pieces = list(self.pieces())
        flat = np.concatenate(pieces) if pieces else np.empty(0, self.dtype)
        return flat.reshape(self.shape)


def paired(actual: Array | Lazy, expected: Array | Lazy) -> Iterator[tuple[Array, Array]]:
    """Yields flat parts of both at the same places, of at most BLOCK elements. Both have one size."""
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
        for _ in rest:  # read to the end: a reader may check the file's checksum there
            pass


def _flat(given: Array | Lazy) -> Iterator[Array]:
    if isinstance(given, Lazy):
        yield from given.pieces()
    elif given.flags.c_contiguous:
        yield given.reshape(-1)
    else:
        yield from (given.flat[first : first + BLOCK] for first in range(0, given.size, BLOCK))
