"""Steps that change values: they add, scale, count or cast."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.moves import Shape
from tf2bridge.checkpoint.rearranging import along, block_size, only, same_dtype, several
from tf2bridge.checkpoint.refusals import NoSlotsError, StepError
from tf2bridge.formats.dtypes import numpy_type

_LONGEST = 1 << 30
_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class AddToBlock:
    """Adds a number to one of `of` equal blocks along an axis: Keras keeps an LSTM's forget bias in its bias."""

    kind: ClassVar[str] = "add_to_block"
    block: int
    of: int
    value: float
    axis: int = -1

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        block_size(self.kind, shape, self.axis, self.of)
        if not 0 <= self.block < self.of:
            raise StepError(self.kind, f"there is no block {self.block} of {self.of}", shape)
        return shape

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        shape = self.shape(*(array.shape for array in arrays))
        axis, size = along(self.kind, self.axis, shape), block_size(self.kind, shape, self.axis, self.of)
        result: NDArray[Any] = arrays[0].copy()
        block = (slice(None),) * axis + (slice(self.block * size, (self.block + 1) * size),)
        result[block] += result.dtype.type(self.value)
        return result

    def of_slots(self) -> None:
        """Returns None, no step: a constant added to a variable does not change its gradients."""


@dataclass(frozen=True)
class Sum:
    """Adds several arrays of one shape, such as two biases that a layer has as one."""

    kind: ClassVar[str] = "sum"

    def shape(self, *shapes: Shape) -> Shape:
        several(self.kind, shapes)
        if len(set(shapes)) > 1:
            raise StepError(self.kind, "their shapes differ", *shapes)
        return shapes[0]

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        same_dtype(self.kind, arrays)
        result: NDArray[Any] = arrays[0].copy()
        for array in arrays[1:]:
            result += array
        return result

    def of_slots(self) -> None:
        raise NoSlotsError(self.kind, _SUM_HAS_NO_SLOTS)


@dataclass(frozen=True)
class Total:
    """Sums along an axis and removes the axis."""

    kind: ClassVar[str] = "total"
    axis: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        axis = along(self.kind, self.axis, shape)
        return (*shape[:axis], *shape[axis + 1 :])

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        result: NDArray[Any] = np.asarray(arrays[0].sum(self.axis, dtype=arrays[0].dtype))
        return result

    def of_slots(self) -> None:
        raise NoSlotsError(self.kind, _SUM_HAS_NO_SLOTS)


_SUM_HAS_NO_SLOTS = "a sum trains in steps of another size than its parts"


@dataclass(frozen=True)
class Scale:
    """Multiplies every value by a number, in the dtype of the values."""

    kind: ClassVar[str] = "scale"
    factor: float

    def shape(self, *shapes: Shape) -> Shape:
        return only(self.kind, shapes)

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        result: NDArray[Any] = arrays[0] * arrays[0].dtype.type(self.factor)
        return result

    def of_slots(self) -> None:
        raise NoSlotsError(self.kind, "a scaled variable has other gradients")


@dataclass(frozen=True)
class Cast:
    """Casts to another dtype, by TensorFlow's name. Raises StepError if a value changes, unless `lossy` is set."""

    kind: ClassVar[str] = "cast"
    dtype: str
    lossy: bool = False

    def shape(self, *shapes: Shape) -> Shape:
        return only(self.kind, shapes)

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        shape = self.shape(*(array.shape for array in arrays))
        if arrays[0].dtype == object:
            raise StepError(self.kind, "strings cannot be cast", shape)
        with np.errstate(all="ignore"):
            result = arrays[0].astype(numpy_type(self.dtype))
            back = result.astype(arrays[0].dtype)
        if not self.lossy and not np.array_equal(back, arrays[0], equal_nan=arrays[0].dtype.kind in "fcV"):
            why = f"some {arrays[0].dtype} values do not fit {self.dtype}; set lossy = true to round them"
            raise StepError(self.kind, why, shape)
        return result

    def of_slots(self) -> Cast:
        return self


@dataclass(frozen=True)
class Constant:
    """Fills an array with one number. It takes no array. Example: a batch normalization's scale that is not stored."""

    kind: ClassVar[str] = "constant"
    value: float
    to: tuple[int, ...] = ()
    dtype: str = "float32"

    def shape(self, *shapes: Shape) -> Shape:
        if shapes:
            raise StepError(self.kind, "it takes no array", *shapes)
        return self.to

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        return np.full(self.shape(*(array.shape for array in arrays)), self.value, numpy_type(self.dtype))

    def of_slots(self) -> None:
        raise NoSlotsError(self.kind, "no tensor of the checkpoint is its source")


@dataclass(frozen=True)
class StepsFromPower:
    """Computes Adam's number of steps from its variable `beta1_power` or `beta2_power`: beta^(t+1) -> t, as int64.

    The powers are computed as in TensorFlow (python/training/adam.py: a float32, multiplied by beta each step). So
    either one of them equals the variable exactly, which gives t, or beta was another number. Raises StepError if none
    is equal, and for a value that is no normal float: TensorFlow flushes those to 0, and t is lost.
    """

    kind: ClassVar[str] = "steps_from_power"
    beta: float

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if math.prod(shape) != 1:
            raise StepError(self.kind, "it takes one number", shape)
        return ()

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        self.shape(*(array.shape for array in arrays))
        steps = steps_from_power(float(arrays[0].reshape(())), self.beta)
        if steps is None:
            why = f"{float(arrays[0].reshape(()))!r} is not a power of {self.beta} with a definite exponent"
            raise StepError(self.kind, why, arrays[0].shape)
        return np.array(steps, np.int64)

    def of_slots(self) -> None:
        raise NoSlotsError(self.kind, "a count of steps is not trained")


def steps_from_power(power: float, beta: float) -> int | None:
    """Returns the t for which float32 arithmetic gives `power` = beta^(t+1); None if no t, or more than one, does."""
    factor, smallest = np.float32(beta), float(np.finfo(np.float32).tiny)
    if not 0 < beta < 1 or not smallest <= power <= float(factor) or np.float32(power) * factor == power:
        return None
    run = np.full(_AT_ONCE, factor)
    for steps in range(0, _LONGEST, _AT_ONCE - 1):
        powers = np.multiply.accumulate(run)
        if power >= powers[-1]:
            place = int(np.searchsorted(-powers, -power))
            return steps + place if float(powers[place]) == power else None
        run[0] = powers[-1]
    return None
