"""Means and variances of a tensor over all axes but one, as releases of TensorFlow compute them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import shape_of
from tf2bridge.decompile.ir import Node, Value, array_of

VARIANCES = (
    "Mean(SquaredDifference(x, StopGradient(mean)), axes)",
    "Mean(SquaredDifference(x, mean), axes)",
    "Mean(Square(Sub(x, mean)), axes)",
    "Mean(Pow(Sub(x, mean), 2.0), axes)",
    "Mean(Mul(Sub(x, mean), Sub(x, mean)), axes)",
)
_SHIFTED_MEAN = "Mul(Sum(Sub(x, shift), axes), Reciprocal(count))"
_SHIFTED = (
    f"Add({_SHIFTED_MEAN}, shift)",
    "Sub(Mul(Sum(SquaredDifference(x, shift), other_axes), Reciprocal(count)), Square(shifted_mean))",
    _SHIFTED_MEAN,
)
_NOT_SHIFTED_MEAN = "Mul(Sum(x, axes), Reciprocal(count))"
_NOT_SHIFTED = (
    _NOT_SHIFTED_MEAN,
    "Sub(Mul(Sum(Square(x), other_axes), Reciprocal(count)), Square(shifted_mean))",
    _NOT_SHIFTED_MEAN,
)
"""Mean, variance, and what stands as `shifted_mean` there: `tf.nn.moments` of 0.12, with and without a shift."""


_COUNTS = ("Cast(Prod(Gather(Shape(x), counted_axes), other))", "Prod(Gather(Cast(Shape(x)), counted_axes), other)")


class Moments(NamedTuple):
    """A mean and a variance of one tensor.

    Attributes:
        axis: The axis that they are not over, as a layer has it: -1 for the last one.
        nodes: The nodes that compute them, as far as these take what is not the tensor.
    """

    axis: int
    nodes: tuple[Node, ...] = ()


def moments_of(x: Value, mean: Value, variance: Value) -> Moments | None:
    """Returns what is known of two values if they are the mean and variance of a tensor over all axes but one."""
    bound = {"x": x, "mean": _kept(mean)}
    of_mean = match(_kept(mean), "Mean(x, axes)", {"x": x})
    of_variance = next(filter(None, (match(_kept(variance), pattern, bound) for pattern in VARIANCES)), None)
    if of_mean and of_variance:
        axis = _axis(x, [of_mean["axes"], of_variance["axes"]])
        return None if axis is None else Moments(axis)
    return _by_sums(x, mean, variance, _SHIFTED) or _by_sums(x, mean, variance, _NOT_SHIFTED)


def _by_sums(x: Value, mean: Value, variance: Value, patterns: Sequence[str]) -> Moments | None:
    """Returns what is known of moments that are computed from sums, and from how many numbers were added."""
    names = match(mean, patterns[0], {"x": x})
    names = match(variance, patterns[1], {**names, "x": x}) if names else None
    names = match(names["shifted_mean"], patterns[2], names) if names else None
    axis = _axis(x, [names["axes"], names["other_axes"]]) if names else None
    if names is None or axis is None or not _is_count(names["count"], names):
        return None
    return Moments(axis, (names["shift"].node,) if "shift" in names else ())


def _is_count(count: Value, names: Mapping[str, Value]) -> bool:
    """Returns True if a value is the number of numbers that `x` has along `axes`."""
    axes = array_of(names["axes"])
    counts = (match(count, pattern, {"x": names["x"]}) for pattern in _COUNTS)
    counted = next(filter(None, counts), None)
    if counted is not None:
        others = array_of(counted["counted_axes"])
        return others is not None and others.tolist() == axes.tolist()
    sizes = [(shape_of(names["x"]) or ())[int(axis)] for axis in axes.reshape(-1)]
    return number(count) == float(np.prod([size or 0 for size in sizes]))


def _axis(x: Value, all_axes: Sequence[Value]) -> int | None:
    """Returns the only axis of a tensor that is not among axes, of which all are the same; else None."""
    arrays = [array_of(axes) for axes in all_axes]
    rank = len(shape_of(x) or ())
    if any(array is None or array.tolist() != arrays[0].tolist() for array in arrays) or not rank:
        return None
    left = sorted(set(range(rank)).difference(int(axis) % rank for axis in arrays[0].reshape(-1)))
    return None if len(left) != 1 else -1 if left[0] == rank - 1 else left[0]


def _kept(moment: Value) -> Value:
    """Returns a moment with the axes that a node takes out."""
    return moment.node.inputs[0] if moment.node.op == "Squeeze" else moment
