"""A graph in the way of Keras: without lists, with shapes in Python, and operations that several functions compute."""

from __future__ import annotations

from collections.abc import Mapping

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import shortest
from tf2bridge.decompile.inferred_shapes import with_inferred_shapes
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value, all_nodes, array_of, replace, uses
from tf2bridge.decompile.keras_calls import NEEDS_TENSORFLOW, keras_literal, mark_open_ranks
from tf2bridge.decompile.keras_forms import TYPES
from tf2bridge.decompile.lists import with_shapes_of_loops, without_lists
from tf2bridge.decompile.python_sizes import with_sizes

_REDUCTIONS = ("Sum", "Mean", "Prod", "Max", "Min")
_BATCH_NORM = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")


def in_keras_ops(function: Function, of_any_rank: bool = False) -> Function:
    """Returns the function, changed: what Keras computes in another way than TensorFlow is written in its way.

    Args:
        function: The function.
        of_any_rank: Functions of Keras also take tensors whose rank is not known: TensorFlow does not trace the model.
    """
    with_inferred_shapes(function, function.parameters)
    function = with_sizes(without_lists(with_shapes_of_loops(function)), of_any_rank)
    if not of_any_rank:
        mark_open_ranks(function)
    return _with_keras_parts(function)


def _with_keras_parts(function: Function) -> Function:
    """Returns the function, changed: operations without a form of their own in Keras are expressions of several."""
    used = uses(function)
    replacements: dict[Value, Value] = {}
    for node in all_nodes(function):
        if node.after or node.attributes.get(NEEDS_TENSORFLOW):
            continue
        if node.op == "IdentityN":
            replacements |= {Value(node, port): value for port, value in enumerate(node.inputs)}
        elif node.op in _REDUCTIONS and _is_over_nothing(node):
            replacements[Value(node, 0)] = node.inputs[0]
        elif node.op in _PARTS:
            replacements |= _PARTS[node.op](node)
        elif node.op in _BATCH_NORM and not any(Value(node, port) in used for port in range(2, len(node.outputs))):
            replacements |= _batch_norm(node)
    replace(function, replacements)
    return function


def _is_over_nothing(node: Node) -> bool:
    axes = array_of(node.inputs[1])
    return axes is not None and not axes.size


def _select(node: Node) -> Mapping[Value, Value]:
    """A condition of rank 1 chooses rows, also of tensors of a higher rank."""
    condition, first, second = (value.spec.shape for value in node.inputs)
    if condition is None or first is None or second is None or len(first) != len(second):
        return {}
    if len(condition) in (0, len(first)):
        template = "keras.ops.where(_0, _1, _2)"
    else:
        rows = keras_literal([-1, *[1] * (len(first) - 1)])
        template = f"keras.ops.where(keras.ops.reshape(_0, {rows}), _1, _2)"
    return {Value(node, 0): _expression(node, template, node.inputs, node.outputs[0])}


def _batch_norm(node: Node) -> Mapping[Value, Value]:
    """By moving averages, or by the moments of the batch."""
    x, scale, offset, mean, variance = node.inputs
    shape = x.spec.shape
    if node.attributes["data_format"] != "NHWC" or shape is None or x.spec.dtype != scale.spec.dtype:
        return {}
    results = {}
    if node.attributes["is_training"]:
        axes = keras_literal(list(range(len(shape) - 1)))
        mean, variance = (
            _expression(node, f"keras.ops.{moment}(_0, axis={axes})", [x], node.outputs[port])
            for port, moment in ((1, "mean"), (2, "var"))
        )
        results[Value(node, 1)] = mean
    epsilon = literal(shortest(node.attributes["epsilon"]))
    template = f"keras.ops.batch_normalization(_0, _1, _2, -1, _3, _4, {epsilon})"
    inputs = [x, mean, variance, offset, scale]
    return {Value(node, 0): _expression(node, template, inputs, node.outputs[0]), **results}


def _element(node: Node) -> Mapping[Value, Value]:
    """Returns the element `x[number]` along the first axis, whose number is computed."""
    x, begin, _, _ = node.inputs
    masks = [node.attributes[f"{name}_mask"] for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")]
    packed = begin.node
    if x.spec.shape is None or masks != [0, 0, 0, 0, 1] or packed.op != "Pack" or len(packed.inputs) != 1:
        return {}
    return {Value(node, 0): _expression(node, "keras.ops.take(_0, _1, axis=0)", [x, packed.inputs[0]], node.outputs[0])}


def _reversed(node: Node) -> Mapping[Value, Value]:
    """Rows whose first steps, a number for each row, are in the opposite order."""
    x, lengths = node.inputs
    shape, time, batch = x.spec.shape, node.attributes["seq_dim"], node.attributes["batch_dim"]
    if shape is None or lengths.spec.shape is None or {time, batch} != {0, 1}:
        return {}
    spec = Spec(lengths.spec.dtype, (None, None))
    counts = _expression(node, f"keras.ops.expand_dims(_0, {time})", [lengths], spec)
    numbers = f"keras.ops.arange(keras.ops.shape(_0)[{time}], dtype={spec.dtype.name!r})"
    steps = _expression(node, f"keras.ops.expand_dims({numbers}, {batch})", [x], spec)
    sources = _expression(node, "keras.ops.where(_0 < _1, _1 - 1 - _0, _0)", [steps, counts], spec)
    further = f"[{', '.join(['...', *['None'] * (len(shape) - 2)])}]" if len(shape) > 2 else ""
    template = f"keras.ops.take_along_axis(_0, _1{further}, axis={time})"
    return {Value(node, 0): _expression(node, template, [x, sources], node.outputs[0])}


def _flipped(node: Node) -> Mapping[Value, Value]:
    """Along one axis after the other: `flip` takes one alone in Keras 3.12."""
    axes = array_of(node.inputs[1])
    if axes is None or node.inputs[0].spec.dtype.name not in TYPES:
        return {}
    template = "_0"
    for axis in axes.tolist():
        template = f"keras.ops.flip({template}, axis={axis})"
    return {Value(node, 0): _expression(node, template, node.inputs[:1], node.outputs[0])}


_PARTS = {"Select": _select, "StridedSlice": _element, "ReverseSequence": _reversed, "ReverseV2": _flipped}
"""Type of a node -> the function that gives its value in the way of Keras, or nothing."""


def _expression(node: Node, template: str, inputs: list[Value], spec: Spec) -> Value:
    return Value(Node(node.name, Kind.EXPRESSION, inputs, {"template": template}, [spec], node.owner), 0)
