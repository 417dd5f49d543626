"""Gradients with the operations of older releases, where TensorFlow 2 needs fewer.

Gradients of broadcasting operations, of reductions and with changed formulas are in modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.seeds import broadcasting, counter, derivatives, reducing

Gradient = Callable[..., Any]


def gradients(release: str, family: str) -> dict[str, Gradient]:
    """Returns operation type -> gradient function `(op, gradient) -> gradients`, where a release differs.

    `family` is the release of `table.FAMILIES` whose gradients it has. 1.14 has the gradients of sums of 1.12
    (`_SumGrad`).
    """
    functions: dict[str, Gradient] = {
        **broadcasting.gradients(family),
        **reducing.gradients("1.12.3" if release == "1.14.0" else family),
        **derivatives.gradients(family),
    }
    functions["Reshape"] = _reshape
    functions["FusedBatchNorm"] = functions["FusedBatchNormV2"] = _normalized
    if family == "1.15.5":
        return {**functions, "FusedBatchNormV3": _normalized, "BatchMatMulV2": _batch_product}
    shortcut = family == "1.12.3"
    functions["Select"] = _select if shortcut else _compared_anew(6 if family == "1.4.1" else 5)
    functions["FusedBatchNormV3"] = _with_one_output_less
    if not shortcut:
        functions["SoftmaxCrossEntropyWithLogits"] = _entropy
    if family == "0.12.1":
        functions["ConcatV2"] = _concat
    return functions


def _reshape(op: Any, given: Any) -> Any:
    """Returns the gradient of a reshape.

    Up to 1.15 a shape with one unknown size was computed in the session; loops keep it.
    """
    from tf2bridge.internals.framework import ops
    from tf2bridge.internals.ops import array_ops

    return [array_ops.reshape(ops.convert_to_tensor(given), array_ops.shape(op.inputs[0])), None]


def _batch_product(op: Any, given: Any) -> Any:
    """In 1.15 gradients are summed over the batch axes unless both whole shapes are equal, not only the batch sizes."""
    from tf2bridge.internals.framework import ops
    from tf2bridge.internals.ops import array_ops, gen_array_ops, math_ops

    grads = ops.gradient_registry.lookup(op.type)(op, given)
    x, y = op.inputs[0], op.inputs[1]
    if grads[0].op.type == "Reshape" or (x.shape.is_fully_defined() and x.shape == y.shape):
        return grads
    shapes = array_ops.shape(x), array_ops.shape(y)
    axes = gen_array_ops.broadcast_gradient_args(*(shape[:-2] for shape in shapes))
    triples = zip(grads, axes, shapes, strict=True)
    return [array_ops.reshape(math_ops.reduce_sum(gradient, axis), shape) for gradient, axis, shape in triples]


def _normalized(op: Any, *given: Any) -> Any:
    """Up to 1.15 mean and variance have gradients in training, too. They are empty, as are these inputs."""
    from tf2bridge.internals.framework import ops

    grads = ops.gradient_registry.lookup(op.type)(op, *given)
    if not op.get_attr("is_training"):
        return grads
    if all(value.shape.num_elements() == 0 for value in op.inputs[3:5]):
        return [*grads[:3], *grads[0].op.outputs[3:5]]
    counter.of(op.graph).correction += 2  # their copies, which optimizers make so that all gradients wait for all
    return grads


def _with_one_output_less(op: Any, *given: Any) -> Any:
    """Up to 1.12 the operation had five outputs. So no zeros were made for the gradient of the sixth."""
    counter.of(op.graph).correction -= 1
    return _normalized(op, *given)


def _select(op: Any, given: Any) -> Any:
    from tf2bridge.internals.ops import array_ops

    condition, x, _ = op.inputs
    zeros = array_ops.zeros_like(x)
    return None, array_ops.where(condition, given, zeros), array_ops.where(condition, zeros, given)


def _compared_anew(kept: int) -> Gradient:
    """Up to 1.4 dynamic_rnn compared the lengths again for each value, and each loop kept each comparison.

    This takes `kept` operations. TensorFlow 2 compares once.
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
    from tf2bridge.internals.framework import ops
    from tf2bridge.internals.ops import array_ops

    if of_gradient is not None and of_gradient.op.type not in ("ZerosLike", "Zeros"):
        return ops.gradient_registry.lookup(op.type)(op, given, of_gradient)
    return array_ops.expand_dims(given, -1) * op.outputs[1], None


def _concat(op: Any, given: Any) -> Any:
    """Returns the gradient of a concatenation as in 0.12.

    0.12 used the axis without a conversion, and computed the shapes of all parts at once unless the first ones were
    static.
    """
    from tf2bridge.internals.framework import ops
    from tf2bridge.internals.ops import array_ops, gen_array_ops

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
