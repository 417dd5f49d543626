"""`tf.einsum` as the products, transpositions and sums of 1.x; TensorFlow 2 makes one op for two inputs.

Names of results and later op seeds depend on these operations. So does the meaning of repeated axes: up to 1.12 "ii" is
the sum of all elements. In 1.14 and 1.15 it is the trace of the last two axes, also if there are other axes.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import Function


def in_pairs(original: Function) -> Function:
    """Returns `einsum` of 1.15, which TensorFlow 2 keeps as `_einsum_v1`."""

    @functools.wraps(original)
    def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Any:
        return internals.ops.special_math_ops._einsum_v1(equation, *inputs, **kwargs)

    return einsum


def in_order(named: bool) -> Callable[[Function], Function]:
    """Up to 1.12 the axes of every product are in alphabetical order, with transpositions even if they change nothing.

    In 0.12 (not `named`) the operations have no scope, and unknown sizes are -1.
    """

    def replace(original: Function) -> Function:
        @functools.wraps(original)
        def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Any:
            module: Any = internals.ops.special_math_ops
            name = kwargs.pop("name", None)
            if kwargs or _is_later(equation):
                return module._einsum_v1(equation, *inputs, name=name, **kwargs)
            v1: Any = importlib.import_module("tensorflow").compat.v1
            with v1.name_scope(name, "einsum", [equation, inputs]) if named else contextlib.nullcontext():
                return _contracted(module, v1, equation.replace(" ", ""), inputs, named)

        return einsum

    return replace


def _is_later(equation: str) -> bool:
    """Returns True for equations that 1.13 or 1.14 build otherwise; op seeds of these releases count as in 1.12.

    Raises ValueError for an ellipsis if the program is for an earlier release.
    """
    from tf2bridge.behaviour import in_force

    labels = equation.partition("->")[0].split(",")
    if in_force.before(1, 13):
        if "..." in equation:
            raise ValueError("Subscripts with ellipses are not yet supported.")
        return False
    return "..." in equation or any(len(set(axes)) < len(axes) for axes in labels)


def _contracted(module: Any, v1: Any, equation: str, inputs: tuple[Any, ...], named: bool) -> Any:
    shapes = [value.shape for value in inputs]
    labels, wanted = module._einsum_v1_parse_and_resolve_equation(equation, shapes)
    for axis in set("".join(labels)):
        if axis not in wanted and sum(axis in axes for axes in labels) > 2:
            v1.logging.warning(
                "Falling back to exponential-space implementation of einsum()"
                ' because index "%s" is summed over more than two inputs.',
                axis,
            )
            return module._exponential_space_einsum_v1(equation, *inputs)
    result, axes = inputs[0], labels[0]
    for value, others in zip(inputs[1:], labels[1:], strict=True):
        summed = set(axes) & set(others) - set(wanted)
        result, axes = _product(module, v1, (result, value), (axes, others), summed, named)
    left = [place for place, axis in enumerate(axes) if axis not in wanted]
    if left:
        result = v1.reduce_sum(result, left)
        axes = "".join(axis for axis in axes if axis in wanted)
    if sorted(axes) != sorted(wanted):
        raise ValueError(f"Invalid equation: {equation}")
    return v1.transpose(result, [axes.index(axis) for axis in wanted])


def _product(
    module: Any, v1: Any, values: tuple[Any, Any], labels: tuple[str, str], summed: set[str], named: bool
) -> tuple[Any, str]:
    """Returns the product of two tensors, summed over some axes, and its axes.

    The shared axes come first, then those of the first tensor, then those of the second.
    """
    shared = set(labels[0]) & set(labels[1]) - summed
    left, right = ("".join(sorted(set(axes) - shared - summed)) for axes in labels)
    first, inner = ("".join(sorted(axes)) for axes in (shared, summed))
    left_value, right_value = (
        _turned(v1, place, *pair)
        for place, pair in enumerate(zip(values, labels, (first + left + inner, first + inner + right), strict=True))
    )
    axes = first + left + right
    if not summed:
        for _ in right:
            left_value = v1.expand_dims(left_value, -1)
        for _ in left:
            right_value = v1.expand_dims(right_value, len(first))
        return v1.multiply(left_value, right_value), axes
    sizes = _sizes(module, left_value, named)
    batch, own = sizes[: len(first)], sizes[len(first) : len(first + left)]
    rows, depth = _total(own), _total(sizes[len(first + left) :])
    left_value = module._reshape_if_necessary(left_value, [*batch, rows, depth])
    sizes = _sizes(module, right_value, named)
    others = sizes[len(first + inner) :]
    right_value = module._reshape_if_necessary(right_value, [*sizes[: len(first)], depth, _total(others)])
    product = v1.matmul(left_value, right_value, name=None if named else "BatchMatMul")
    return module._reshape_if_necessary(product, [*batch, *own, *others]), axes


def _turned(v1: Any, place: int, value: Any, axes: str, order: str) -> Any:
    """Returns the transposed tensor, even if that changes nothing. Raises ValueError for another number of axes."""
    rank = value.shape.ndims
    if rank != len(axes):
        raise ValueError(f"Tensor t{place} of rank {rank} does not match einsum reduction of length {len(axes)}")
    return v1.transpose(value, [axes.index(axis) for axis in order])


def _sizes(module: Any, value: Any, named: bool) -> list[Any]:
    """Returns the sizes of a tensor as numbers. Unknown sizes are scalar tensors, or -1 in 0.12."""
    if named:
        sizes: list[Any] = module._get_shape(value)
        return sizes
    return [-1 if size is None else size for size in value.shape.as_list()]


def _total(sizes: list[Any]) -> Any:
    """Returns the product of sizes, or -1 if one of them is -1."""
    return -1 if any(isinstance(size, int) and size < 0 for size in sizes) else math.prod(sizes)
