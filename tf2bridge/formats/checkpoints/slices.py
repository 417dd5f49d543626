"""Tensors that a file holds in slices, as it does of partitioned variables: put together, a piece at a time."""

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
    """A slice of a tensor, and what the reader of the file knows it by."""

    start: tuple[int, ...]
    shape: tuple[int, ...]
    source: Any

    @property
    def place(self) -> tuple[slice, ...]:
        """Where it is in the whole tensor, as an index of its array."""
        return tuple(slice(first, first + size) for first, size in zip(self.start, self.shape, strict=True))


Read = Callable[[Part, int, int], bytes | memoryview]
"""Part, offset, size, both in bytes -> that much of it."""


def part_of(where: Slice, shape: Sequence[int], source: Any) -> Part:
    """Returns a slice of a tensor of that shape. Raises ValueError for one that leads out of it."""
    if len(where) != len(shape):
        raise ValueError(f"a slice of {len(where)} dimensions is none of a tensor of {len(shape)}")
    part = Part(tuple(start for start, _ in where), lengths(where, shape), source)
    for start, size, whole in zip(part.start, part.shape, shape, strict=True):
        if start < 0 or start + size > whole:
            raise ValueError(f"a slice from {start} on, {size} long, leads out of a dimension of {whole}")
    return part


def ranges(spec: str) -> list[tuple[int, int, int]]:
    """Returns the range of each dimension that a Saver's text for a slice cuts: axis, start, stop (not included).

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
    """Says what is wrong where parts do not make up the whole tensor, each element once; "" where they do."""
    ordered = in_a_row(shape, parts)
    if ordered is None and len(parts) > _MOST_SLICES:
        return f"it is in {len(parts):,} slices, and at most {_MOST_SLICES:,} are put together"
    for one, other in _overlapping(parts) if ordered is None else pairwise(ordered):
        if all(a.start < b.stop and b.start < a.stop for a, b in zip(one.place, other.place, strict=True)):
            return f"its slices at {list(one.start)} and at {list(other.start)} overlap"
    held = sum(prod(part.shape) for part in parts)
    missing = prod(shape) - held
    return f"{missing:,} of its {prod(shape):,} elements are in none of its {len(parts)} slices" if missing else ""


def _overlapping(parts: Sequence[Part]) -> Iterator[tuple[Part, Part]]:
    """Pairs of parts that share an element; the first pair of each part that has one."""
    import numpy as np

    first = np.array([part.start for part in parts], np.int64)
    last = first + np.array([part.shape for part in parts], np.int64)
    for number, part in enumerate(parts[:-1]):
        rest = slice(number + 1, None)
        shared = np.all((first[rest] < last[number]) & (first[number] < last[rest]), axis=1)
        if shared.any():
            yield part, parts[number + 1 + int(shared.argmax())]


def in_a_row(shape: Sequence[int], parts: Sequence[Part]) -> list[Part] | None:
    """The parts in the order in which their bytes follow one another in the whole; None where they alternate."""
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
    """The bytes of the whole tensor, of elements of `item` bytes, about PIECE at a time, whatever its slices are."""
    import numpy as np

    for *lead, rows in blocks(shape, item):
        made = np.empty((rows.stop - rows.start, *shape[len(lead) + 1 :], item), np.uint8)
        for part in parts:
            if _holds(part, tuple(lead)):
                _copy(made, part, tuple(lead), rows.start, read)
        yield made.data.cast("B")


def _holds(part: Part, lead: tuple[int, ...]) -> bool:
    return all(
        first <= at < first + size
        for first, size, at in zip(part.start[: len(lead)], part.shape[: len(lead)], lead, strict=True)
    )


def _copy(made: Any, part: Part, lead: tuple[int, ...], first: int, read: Read) -> None:
    """Copies what a part has of the rows from `first` on at these leading indices."""
    import numpy as np

    axis, item = len(lead), made.shape[-1]
    start, stop = max(first, part.start[axis]), min(first + len(made), part.start[axis] + part.shape[axis])
    if start >= stop:
        return
    inner = part.shape[axis + 1 :]
    row = 0
    for at, begin, size in zip((*lead, start), part.start, part.shape, strict=False):
        row = row * size + at - begin
    data = read(part, row * prod(inner) * item, (stop - start) * prod(inner) * item)
    rows = np.frombuffer(data, np.uint8).reshape(stop - start, *inner, item)
    where = (slice(start - first, stop - first), *part.place[axis + 1 :])
    made[where] = rows
