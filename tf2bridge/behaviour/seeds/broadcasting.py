"""Gradients of operations that broadcast two tensors, with the operations that older releases gave them.

Up to 1.12 each gradient is summed and reshaped, except for equal static shapes since 1.5. In 1.13 to 1.15 the axes of
static shapes are computed once for a graph, for some operations. Inside loops the number of operations also depends on
which forward values were kept before. So these gradients are built as in the release, not only counted. The form that a
release uses is read from its python/ops/math_grad.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf2bridge.behaviour.seeds import counter

Gradient = Callable[..., Any]
Parts = Callable[[Any, Any, Any, Any], tuple[Any, Any]]
Reduce = Callable[[Any], Any]

_SHORT = {"1.12.3": ("Add", "AddV2", "Sub", "Mul"), "1.15.5": ("Add", "AddV2", "Sub", "Mul", "SquaredDifference")}
"""Operations with a shorter gradient if all shapes are static and equal."""

_CACHED = {"1.15.5": (*_SHORT["1.15.5"], "Pow")}
"""Operations that compute the axes of two static shapes once for a graph."""

_OF_AXES = 3
"""The number of operations that compute the axes of two static shapes: both shapes, and their comparison."""

_TURNED = ("Sub", "SquaredDifference")
"""Operations whose second gradient is the negative of the first."""


def gradients(release: str) -> dict[str, Gradient]:
    """Returns operation type -> gradient function `(op, gradient) -> gradients`."""
    parts: dict[str, Parts] = {
        "Add": _same,
        "AddV2": _same,
        "Sub": _same,
        "Mul": _product,
        "Div": functools.partial(_quotient, "div"),
        "RealDiv": functools.partial(_quotient, "realdiv"),
        "SquaredDifference": _difference,
        "Pow": functools.partial(_power, release == "1.15.5"),
        "Maximum": functools.partial(_larger, "greater_equal", release == "0.12.1"),
        "Minimum": functools.partial(_larger, "less_equal", release == "0.12.1"),
    }
    if release in ("1.12.3", "1.15.5"):
        parts["DivNoNan"] = functools.partial(_quotient, "div_no_nan")
    return {kind: functools.partial(_gradient, release, kind, made) for kind, made in parts.items()}


def _gradient(release: str, kind: str, parts: Parts, op: Any, given: Any) -> tuple[Any, Any]:
    """Returns the gradients by both inputs of `op`, each with the shape of that input."""
    from tf2bridge.internals.framework import ops

    x, y = op.inputs[0], op.inputs[1]
    reduce: Sequence[Reduce] = (_unchanged, _unchanged)
    if kind not in _SHORT.get(release, ()) or not _alike(x, y, given, kind):
        reduce = _remembered(x, y, given) if kind in _CACHED.get(release, ()) else _computed(x, y)
    first, second = parts(op, x, y, given if parts is _same else ops.convert_to_tensor(given))
    first, second = reduce[0](first), reduce[1](second)
    return first, -second if kind in _TURNED else second


def _unchanged(gradient: Any) -> Any:
    return gradient


def _alike(x: Any, y: Any, given: Any, kind: str) -> bool:
    """Returns whether all three shapes are static and equal, and the release has the shorter gradient."""
    if kind == "Mul" and given.dtype.base_dtype.name not in ("int32", "float32"):
        return False
    shape = x.shape
    known = all(static.is_fully_defined() for static in (shape, y.shape, given.shape))
    return known and not hasattr(given, "dense_shape") and bool(shape == y.shape == given.shape)


def _computed(x: Any, y: Any, optimize: bool = True) -> Sequence[Reduce]:
    """Returns the functions that reduce both gradients by shapes that a session computes."""
    from tf2bridge.internals.ops import array_ops, gen_array_ops

    shapes = [array_ops.shape_internal(value, optimize=optimize) for value in (x, y)]
    axes = gen_array_ops.broadcast_gradient_args(*shapes)
    return [functools.partial(_sum, shape, axis) for shape, axis in zip(shapes, axes, strict=True)]


def _remembered(x: Any, y: Any, given: Any) -> Sequence[Reduce]:
    """Returns the functions that reduce both gradients as in 1.13 to 1.15, which compare static shapes once."""
    if not (x.shape.is_fully_defined() and y.shape.is_fully_defined()) or hasattr(given, "dense_shape"):
        return _computed(x, y, optimize=hasattr(given, "dense_shape"))
    shapes = tuple(x.shape.as_list()), tuple(y.shape.as_list())
    counter.once(x.graph, f"axes of {shapes}", _OF_AXES)
    wanted = tuple(given.shape.as_list()) if given.shape.is_fully_defined() else None
    return [
        _unchanged if shape == wanted else functools.partial(_sum, shape, _axes(shape, other))
        for shape, other in (shapes, shapes[::-1])
    ]


def _axes(shape: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the axes of the result along which a tensor of this shape was broadcast."""
    rank = max(len(shape), len(other))
    sizes = zip((1,) * (rank - len(shape)) + shape, (1,) * (rank - len(other)) + other, strict=True)
    return tuple(axis for axis, (own, its) in enumerate(sizes) if axis < rank - len(shape) or (own == 1 and its != 1))


def _sum(shape: Any, axes: Any, gradient: Any) -> Any:
    from tf2bridge.internals.ops import array_ops, math_ops

    return array_ops.reshape(math_ops.reduce_sum(gradient, axes), shape)


def _same(_op: Any, _x: Any, _y: Any, given: Any) -> tuple[Any, Any]:
    return given, given


def _product(_op: Any, x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    from tf2bridge.internals.ops import gen_math_ops, math_ops

    return gen_math_ops.mul(given, math_ops.conj(y)), gen_math_ops.mul(math_ops.conj(x), given)


def _quotient(name: str, _op: Any, x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    """`name` is the function that divides."""
    from tf2bridge.internals.ops import math_ops

    x, y, divide = math_ops.conj(x), math_ops.conj(y), getattr(math_ops, name)
    return divide(given, y), given * divide(divide(-x, y), y)


def _difference(_op: Any, x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    from tf2bridge.internals.framework import ops
    from tf2bridge.internals.ops import math_ops

    with ops.control_dependencies([given]):
        by_x = math_ops.scalar_mul(2.0, given) * (x - y)
    return by_x, by_x


def _power(safe: bool, op: Any, x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    """`safe`: the logarithm is taken of 1 where its result is not used. Earlier releases take it of all values."""
    from tf2bridge.internals.ops import array_ops, math_ops

    x, y, z = (math_ops.conj(value) for value in (x, y, op.outputs[0]))
    by_x = given * y * math_ops.pow(x, y - 1)
    wanted = math_ops.not_equal(x, 0) if x.dtype.is_complex else x > 0
    base = array_ops.where(wanted, x, array_ops.ones_like(x)) if safe else x
    return by_x, given * z * array_ops.where(wanted, math_ops.log(base), array_ops.zeros_like(x))


def _larger(compare: str, negated: bool, _op: Any, x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    """`compare` returns the mask of the elements where x is chosen. `negated`: the mask for y is its negation."""
    from tf2bridge.internals.ops import array_ops, math_ops

    zeros = array_ops.zeros(array_ops.shape(given), given.dtype)
    chosen = getattr(math_ops, compare)(x, y)
    by_x = array_ops.where(chosen, given, zeros)
    if negated:
        return by_x, array_ops.where(math_ops.logical_not(chosen), given, zeros)
    return by_x, array_ops.where(chosen, zeros, given)
