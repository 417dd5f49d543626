"""Gradients with the operations of older releases, where TensorFlow 2 finds shorter ways.

Up to 1.12 the gradient of a broadcast operation was summed and reshaped whatever the shapes, but for equal static ones
since 1.5. Inside loops the number of operations also depends on which forward values were kept before, so these
gradients are built as they were, not only counted. The formulas are those of the derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.v1.seeds import counter

Gradient = Callable[..., Any]

_BINARY = ("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv")


def gradients(release: str) -> dict[str, Gradient]:
    """Returns operation type -> gradient function `(op, gradient) -> gradients`, for what `release` did otherwise."""
    if release == "1.15.5":
        return {"FusedBatchNormV3": _normalized}
    shortcut = release == "1.12.3"
    found = {kind: _broadcast(kind.removesuffix("V2"), shortcut) for kind in _BINARY}
    found["Select"] = _select if shortcut else _compared_anew(6 if release == "1.4.1" else 5)
    found["FusedBatchNormV3"] = _with_one_output_less
    found["SquaredDifference"] = _squared_difference
    found["DivNoNan"] = _of_safe_division
    if not shortcut:
        found["SoftmaxCrossEntropyWithLogits"] = _entropy
    if release == "0.12.1":
        found["ConcatV2"] = _concat
    return found


def _broadcast(kind: str, shortcut: bool) -> Gradient:
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, gen_array_ops, math_ops

    parts = {"Add": _add, "Sub": _sub, "Mul": _mul, "Div": _div, "RealDiv": _div}[kind]

    def gradient(op: Any, given: Any) -> Any:
        x, y = op.inputs[0], op.inputs[1]
        if shortcut and kind in ("Add", "Sub", "Mul") and _alike(x, y, given, kind):
            return parts(x, y, given)
        shapes = array_ops.shape(x), array_ops.shape(y)
        axes = gen_array_ops.broadcast_gradient_args(*shapes)
        if kind == "Sub":
            first, second = given, given
        else:
            first, second = parts(math_ops.conj(x), math_ops.conj(y), ops.convert_to_tensor(given))
        first, second = math_ops.reduce_sum(first, axes[0]), math_ops.reduce_sum(second, axes[1])
        second = -second if kind == "Sub" else second
        return array_ops.reshape(first, shapes[0]), array_ops.reshape(second, shapes[1])

    return gradient


def _alike(x: Any, y: Any, given: Any, kind: str) -> bool:
    """Says whether all three shapes are static and equal, where the release took the short way."""
    if kind == "Mul" and given.dtype.base_dtype.name not in ("int32", "float32"):
        return False
    shape = x.shape
    known = all(one.is_fully_defined() for one in (shape, y.shape, given.shape))
    return known and not hasattr(given, "dense_shape") and bool(shape == y.shape == given.shape)


def _add(_x: Any, _y: Any, given: Any) -> tuple[Any, Any]:
    return given, given


def _sub(_x: Any, _y: Any, given: Any) -> tuple[Any, Any]:
    return given, -given


def _mul(x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    return given * y, x * given


def _div(x: Any, y: Any, given: Any) -> tuple[Any, Any]:
    from tensorflow.python.ops import math_ops

    return math_ops.div(given, y), given * math_ops.div(math_ops.div(-x, y), y)


def _squared_difference(op: Any, given: Any) -> Any:
    """As `_broadcast`, whatever the shapes."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, gen_array_ops, math_ops

    x, y = op.inputs[0], op.inputs[1]
    shapes = array_ops.shape(x), array_ops.shape(y)
    axes = gen_array_ops.broadcast_gradient_args(*shapes)
    with ops.control_dependencies([given]):
        by_x = math_ops.scalar_mul(2.0, given) * (x - y)
    first = array_ops.reshape(math_ops.reduce_sum(by_x, axes[0]), shapes[0])
    return first, -array_ops.reshape(math_ops.reduce_sum(by_x, axes[1]), shapes[1])


_OF_SAFE_DIVISION = 18
"""Operations of the gradients of a Select, 6, and of the division within, 12."""


def _of_safe_division(op: Any, given: Any) -> Any:
    """Up to 1.12 losses divided where the divisor was positive, and selected 0 elsewhere."""
    from tensorflow.python.framework import ops

    before = counter.virtual_count(op.graph)
    found = ops.gradient_registry.lookup(op.type)(op, given)
    counter.of(op.graph).correction += _OF_SAFE_DIVISION - (counter.virtual_count(op.graph) - before)
    return found


def _normalized(op: Any, *given: Any) -> Any:
    """Up to 1.15 mean and variance had gradients in training too, which are empty, as these inputs were there."""
    from tensorflow.python.framework import ops

    found = ops.gradient_registry.lookup(op.type)(op, *given)
    if not op.get_attr("is_training"):
        return found
    if all(value.shape.num_elements() == 0 for value in op.inputs[3:5]):
        return [*found[:3], *found[0].op.outputs[3:5]]
    counter.of(op.graph).correction += 2  # their copies, which optimizers make so that all gradients wait for all
    return found


def _with_one_output_less(op: Any, *given: Any) -> Any:
    """Up to 1.12 the operation had five outputs: the zeros that stand for the gradient of the sixth were not made."""
    counter.of(op.graph).correction -= 1
    return _normalized(op, *given)


def _select(op: Any, given: Any) -> Any:
    from tensorflow.python.ops import array_ops

    condition, x, _ = op.inputs
    zeros = array_ops.zeros_like(x)
    return None, array_ops.where(condition, given, zeros), array_ops.where(condition, zeros, given)


def _compared_anew(kept: int) -> Gradient:
    """Up to 1.4 dynamic_rnn compared the lengths for each value again, and each loop keeps each comparison.

    That takes `kept` operations: this TensorFlow compares once.
    """

    def gradient(op: Any, given: Any) -> Any:
        condition, seen = op.inputs[0].op, counter.of(op.graph).gradients
        if condition.type == "GreaterEqual" and condition._get_control_flow_context() is not None:
            counter.of(op.graph).correction += kept * (condition.name in seen)
            seen.add(condition.name)
        return _select(op, given)

    return gradient


def _entropy(op: Any, given: Any, of_gradient: Any) -> Any:
    """Up to 1.4 labels had no gradient."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops

    if of_gradient is not None and of_gradient.op.type not in ("ZerosLike", "Zeros"):
        return ops.gradient_registry.lookup(op.type)(op, given, of_gradient)
    return array_ops.expand_dims(given, -1) * op.outputs[1], None


def _concat(op: Any, given: Any) -> Any:
    """0.12 took the axis as it was, and the shapes of all parts at once unless the first ones were static."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, gen_array_ops

    if len(op.inputs) == 2:
        return [given, None]
    if hasattr(given, "dense_shape"):
        return ops.gradient_registry.lookup(op.type)(op, given)
    parts, sizes = op.inputs[:-1], []
    for part in parts:
        sizes.append(array_ops.shape(part))
        if sizes[-1].op.type != "Const":
            sizes = array_ops.shape_n(parts)
            break
    offsets = gen_array_ops.concat_offset(op.inputs[-1], sizes)
    return [*(array_ops.slice(given, begin, size) for begin, size in zip(offsets, sizes, strict=True)), None]
