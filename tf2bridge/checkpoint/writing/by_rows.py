"""Carries out moves a few rows at a time, so that a large tensor is never completely in memory.

Most steps make each row (along the first axis) from the rows in the same place: another dtype, another order of gates,
a forget bias, kernels joined side by side. Rows that are cut out come from their place in the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.moves import Move, Shape, Step, TargetVariable
from tf2bridge.checkpoint.planning.applying import check, value
from tf2bridge.checkpoint.steps import AddToBlock, Blocks, Cast, Join, Reshape, Rows, Scale, Sum, Total, Transpose
from tf2bridge.formats.checkpoints.stored import PIECE, Checkpoint
from tf2bridge.formats.dtypes import numpy_type


@dataclass(frozen=True)
class RowSteps:
    """The rows that are taken from the sources, and the steps that work on any number of rows."""

    start: int
    stop: int
    steps: tuple[Step, ...]

    def __call__(self, arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Returns the result for some rows of each source."""
        parts = list(arrays)
        for step in self.steps:
            own = Reshape((len(parts[0]), *step.to[1:])) if isinstance(step, Reshape) else step
            parts = [own(*parts)]
        return parts[0]


def row_steps(move: Move, shapes: Sequence[Shape]) -> RowSteps | None:
    """Returns how to carry out a move by rows, for sources of these shapes; None if a step does not work by rows.

    Raises:
        StepError: A step cannot take these shapes.
    """
    now, steps = list(shapes), []
    if not now or len({shape[:1] for shape in now}) > 1 or not now[0]:
        return None
    start, stop = 0, now[0][0]
    for step in move.steps:
        if isinstance(step, Rows) and step.axis % len(now[0]) == 0:
            start, stop = start + step.start, start + step.stop
        elif _is_of_rows(step, now):
            steps.append(step)
        else:
            return None
        now = [step.shape(*now)]
    return RowSteps(start, stop, tuple(steps)) if len(now) == 1 else None


def values_by_rows(move: Move, source: Checkpoint, variable: TargetVariable) -> Iterator[NDArray[Any]]:
    """Yields the value of a variable, some rows at a time; the whole value if it is small or a step needs all rows.

    Raises what `applying.value` raises.
    """
    shapes = [source.tensors[name].shape for name in move.sources]
    by_rows = row_steps(move, shapes) if sum(source.tensors[name].nbytes for name in move.sources) > PIECE else None
    if by_rows is None or _shape(move, shapes) != variable.shape:
        yield value(move, source, variable)
        return
    for rows in _rows(move, by_rows, source):
        check(move, rows, variable, (len(rows), *variable.shape[1:]))
        yield rows


def _rows(move: Move, by_rows: RowSteps, source: Checkpoint) -> Iterator[NDArray[Any]]:
    """Yields the rows in pieces of which the widest source has part of a PIECE, because steps copy them.

    Each source is read completely, so that its checksum, which covers the whole tensor, is checked.
    """
    infos = [source.tensors[name] for name in move.sources]
    widest = max(info.nbytes // max(1, info.shape[0]) for info in infos)
    count = max(1, PIECE // 4 // max(1, widest))
    first = 0
    for slabs in zip(*(_slabs(source, info.name, count) for info in infos), strict=True):
        cut = slice(max(0, by_rows.start - first), max(0, by_rows.stop - first))
        first += len(slabs[0])
        if len(slabs[0][cut]):
            yield by_rows([slab[cut] for slab in slabs])


def _shape(move: Move, shapes: Sequence[Shape]) -> Shape:
    """Returns the shape of a move's result."""
    for step in move.steps:
        shapes = [step.shape(*shapes)]
    return shapes[0]


def _is_of_rows(step: Step, shapes: Sequence[Shape]) -> bool:
    """Returns whether a step makes each row from the same row of each array alone."""
    rank = len(shapes[0])
    if isinstance(step, Scale | Cast | Sum):
        return True
    if isinstance(step, Blocks | AddToBlock | Join | Rows | Total):
        return step.axis % rank != 0
    if isinstance(step, Transpose):
        return step.axes[:1] == (0,)
    return isinstance(step, Reshape) and step.to[:1] == shapes[0][:1]


def _slabs(source: Checkpoint, name: str, count: int) -> Iterator[NDArray[Any]]:
    """Yields the rows of a tensor, `count` at a time."""
    info = source.tensors[name]
    dtype, width = numpy_type(info.dtype), info.shape[1:]
    size = max(dtype.itemsize, prod(width) * dtype.itemsize * count)
    waiting = b""
    for piece in source.pieces(name):
        content = b"".join((waiting, piece))
        count_of_rows = len(content) // size
        for place in range(count_of_rows):
            yield np.frombuffer(content, dtype, size // dtype.itemsize, place * size).reshape(count, *width)
        waiting = content[count_of_rows * size :]
    if waiting:
        yield np.frombuffer(waiting, dtype).reshape(-1, *width)
