"""The dimensions of a grid cell: which take the input, give the output, come first, and keep no state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Dims = int | Sequence[int] | None


@dataclass(frozen=True)
class Dimensions:
    """`count` dimensions; the tuples name them by number, in order. `function` stands for a cell that is not there."""

    count: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    priority: tuple[int, ...]
    without_state: tuple[int, ...]
    function: Callable[[Any], Any]

    @property
    def recurrent(self) -> tuple[int, ...]:
        return tuple(dimension for dimension in range(self.count) if dimension not in self.without_state)

    @property
    def ordinary(self) -> tuple[int, ...]:
        """The dimensions that run before those of priority."""
        return tuple(dimension for dimension in range(self.count) if dimension not in self.priority)


def dimensions(
    count: int, inputs: Dims, outputs: Dims, priority: Dims, without_state: Dims, function: Callable[[Any], Any]
) -> Dimensions:
    """Returns the dimensions of a cell. Raises ValueError for less than one, or for a number out of range."""
    if count < 1:
        raise ValueError(f"a grid cell has 1 dimension or more, not {count}")
    inputs, outputs, priority, without_state = (
        _sorted(numbers, count) for numbers in (inputs, outputs, priority, without_state)
    )
    return Dimensions(count, inputs, outputs, priority, without_state, function)


def _sorted(dims: Dims, count: int) -> tuple[int, ...]:
    given = () if dims is None else (dims,) if isinstance(dims, int) else dims
    numbers = tuple(sorted(set(given)))
    if any(number not in range(count) for number in numbers):
        raise ValueError(f"dimensions {numbers} have to be from 0 to {count - 1}")
    return numbers
