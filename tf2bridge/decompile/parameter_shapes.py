"""Shapes of inputs that a graph leaves open, as 0.12 does for all, from the operations that take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.dropout_inputs import kept_part
from tf2bridge.decompile.inferred_shapes import merged
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value, array_of

Shape = tuple[int | None, ...]
_SHAPE_STAYS = (
    *("Identity", "Relu", "Relu6", "Elu", "Selu", "Tanh", "Sigmoid", "Softplus", "Softsign", "Neg", "Abs", "Square"),
    *("Sqrt", "Exp", "Log", "Cast", "StopGradient"),
)
_RANKS = {"MaxPool": 4, "AvgPool": 4, "LRN": 4, "MaxPool3D": 5, "AvgPool3D": 5}
_BROADCAST = ("Add", "AddV2", "Sub", "Mul", "RealDiv", "Div", "Maximum", "Minimum")
_COMPARE = ("SquaredDifference", "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual")


def with_shapes(function: Function) -> Function:
    """Returns the function, changed: a parameter of unknown rank or sizes has the shape that its users demand."""
    unknown = [parameter for parameter in function.parameters if _is_open(parameter.outputs[0].shape)]
    demands = _demanded(function) if unknown else {}
    for parameter in unknown:
        dtype, shape = parameter.outputs[0]
        parameter.outputs[0] = Spec(dtype, merged(shape, demands.get(Value(parameter, 0))))
    return function


def likely_shapes(function: Function) -> dict[str, Shape]:
    """Returns the name of each parameter of unknown sizes -> a shape that its users take, though perhaps not alone.

    A factor is likely to have the sizes of the other one; it may have size 1, too. What is made rows of is likely to be
    made of rows of that size.
    """
    demands = _demanded(function, _likely)
    values = [Value(parameter, 0) for parameter in function.parameters if _is_open(parameter.outputs[0].shape)]
    shapes = {value.node.name: merged(value.spec.shape, demands[value]) for value in values if value in demands}
    return {name: shape for name, shape in shapes.items() if shape is not None}


def _is_open(shape: Shape | None) -> bool:
    return shape is None or None in shape


def _demanded(
    function: Function,
    more: Callable[[Node, Mapping[Value, Shape]], Iterable[tuple[int, Shape]]] = lambda _node, _demands: (),
) -> dict[Value, Shape]:
    """Returns value -> the shape that the nodes of a function demand of it.

    Args:
        function: The function.
        more: Gives further demands of a node, as `_demands`.
    """
    demands: dict[Value, Shape] = {}
    for node in reversed(list(_nodes_that_run(function))):
        of_inputs = ((node.inputs[place], shape) for place, shape in (*_demands(node, demands), *more(node, demands)))
        kept = kept_part(node)
        of_dropout: list[tuple[Value, Shape]] = [] if kept is None else [(kept, ())]
        for value, shape in (*of_inputs, *_of_labels(node), *of_dropout):
            demands[value] = merged(demands.get(value), shape) or shape
    return demands


def _likely(node: Node, demands: Mapping[Value, Shape]) -> Iterator[tuple[int, Shape]]:
    """Yields the number of an input of a node, and the shape that the input is likely to have."""
    if node.op in _BROADCAST or node.op in _COMPARE:
        shapes = [merged(_shape(value), demands.get(value)) for value in node.inputs]
        if any(shapes) and (None in shapes or len(shapes[0] or ()) == len(shapes[1] or ())):
            yield from ((place, shape) for place, shape in enumerate(reversed(shapes)) if shape is not None)
    elif node.op == "Reshape":
        given, result = _shape(node.inputs[0]), node.outputs[0].shape
        if given and result:
            is_alike = len(given) == len(result)
            yield 0, (None, *result[1:]) if is_alike else (*(None,) * (len(given) - 1), result[-1])


def _nodes_that_run(function: Function) -> Iterator[Node]:
    """Yields the nodes of a function and of its loops, but not those of branches, which may not run."""
    for node in function.nodes():
        yield node
        for body in node.bodies if node.op == Kind.WHILE else ():
            yield from _nodes_that_run(body)


def _demands(node: Node, demands: Mapping[Value, Shape]) -> Iterator[tuple[int, Shape]]:
    """Yields the number of an input of a node, and the shape that the input must have.

    Args:
        node: The node.
        demands: The shapes of values that later nodes demand.
    """
    if node.op == "MatMul":
        yield from ((place, demanded_of_factor(node, place)) for place in (0, 1))
    elif node.op in ("Conv2D", "DepthwiseConv2dNative"):
        kernel = _shape(node.inputs[1])
        channels = kernel[2] if kernel else None
        last = node.attributes["data_format"] == "NHWC"
        yield 0, ((None, None, None, channels) if last else (None, channels, None, None))
    elif node.op == "Conv3D":
        kernel = _shape(node.inputs[1])
        channels = kernel[3] if kernel else None
        last = node.attributes["data_format"] == "NDHWC"
        yield 0, ((*(None,) * 4, channels) if last else (None, channels, None, None, None))
    elif node.op in _RANKS:
        yield 0, (None,) * _RANKS[node.op]
    elif node.op == "SparseSoftmaxCrossEntropyWithLogits":
        yield from ((0, (None, None)), (1, (None,)))
    elif node.op == "SoftmaxCrossEntropyWithLogits":
        for place in (0, 1):
            other = _shape(node.inputs[1 - place])
            yield place, (None, other[1] if other else None)
    elif node.outputs:
        yield from _passed_back(node, demands)


def demanded_of_factor(node: Node, place: int) -> Shape:
    """Returns the shape that a MatMul demands of one of its factors."""
    other = _shape(node.inputs[1 - place])
    inner = other[_inner_axis(node, 1 - place)] if other else None
    return (None, inner) if _inner_axis(node, place) else (inner, None)


def _of_labels(node: Node) -> Iterator[tuple[Value, Shape]]:
    """Yields labels that a loss takes as rows, and their shape, which is that of its logits before they became rows."""
    if node.op == "SoftmaxCrossEntropyWithLogits":
        logits, labels = node.inputs
        shape = _shape(logits.node.inputs[0] if logits.node.op == "Reshape" else logits)
        if shape and labels.node.op == "Reshape":
            yield labels.node.inputs[0], (*(None,) * (len(shape) - 1), shape[-1])


def _passed_back(node: Node, demands: Mapping[Value, Shape]) -> Iterator[tuple[int, Shape]]:
    """Yields what a node whose result has a known shape demands of its inputs."""
    values = [Value(node, port) for port in range(len(node.outputs))]
    shapes = [merged(_shape(value), demands.get(value)) for value in values if value.spec.dtype != tf.variant]
    lists = [demands.get(value) for value in values if value.spec.dtype == tf.variant]
    result = next((shape for shape in [*shapes, *lists] if shape is not None), None)
    if result is None:
        if node.op == "Transpose" and (order := array_of(node.inputs[1])) is not None:
            yield 0, (None,) * order.size
        return
    if node.op in _SHAPE_STAYS:
        yield 0, result
    elif node.op in _BROADCAST:
        for place in (0, 1):
            other = _shape(node.inputs[1 - place])
            if other is not None and len(other) < len(result):  # then this one has the rank of the result
                aligned = (None,) * (len(result) - len(other)) + other
                yield place, tuple(size or _above_1(given) for size, given in zip(result, aligned, strict=True))
    elif node.op == "Split" and node.inputs[0].node.op == "Const":
        axis = int(node.inputs[0].node.attributes["value"]) % len(result)
        yield 1, (*result[:axis], None, *result[axis + 1 :])
    else:
        yield from _of_other_shape(node, result)


def _of_other_shape(node: Node, result: Shape) -> Iterator[tuple[int, Shape]]:
    """Yields as `_demands` for nodes whose result has another shape than what they take."""
    if node.op == "TensorListGetItem":  # of its list it demands the shape of the tensor that the list is made of
        yield 0, (None, *result)
    elif node.op == "TensorListFromTensor":
        yield 0, result
    elif node.op == "Unpack":
        axis = node.attributes["axis"] % (len(result) + 1)
        yield 0, (*result[:axis], len(node.outputs), *result[axis:])
    elif node.op == "Transpose" and (order := array_of(node.inputs[1])) is not None:
        yield 0, tuple(result[int(place)] for place in np.argsort(order))
    elif node.op == "ConcatV2" and (axis := array_of(node.inputs[-1])) is not None:
        yield from _concatenated(node, result, int(axis) % len(result))


def _concatenated(node: Node, result: Shape, axis: int) -> Iterator[tuple[int, Shape]]:
    """Yields as `_demands` what a concatenation demands of its only part of unknown rank."""
    shapes = [_shape(value) for value in node.inputs[:-1]]
    sizes = [shape[axis] for shape in shapes if shape is not None]
    if shapes.count(None) == 1:
        known = [size for size in sizes if size is not None]
        total = result[axis]
        size = total - sum(known) if total is not None and len(known) == len(sizes) else None
        yield shapes.index(None), (*result[:axis], size, *result[axis + 1 :])


def _above_1(size: int | None) -> int | None:
    return None if size == 1 else size


def _inner_axis(node: Node, place: int) -> int:
    """Returns the axis of a factor of a MatMul over which the product sums."""
    transposed: bool = node.attributes[("transpose_a", "transpose_b")[place]]
    return int((place == 0) != transposed)


def _shape(value: Value) -> Shape | None:
    node = value.node.inputs[0].node if value.node.op == "ReadVariableOp" else value.node
    return node.outputs[value.port].shape
