"""Steps that put values elsewhere and change none: for a variable and for all its slots alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.moves import Shape
from tf2bridge.checkpoint.refusals import StepError


@dataclass(frozen=True)
class Transpose:
    """Dimension `axes[k]` becomes dimension k, as `numpy.transpose` takes them."""

    kind: ClassVar[str] = "transpose"
    axes: tuple[int, ...]

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if sorted(self.axes) != list(range(len(shape))):
            raise StepError(self.kind, f"axes {list(self.axes)} are not those of {len(shape)} dimensions", shape)
        return tuple(shape[axis] for axis in self.axes)

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        found: NDArray[Any] = arrays[0].transpose(self.axes)
        return found

    def of_slots(self) -> Transpose:
        return self


@dataclass(frozen=True)
class Reshape:
    """The same values in the same order (last dimension fastest); what is `to` has as many."""

    kind: ClassVar[str] = "reshape"
    to: tuple[int, ...]

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if math.prod(shape) != math.prod(self.to):
            why = f"{math.prod(shape)} values do not make {list(self.to)}, which has {math.prod(self.to)}"
            raise StepError(self.kind, why, shape)
        return self.to

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        return arrays[0].reshape(self.shape(*(array.shape for array in arrays)))

    def of_slots(self) -> Reshape:
        return self


@dataclass(frozen=True)
class Rows:
    """What lies from `start` up to `stop`, without it, along one axis."""

    kind: ClassVar[str] = "rows"
    start: int
    stop: int
    axis: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        axis = along(self.kind, self.axis, shape)
        if not 0 <= self.start <= self.stop <= shape[axis]:
            raise StepError(self.kind, f"{self.start}:{self.stop} is not within axis {axis}", shape)
        return (*shape[:axis], self.stop - self.start, *shape[axis + 1 :])

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        axis = along(self.kind, self.axis, arrays[0].shape)
        return arrays[0][(slice(None),) * axis + (slice(self.start, self.stop),)]

    def of_slots(self) -> Rows:
        return self


@dataclass(frozen=True)
class Join:
    """Several arrays one after the other along an axis that they have."""

    kind: ClassVar[str] = "join"
    axis: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        several(self.kind, shapes)
        axis = along(self.kind, self.axis, shapes[0])
        rests = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
        if len({len(shape) for shape in shapes}) > 1 or len(rests) > 1:
            raise StepError(self.kind, f"they differ beside axis {axis}", *shapes)
        return (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        same_dtype(self.kind, arrays)
        return np.concatenate(arrays, self.axis)

    def of_slots(self) -> Join:
        return self


@dataclass(frozen=True)
class Stack:
    """Several arrays of one shape along a new axis."""

    kind: ClassVar[str] = "stack"
    axis: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        several(self.kind, shapes)
        if len(set(shapes)) > 1:
            raise StepError(self.kind, "they have not one shape", *shapes)
        axis = along(self.kind, self.axis, (*shapes[0], 1))
        return (*shapes[0][:axis], len(shapes), *shapes[0][axis:])

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        same_dtype(self.kind, arrays)
        return np.stack(arrays, self.axis)

    def of_slots(self) -> Stack:
        return self


@dataclass(frozen=True)
class Blocks:
    """Equal blocks along an axis, as the gates of a cell, in another order: block `order[k]` becomes block k."""

    kind: ClassVar[str] = "blocks"
    order: tuple[int, ...]
    axis: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if sorted(self.order) != list(range(len(self.order))) or not self.order:
            raise StepError(self.kind, f"{list(self.order)} is no order of blocks", shape)
        block_size(self.kind, shape, self.axis, len(self.order))
        return shape

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        shape = self.shape(*(array.shape for array in arrays))
        axis = along(self.kind, self.axis, shape)
        return np.concatenate([np.split(arrays[0], len(self.order), axis)[each] for each in self.order], axis)

    def of_slots(self) -> Blocks:
        return self


def only(kind: str, shapes: tuple[Shape, ...]) -> Shape:
    """The one shape that a step takes. Raises StepError for more or none."""
    if len(shapes) != 1:
        raise StepError(kind, f"it takes one array, not {len(shapes)}", *shapes)
    return shapes[0]


def several(kind: str, shapes: tuple[Shape, ...]) -> None:
    """Raises StepError where there is no array."""
    if not shapes:
        raise StepError(kind, "it takes one array or more")


def along(kind: str, axis: int, shape: Shape) -> int:
    """The number of an axis from 0. Raises StepError for one that the shape has not."""
    if not -len(shape) <= axis < len(shape):
        raise StepError(kind, f"there is no axis {axis}", shape)
    return axis % len(shape)


def block_size(kind: str, shape: Shape, axis: int, count: int) -> int:
    """How long each of `count` equal blocks along an axis is. Raises StepError where they are not equal."""
    length = shape[along(kind, axis, shape)]
    if count < 1 or length % count:
        raise StepError(kind, f"{length} along axis {axis} are not {count} equal blocks", shape)
    return length // count


def same_dtype(kind: str, arrays: tuple[NDArray[Any], ...]) -> None:
    """Raises StepError for arrays of different dtypes: NumPy would make of them what none of them is."""
    if len({array.dtype for array in arrays}) > 1:
        names = ", ".join(str(array.dtype) for array in arrays)
        raise StepError(kind, f"their dtypes differ ({names})", *(array.shape for array in arrays))
