"""Puts together tensors that a file holds in slices, as for partitioned variables, a piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

from tf2bridge.formats.checkpoints.stored import PIECE
from tf2bridge.formats.checkpoints.wire import Slice, lengths

_MOST_SLICES = 1 << 14
"""Of a tensor whose slices are no rows of it: each of them is held against each other one."""


@dataclass(frozen=True)
class Part:
    """A slice of a tensor; `source` is the file reader's own handle of it."""

    start: tuple[int, ...]
    shape: tuple[int, ...]
    source: Any

    @property
    def place(self) -> tuple[slice, ...]:
        """The index of the slice in the array of the whole tensor."""
        return tuple(slice(first, first + size) for first, size in zip(self.start, self.shape, strict=True))


Read = Callable[[Part, int, int], bytes | memoryview]
"""Part, offset, size, both in bytes -> that much of it."""


def part_of(ranges_of_slice: Slice, shape: Sequence[int], source: Any) -> Part:
    """Returns a slice of a tensor of that shape. Raises ValueError if the slice exceeds the tensor."""
    if len(ranges_of_slice) != len(shape):
        raise ValueError(f"a slice of {len(ranges_of_slice)} dimensions is none of a tensor of {len(shape)}")
    part = Part(tuple(start for start, _ in ranges_of_slice), lengths(ranges_of_slice, shape), source)
    for start, size, dimension in zip(part.start, part.shape, shape, strict=True):
        if start < 0 or start + size > dimension:
            raise ValueError(f"a slice from {start} on, {size} long, leads out of a dimension of {dimension}")
    return part


def ranges(spec: str) -> list[tuple[int, int, int]]:
    """Returns the ranges of a Saver's text for a slice, for each dimension that it cuts: axis, start, stop (exclusive).

    "6 3 0,3:-" is rows 0 to 2 of a [6, 3] tensor: after the shape, the start and length of each dimension, or "-" for
    all of it (core/util/tensor_slice.h). An empty text is the whole tensor. Raises ValueError for other texts.
    """
    if not spec:
        return []
    dimensions = [text.split(",") for text in spec.split()[-1].split(":")]
    return [
        (axis, int(numbers[0]), int(numbers[0]) + int(numbers[1]))
        for axis, numbers in enumerate(dimensions)
        if len(numbers) == 2
    ]


def gap(shape: Sequence[int], parts: Sequence[Part]) -> str:
    """Returns what is wrong if the parts do not cover each element of the tensor exactly once, or ""."""
    ordered = in_a_row(shape, parts)
    if ordered is None and len(parts) > _MOST_SLICES:
        return f"it is in {len(parts):,} slices, and at most {_MOST_SLICES:,} are put together"
    for first, second in _overlapping(parts) if ordered is None else pairwise(ordered):
        if all(a.start < b.stop and b.start < a.stop for a, b in zip(first.place, second.place, strict=True)):
            return f"its slices at {list(first.start)} and at {list(second.start)} overlap"
    count = sum(prod(part.shape) for part in parts)
    missing = prod(shape) - count
    return f"{missing:,} of its {prod(shape):,} elements are in none of its {len(parts)} slices" if missing else ""


def _overlapping(parts: Sequence[Part]) -> Iterator[tuple[Part, Part]]:
    """Yields pairs of parts that share an element: for each part, at most the first pair."""
    import numpy as np

    first = np.array([part.start for part in parts], np.int64)
    last = first + np.array([part.shape for part in parts], np.int64)
    for number, part in enumerate(parts[:-1]):
        rest = slice(number + 1, None)
        shared = np.all((first[rest] < last[number]) & (first[number] < last[rest]), axis=1)
        if shared.any():
            yield part, parts[number + 1 + int(shared.argmax())]


def in_a_row(shape: Sequence[int], parts: Sequence[Part]) -> list[Part] | None:
    """Returns the parts in the order of their bytes in the whole tensor, or None if their bytes alternate."""
    if any(part.shape[1:] != tuple(shape[1:]) for part in parts):
        return None
    return sorted(parts, key=lambda part: part.start)


def blocks(shape: Sequence[int], item: int) -> Iterator[tuple[Any, ...]]:
    """Indices of an array, one after another in its own order, each of at most PIECE, of elements of `item` bytes.

    Each is some whole numbers and then a slice; of a scalar it is ().
    """
    if not shape:
        yield ()
        return
    if not prod(shape):
        return
    import numpy as np

    axis = next(axis for axis in range(len(shape)) if prod(shape[axis + 1 :]) * item <= PIECE)
    rows = max(1, PIECE // max(1, prod(shape[axis + 1 :]) * item))
    for lead in np.ndindex(*shape[:axis]):
        for first in range(0, shape[axis], rows):
            yield (*lead, slice(first, min(first + rows, shape[axis])))


def woven(shape: Sequence[int], item: int, parts: Sequence[Part], read: Read) -> Iterator[memoryview]:
    """Yields the bytes of a whole tensor from any slices, about PIECE at a time; an element has `item` bytes."""
    import numpy as np

    for *lead, rows in blocks(shape, item):
        block = np.empty((rows.stop - rows.start, *shape[len(lead) + 1 :], item), np.uint8)
        for part in parts:
            if _holds(part, tuple(lead)):
                _copy(block, part, tuple(lead), rows.start, read)
        yield block.data.cast("B")


def _holds(part: Part, lead: tuple[int, ...]) -> bool:
    return all(
        first <= at < first + size
        for first, size, at in zip(part.start[: len(lead)], part.shape[: len(lead)], lead, strict=True)
    )


def _copy(block: Any, part: Part, lead: tuple[int, ...], first: int, read: Read) -> None:
    """Copies the rows of a part, from row `first` on and at these leading indices, into `block`."""
    import numpy as np

    axis, item = len(lead), block.shape[-1]
    start, stop = max(first, part.start[axis]), min(first + len(block), part.start[axis] + part.shape[axis])
    if start >= stop:
        return
    inner = part.shape[axis + 1 :]
    row = 0
    for at, begin, size in zip((*lead, start), part.start, part.shape, strict=False):
        row = row * size + at - begin
    data = read(part, row * prod(inner) * item, (stop - start) * prod(inner) * item)
    rows = np.frombuffer(data, np.uint8).reshape(stop - start, *inner, item)
    target = (slice(start - first, stop - first), *part.place[axis + 1 :])
    block[target] = rows
