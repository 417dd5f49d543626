"""Points of the search: arrays for all inputs, which can be drawn, changed and moved within their ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.worst.outcome import SearchedInput, Way
from tf2bridge.proof.worst.ranges import within

Draw = Callable[[tuple[int, ...]], Any]
"""Returns numbers from 0 to 1, which are parts of a range, in a shape."""
Point = Mapping[str, Array]
"""Name of an input -> array."""
_SHARES = (0.0, 0.03, 0.3, 1.0)
"""Shares of an input that one change draws again; 0 is one element."""


@dataclass(frozen=True)
class Space:
    """Where points lie.

    Attributes:
        inputs: name -> how the input is searched.
        texts: name -> all texts of an input that takes texts, on the starting inputs.
        random: the source of all draws.
    """

    inputs: Mapping[str, SearchedInput]
    random: np.random.Generator
    texts: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def searched(self, point: Point) -> list[str]:
        """Returns the inputs that are not fixed and have an element."""
        return [name for name, array in point.items() if self.inputs[name].way is not Way.FIXED and array.size]

    def inside(self, point: Point) -> dict[str, Array]:
        """Returns the point with every number in its range; NaN becomes the lower end. Fixed inputs stay."""
        moved = {name: self._fitted(name, _wide(point[name]), point[name].dtype) for name in self.searched(point)}
        return {**point, **moved}

    def uniform(self, point: Point) -> dict[str, Array]:
        """Returns a point of the same shapes, drawn anew from the ranges."""
        return self._anew(point, self.random.random)

    def corner(self, point: Point) -> dict[str, Array]:
        """Returns a point of the same shapes, each number at an end of its range."""
        return self._anew(point, lambda shape: self.random.integers(0, 2, shape).astype(float))

    def level(self, point: Point) -> dict[str, Array]:
        """Returns a point of the same shapes; each example, by the first dimension, has one number throughout."""

        def drawn(shape: tuple[int, ...]) -> Array:
            of_example = self.random.random((*shape[:1], *(1,) * (len(shape) - 1)))
            return np.broadcast_to(of_example, shape)

        return self._anew(point, drawn)

    def changed(self, point: Point, names: Sequence[str]) -> dict[str, Array]:
        """Returns the point with some elements of these inputs drawn anew, or moved a little."""
        result = dict(point)
        for name in names:
            array = point[name]
            mask = self._mask(array)
            if self.inputs[name].range is not None and not self.inputs[name].is_whole and self.random.random() < 0.5:
                width = self._width(name) * 10.0 ** -self.random.uniform(0.3, 3)
                drawn = np.asarray(_wide(array) + width * self.random.standard_normal(array.shape))
            else:
                drawn = self._drawn(name, array, self.random.random)
            result[name] = np.where(mask, self._fitted(name, drawn, array.dtype), array)
        return result

    def spread(self, point: Point, is_flat: Array) -> dict[str, Array]:
        """Returns the point with about half of the flat examples drawn again, because these have no gradient."""
        chosen = is_flat & (self.random.random(is_flat.shape) < 0.5)
        draw = (self.uniform, self.corner, self.level)[int(self.random.integers(3))]
        drawn = draw(point)
        return {
            name: np.where(chosen.reshape(-1, *(1,) * (array.ndim - 1)), drawn[name], array)
            if array.ndim and array.shape[0] == len(chosen)
            else array
            for name, array in point.items()
        }

    def moved(self, point: Point, directions: Mapping[str, Array], share: float) -> dict[str, Array]:
        """Returns the point after a step along the signs of the directions, a share of each range long."""
        result = dict(point)
        for name, direction in directions.items():
            step = share * self._width(name) * np.sign(np.nan_to_num(direction))
            result[name] = self._fitted(name, _wide(point[name]) + step, point[name].dtype)
        return result

    def _anew(self, point: Point, draw: Draw) -> dict[str, Array]:
        arrays = {name: point[name] for name in self.searched(point)}
        drawn = {
            name: self._fitted(name, self._drawn(name, array, draw), array.dtype) for name, array in arrays.items()
        }
        return {**point, **drawn}

    def _drawn(self, name: str, array: Array, draw: Draw) -> Array:
        drawn = self._at(name, np.asarray(draw(array.shape)))
        if array.dtype.kind == "c":
            return np.asarray(drawn + 1j * self._at(name, np.asarray(draw(array.shape))))
        return drawn

    def _mask(self, array: Array) -> Array:
        share = _SHARES[int(self.random.integers(len(_SHARES)))]
        mask: Array = np.asarray(self.random.random(array.shape) < share)
        if not mask.any():
            mask = np.zeros(array.size, bool)
            mask[int(self.random.integers(array.size))] = True
            mask = mask.reshape(array.shape)
        return mask

    def _width(self, name: str) -> float:
        ends = self.inputs[name].range
        return ends.high - ends.low if ends is not None else 0.0

    def _at(self, name: str, parts: Array) -> Array:
        """Returns the values at these parts, from 0 to 1, of the range of an input."""
        if name in self.texts:
            texts = np.empty(len(self.texts[name]), object)
            texts[:] = self.texts[name]
            return np.asarray(texts[np.minimum((parts * len(texts)).astype(int), len(texts) - 1)], object)
        ends = self.inputs[name].range
        assert ends is not None
        if self.inputs[name].is_whole:
            low, high = math.ceil(ends.low), math.floor(ends.high)
            return np.asarray(np.minimum(low + np.floor(parts * (high - low + 1)), high))
        return np.asarray(ends.low + parts * (ends.high - ends.low))

    def _fitted(self, name: str, values: Array, dtype: np.dtype[Any]) -> Array:
        """Returns values in a type, none outside the range; NaN becomes the lower end."""
        ends = self.inputs[name].range
        return values if ends is None else within(values, ends, dtype)


def _wide(array: Array) -> Array:
    """Returns floating-point numbers in a type with small enough steps; texts and integers as they are."""
    if array.dtype.kind in "OSUiub":
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
