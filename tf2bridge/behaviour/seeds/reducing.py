"""Gradients of sums, means, maxima and minima, with the operations that older releases gave them.

They repeat a gradient with `tile`, by factors from the sizes of both shapes; this TensorFlow broadcasts it. The form
that a release uses is read from its python/ops/math_grad.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.seeds import counter

Gradient = Callable[..., Any]

_OF_KEPT_SHAPE = 17
"""The number of operations that compute the shape with reduced axes of size 1 (12), and the factors of `tile` (5)."""


def gradients(release: str) -> dict[str, Gradient]:
    """Returns operation type -> gradient function `(op, gradient) -> gradients`."""
    return {
        "Sum": lambda op, given: [_repeated(release, op, given), None],
        "Mean": lambda op, given: [_mean(release, op, given), None],
        "Max": _selected,
        "Min": _selected,
        "Prod": lambda op, given: [_product(release, op, given), None],
    }


def _repeated(release: str, op: Any, given: Any) -> Any:
    """Returns the gradient of a sum."""
    from tf2bridge.internals.ops import array_ops, math_ops

    value, axes = op.inputs[0], _constant_axes(release, op.inputs[1])
    rank = value.shape.ndims
    if rank is not None and axes == list(range(rank)):
        given = array_ops.reshape(given, [1] * rank)
        static = value.shape.is_fully_defined()
        return array_ops.tile(given, value.shape.as_list() if static else array_ops.shape(value))
    if release == "1.15.5" and value.shape.is_fully_defined() and axes is not None:
        return _by_memory(value, axes, given)
    shape = array_ops.shape(value)
    kept = _kept(shape, op.inputs[1])
    times = shape // math_ops.maximum(kept, 1)
    return array_ops.tile(array_ops.reshape(given, kept), times)


def _constant_axes(release: str, axes: Any) -> list[int] | int | None:
    """Returns the axes, or the one axis, if they are constant. 0.12 does not evaluate operations on constants."""
    from tf2bridge.internals.framework import tensor_util

    known = tensor_util.constant_value(axes)
    if release == "0.12.1" and axes.op.type != "Const" and axes.shape.num_elements():
        return None
    return None if known is None else known.tolist()


def _by_memory(value: Any, axes: list[int] | int, given: Any) -> Any:
    """In 1.13 to 1.15 the results for static shapes are computed once for a graph."""
    from tf2bridge.internals.ops import array_ops

    shape, listed = value.shape.as_list(), axes if isinstance(axes, list) else [axes]
    reduced = [axis % len(shape) for axis in listed]
    counter.once(value.graph, f"kept {shape} {listed}", _OF_KEPT_SHAPE)
    kept = [1 if axis in reduced else size for axis, size in enumerate(shape)]
    times = [size if axis in reduced else 1 for axis, size in enumerate(shape)]
    return array_ops.tile(array_ops.reshape(given, kept), times)


def _kept(shape: Any, axes: Any) -> Any:
    """Returns `shape` with 1 for each reduced axis, as a session computes it."""
    from tf2bridge.internals.framework import dtypes
    from tf2bridge.internals.ops import array_ops, gen_data_flow_ops, math_ops

    axes = math_ops.cast(axes, dtypes.int32)
    rank = array_ops.size(shape)
    axes = (axes + rank) % rank
    ones = array_ops.fill(array_ops.shape(axes), 1)
    return gen_data_flow_ops.dynamic_stitch([math_ops.range(rank), axes], [shape, ones])


def _mean(release: str, op: Any, given: Any) -> Any:
    from tf2bridge.internals.framework import constant_op
    from tf2bridge.internals.ops import array_ops, math_ops

    repeated, shapes = _repeated(release, op, given), (op.inputs[0].shape, op.outputs[0].shape)
    if release in ("1.12.3", "1.15.5") and all(shape.is_fully_defined() for shape in shapes):
        sizes = [math.prod(shape.as_list()) for shape in shapes]
        return math_ops.truediv(repeated, constant_op.constant(sizes[0] // max(sizes[1], 1), dtype=repeated.dtype))
    numbers = [math_ops.reduce_prod(array_ops.shape(value)) for value in (op.inputs[0], op.outputs[0])]
    factor = numbers[0] // math_ops.maximum(numbers[1], 1)
    return math_ops.truediv(repeated, math_ops.cast(factor, repeated.dtype))


def _selected(op: Any, given: Any) -> list[Any]:
    """Returns the gradient of a maximum or minimum: equal entries share it."""
    from tf2bridge.internals.ops import array_ops, math_ops

    value, axes = op.inputs
    kept = _kept(array_ops.shape(value), axes)
    chosen, given = array_ops.reshape(op.outputs[0], kept), array_ops.reshape(given, kept)
    equal = math_ops.cast(math_ops.equal(chosen, value), given.dtype)
    number = array_ops.reshape(math_ops.reduce_sum(equal, axes), kept)
    return [math_ops.div(equal, number) * given, None]


def _product(release: str, op: Any, given: Any) -> Any:
    """Returns the gradient of a product: for each entry the product of all others, from cumulative products."""
    from tf2bridge.internals.framework import dtypes
    from tf2bridge.internals.ops import array_ops, math_ops

    value, shape = op.inputs[0], array_ops.shape(op.inputs[0])
    axes = array_ops.reshape(op.inputs[1], [-1])
    kept = _kept(shape, op.inputs[1])
    times = shape // math_ops.maximum(kept, 1)
    given = array_ops.tile(array_ops.reshape(given, kept), times)
    rank = array_ops.rank(value)
    reduced = math_ops.cast(axes if release == "0.12.1" else (axes + rank) % rank, dtypes.int32)
    others, _ = array_ops.setdiff1d(math_ops.range(0, rank), reduced)
    order = array_ops.concat([reduced, others], 0)
    sizes = [math_ops.reduce_prod(array_ops.gather(shape, some)) for some in (reduced, others)]
    turned = array_ops.transpose(value, order)
    matrix = array_ops.reshape(turned, sizes)
    before, after = (math_ops.cumprod(matrix, axis=0, exclusive=True, reverse=last) for last in (False, True))
    product = array_ops.reshape(math_ops.conj(before) * math_ops.conj(after), array_ops.shape(turned))
    product = given * array_ops.transpose(product, array_ops.invert_permutation(order))
    return array_ops.reshape(product, shape)
