"""Calls of the recurrent layers of Keras in place of cells."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from tf2bridge.decompile.idioms.cells import Cell
from tf2bridge.decompile.idioms.layer import Layer, dtype_keyword, layer_node
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.idioms.rule import shape_of
from tf2bridge.decompile.ir import Kind, Node, Spec, Value


def recurrent_layer(
    node: Node,
    cell: Cell,
    x: Value,
    start: Sequence[Value],
    states: Sequence[Spec],
    is_whole: bool,
    mask: Value | None = None,
) -> Node:
    """Returns the call of the layer of a cell: its results, then its states, if they are asked for.

    Args:
        node: The node that the call belongs beside.
        cell: The cell.
        x: The sequence that the layer takes, with rows as the first axis.
        start: The states at the start; none for zeros.
        states: What is known of each state at the end; empty if the layer does not give them.
        is_whole: The layer gives the results of all steps instead of that of the last one.
        mask: Which steps are valid, or None for all.
    """
    flags = {"return_sequences": is_whole, "return_state": states, "zero_output_for_mask": is_whole and mask}
    keywords = (*((name, True) for name, flag in flags.items() if flag), *cell.options, *dtype_keyword(cell.kernel))
    layer = Layer(cell.layer, (cell.made_with or cell.units,), cell.weights, keywords, cell.scope)
    call, inputs = _call([x], {"mask": mask}, start)
    shape = shape_of(x)
    sizes = None if shape is None else (*shape[: 2 if is_whole else 1], cell.units)
    called = layer_node(node, layer, inputs, call, [Spec(x.spec.dtype, sizes), *states])
    called.name = f"{cell.scope}/{cell.kind.lower()}"
    return called


def valid_steps(node: Node, lengths: Value, x: Value, steps: int | None) -> Value:
    """Returns which steps of each row of a sequence are valid.

    Args:
        node: The node that the steps are beside.
        lengths: How many steps of each row are valid.
        x: The sequence, with rows as the first axis.
        steps: How many steps it has, if that is known.
    """
    rows = shape_of(lengths)
    spec = Spec(tf.bool, (rows[0] if rows else None, steps))
    given = "_0" if rows else "tf.ensure_shape(_0, [None])"
    template = f"tf.sequence_mask({given}, {'tf.shape(_1)[1]' if steps is None else steps})"
    inputs = [lengths, x] if steps is None else [lengths]
    numbers = f"keras.ops.arange({'keras.ops.shape(_1)[1]' if steps is None else steps})"
    attributes = {"template": template, "keras template": f"{numbers} < keras.ops.expand_dims(_0, 1)"}
    return Value(Node(f"{node.name}/mask", Kind.EXPRESSION, inputs, attributes, [spec], node.owner), 0)


def is_zero(value: Value) -> bool:
    """Returns True if a value is zeros in any case."""
    if value.node.op == "Const":
        return not value.node.attributes["value"].any()
    return match(value, "Fill(shape, 0)") is not None


def _call(inputs: list[Value], named: dict[str, Value | None], start: Sequence[Value]) -> tuple[str, list[Value]]:
    """Returns the template of a call and its inputs, with those that have names, and with the states at the start."""
    arguments = [f"_{place}" for place in range(len(inputs))]
    for name, value in named.items():
        if value is not None:
            arguments.append(f"{name}=_{len(inputs)}")
            inputs = [*inputs, value]
    if start:
        states = ", ".join(f"_{len(inputs) + place}" for place in range(len(start)))
        arguments.append(f"initial_state=[{states}]")
    return f"_layer({', '.join(arguments)})", [*inputs, *start]
