"""Shapes of inputs that a graph leaves open, as 0.12 does for all, from the operations that take them."""

from __future__ import annotations

from tf2bridge.decompile.ir import Function, Node, Spec, Value, all_nodes


def with_shapes(function: Function) -> Function:
    """Returns the function, changed: a parameter of unknown rank has the shape that its users demand."""
    for node in all_nodes(function):
        for place, value in enumerate(node.inputs):
            if value.node in function.parameters and value.node.outputs[0].shape is None:
                shape = _demanded(node, place)
                if shape is not None:
                    value.node.outputs[0] = Spec(value.node.outputs[0].dtype, shape)
    return function


def _demanded(node: Node, place: int) -> tuple[int | None, ...] | None:
    """Returns the shape that an operation demands of an input, or None if it takes any."""
    if node.op == "MatMul":
        other = _shape(node.inputs[1 - place])
        if other is None:
            return (None, None)
        inner = other[_inner_axis(node, 1 - place)]
        return (None, inner) if _inner_axis(node, place) else (inner, None)
    if node.op in ("Conv2D", "DepthwiseConv2dNative") and place == 0:
        kernel, last = _shape(node.inputs[1]), node.attributes["data_format"] == "NHWC"
        channels = kernel[2] if kernel else None
        return (None, None, None, channels) if last else (None, channels, None, None)
    if node.op in ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"):
        other = _shape(node.inputs[1 - place])
        if node.op.startswith("Sparse"):
            return (None,) if place == 1 else (None, None)
        return (None, other[1] if other else None)
    return None


def _inner_axis(node: Node, place: int) -> int:
    """Returns the axis of a factor of a MatMul over which the product sums."""
    transposed: bool = node.attributes[("transpose_a", "transpose_b")[place]]
    return int((place == 0) != transposed)


def _shape(value: Value) -> tuple[int | None, ...] | None:
    shape = value.node.outputs[value.port].shape
    if shape is None and value.node.op == "ReadVariableOp":
        shape = value.node.inputs[0].node.outputs[0].shape
    return shape
