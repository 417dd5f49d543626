"""Dropout of each step of a sequence at one rate, which is dropout of the sequence: each number is drawn by itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from tf2bridge.decompile.ir import Kind, Node, Value, array_of

_DROPOUT = "tf.nn.dropout(_0, "


class Dropout(NamedTuple):
    """How numbers are dropped: the template of the call, and what tells the rates that it takes from others."""

    template: str
    rates: tuple[Hashable, ...]


def undropped(value: Value) -> tuple[Value, Dropout | None]:
    """Returns what numbers are dropped of, and how; the value itself and None if it is no dropout of each number."""
    node = value.node
    template = node.attributes.get("template", "") if node.op == Kind.EXPRESSION else ""
    if not template.startswith(_DROPOUT) or "noise_shape" in template:
        return value, None
    return node.inputs[0], Dropout(template, tuple(map(_rate, node.inputs[1:])))


def _rate(value: Value) -> Hashable:
    """Returns what rates have in common that are the same: each step has a node of its own for 1 - keep_prob."""
    array = array_of(value)
    if array is not None:
        return array.dtype.name, array.shape, array.tobytes()
    return (value.node.op, *map(_rate, value.node.inputs)) if value.node.op == "Sub" else value


def undropped_steps(values: Sequence[Value]) -> tuple[list[Value], Value | None] | None:
    """Returns what is dropped at each step, and one of the dropouts if there are any; None if they differ."""
    pairs = [undropped(value) for value in values]
    if len({dropout for _, dropout in pairs}) != 1:
        return None
    return [value for value, _ in pairs], values[0] if pairs[0][1] else None


def dropped(sequence: Value, like: Value | None) -> Value:
    """Returns a sequence whose numbers are dropped as those of a step; the sequence itself without one."""
    if like is None:
        return sequence
    step, owner = like.node, sequence.node.owner
    inputs = [sequence, *step.inputs[1:]]
    return Value(Node(step.name, Kind.EXPRESSION, inputs, dict(step.attributes), [sequence.spec], owner), 0)
