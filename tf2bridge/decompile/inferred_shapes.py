"""Shapes that a graph leaves open though they follow from those of its inputs."""

from __future__ import annotations

from collections.abc import Iterable

import tensorflow as tf

from tf2bridge.decompile.ir import Function, Kind, Node, Spec, all_nodes
from tf2bridge.decompile.raw_calls import inferred_shapes
from tf2bridge.internals.framework import op_def_registry

Shape = tuple[int | None, ...] | None


def with_inferred_shapes(function: Function, known: Iterable[Node] = ()) -> Function:
    """Returns the function, changed: what follows values of unknown rank has all sizes that TensorFlow infers.

    The loaded graph hides the shape of some values from TensorFlow's optimizers.

    Args:
        function: The function.
        known: Nodes of which more is known by now.
    """
    changed = set(known)
    for node in all_nodes(function):
        has_ranks = all(spec.shape is not None for spec in node.outputs)
        if (not has_ranks or any(value.node in changed for value in node.inputs)) and _infer(node):
            changed.add(node)
    return function


def _infer(node: Node) -> bool:
    """Gives a node the shapes that follow from its inputs. Returns True if they say more than was known."""
    shapes = _inferred(node)
    before = list(node.outputs)
    for port, (spec, shape) in enumerate(zip(before, shapes, strict=False)):
        node.outputs[port] = Spec(spec.dtype, merged(spec.shape, shape))
    return node.outputs != before


def _inferred(node: Node) -> list[Shape]:
    """Returns the shapes that follow from a node's inputs; nothing if it has another kind."""
    if node.attributes.get("is_elementwise"):
        return [node.inputs[0].spec.shape]
    definition = op_def_registry.get(node.op)
    if definition is None or definition.is_stateful or not node.inputs or node.bodies:
        return []
    if any(value.node.op in (Kind.VARIABLE, Kind.TABLE) for value in node.inputs):
        return []
    try:
        shapes = inferred_shapes(node)
    except (tf.errors.OpError, TypeError, ValueError, AttributeError, NotImplementedError):
        return []
    return [None if shape.rank is None else tuple(shape) for shape in shapes]


def merged(first: Shape, second: Shape) -> Shape:
    """Returns all sizes that either shape has."""
    if first is None or second is None or len(first) != len(second):
        return second if first is None else first
    return tuple(other if size is None else size for size, other in zip(first, second, strict=True))
