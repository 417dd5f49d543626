"""Steps that move values and change none. They apply to a variable and to all its slots alike."""

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
    """Transposes: dimension `axes[k]` becomes dimension k, as in `numpy.transpose`."""

    kind: ClassVar[str] = "transpose"
    axes: tuple[int, ...]

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if sorted(self.axes) != list(range(len(shape))):
            raise StepError(self.kind, f"axes {list(self.axes)} are not those of {len(shape)} dimensions", shape)
        return tuple(shape[axis] for axis in self.axes)

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        transposed: NDArray[Any] = arrays[0].transpose(self.axes)
        return transposed

    def of_slots(self) -> Transpose:
        return self


@dataclass(frozen=True)
class Reshape:
    """Reshapes to the shape `to`, which has as many values. Their order stays (last dimension fastest)."""

    kind: ClassVar[str] = "reshape"
    to: tuple[int, ...]

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if math.prod(shape) != math.prod(self.to):
            why = f"{math.prod(shape)} values do not fit {list(self.to)}, which has {math.prod(self.to)}"
            raise StepError(self.kind, why, shape)
        return self.to

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        return arrays[0].reshape(self.shape(*(array.shape for array in arrays)))

    def of_slots(self) -> Reshape:
        return self


@dataclass(frozen=True)
class Rows:
    """Takes the part from `start` to `stop` (exclusive) along one axis."""

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
    """Concatenates arrays along an existing axis."""

    kind: ClassVar[str] = "join"
    axis: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        several(self.kind, shapes)
        axis = along(self.kind, self.axis, shapes[0])
        rests = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
        if len({len(shape) for shape in shapes}) > 1 or len(rests) > 1:
            raise StepError(self.kind, f"their shapes differ in more than axis {axis}", *shapes)
        return (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        same_dtype(self.kind, arrays)
        return np.concatenate(arrays, self.axis)

    def of_slots(self) -> Join:
        return self


@dataclass(frozen=True)
class Stack:
    """Stacks arrays of one shape along a new axis."""

    kind: ClassVar[str] = "stack"
    axis: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        several(self.kind, shapes)
        if len(set(shapes)) > 1:
            raise StepError(self.kind, "their shapes differ", *shapes)
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
    """Reorders equal blocks along an axis, such as the gates of a cell: block `order[k]` becomes block k."""

    kind: ClassVar[str] = "blocks"
    order: tuple[int, ...]
    axis: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if sorted(self.order) != list(range(len(self.order))) or not self.order:
            raise StepError(self.kind, f"{list(self.order)} is not a permutation of block numbers", shape)
        block_size(self.kind, shape, self.axis, len(self.order))
        return shape

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        shape = self.shape(*(array.shape for array in arrays))
        axis = along(self.kind, self.axis, shape)
        return np.concatenate([np.split(arrays[0], len(self.order), axis)[block] for block in self.order], axis)

    def of_slots(self) -> Blocks:
        return self


def only(kind: str, shapes: tuple[Shape, ...]) -> Shape:
    """Returns the single shape of a step's input. Raises StepError unless there is exactly one."""
    if len(shapes) != 1:
        raise StepError(kind, f"it takes one array, not {len(shapes)}", *shapes)
    return shapes[0]


def several(kind: str, shapes: tuple[Shape, ...]) -> None:
    """Raises StepError if there is no array."""
    if not shapes:
        raise StepError(kind, "it takes one array or more")


def along(kind: str, axis: int, shape: Shape) -> int:
    """Returns the axis counted from 0. Raises StepError if the shape has no such axis."""
    if not -len(shape) <= axis < len(shape):
        raise StepError(kind, f"there is no axis {axis}", shape)
    return axis % len(shape)


def block_size(kind: str, shape: Shape, axis: int, count: int) -> int:
    """Returns the length of `count` equal blocks along an axis. Raises StepError if they are not equal."""
    length = shape[along(kind, axis, shape)]
    if count < 1 or length % count:
        raise StepError(kind, f"length {length} along axis {axis} cannot be split into {count} equal blocks", shape)
    return length // count


def same_dtype(kind: str, arrays: tuple[NDArray[Any], ...]) -> None:
    """Raises StepError for arrays of different dtypes, because NumPy would convert them to a common dtype."""
    if len({array.dtype for array in arrays}) > 1:
        names = ", ".join(str(array.dtype) for array in arrays)
        raise StepError(kind, f"their dtypes differ ({names})", *(array.shape for array in arrays))
