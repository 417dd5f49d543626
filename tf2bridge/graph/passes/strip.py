"""Strip devices, colocation and stored shapes from nodes, which changes no number; or assertions from a graph."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, copied, node_lists, node_of
from tf2bridge.graph.new_nodes import waiting

GRADIENT_FUNCTION = "_tf2bridge_gradient"
"""The attribute of a call that names the function of its gradient, or "" if there is none."""

_PLACEMENT = frozenset(("_class", "_output_shapes", GRADIENT_FUNCTION))
"""The attributes to remove. A file must not set the last one, since it may name any function."""


def stripped(nodes: Nodes) -> Nodes:
    """Returns copies of the nodes without devices, colocation and stored shapes; constants as they are.

    Stored shapes may contradict this TensorFlow (`FusedBatchNorm`). Constants without inputs are not copied, since no
    pass changes them: they may be large weights.
    """
    return {name: node if _is_bare_constant(node) else _stripped(node) for name, node in nodes.items()}


def _is_bare_constant(node: Any) -> bool:
    return node.op == "Const" and not (node.input or node.device) and _PLACEMENT.isdisjoint(node.attr)


def _stripped(node: Any) -> Any:
    copy = copied(node)
    copy.ClearField("device")
    attributes = copy.attr
    for name in _PLACEMENT.intersection(attributes):
        del attributes[name]
    return copy


def without_shapes(graph_def: Any) -> Any:
    """Returns a copy of a GraphDef without stored shapes: TensorFlow 2 infers other ones for some, as in batch norm."""
    copy = type(graph_def)()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        node.attr.pop("_output_shapes", None)
    return copy


def without_assertions(graph_def: Any) -> Any:
    """Returns a copy of a GraphDef in which each `Assert`, also in functions, is a `NoOp` that waits for its inputs."""
    copy = type(graph_def)()
    copy.CopyFrom(graph_def)
    for nodes in node_lists(copy):
        names = {node.name for node in nodes}
        for node in nodes:
            if node.op == "Assert":
                sources = [source for source in node.input if node_of(source) in names]  # others are arguments
                node.CopyFrom(waiting(node.name, sources))
    return copy
