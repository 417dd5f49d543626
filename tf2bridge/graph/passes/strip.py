"""What a graph says of the machine and the run it was made for, taken out: that changes no number."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, copied
from tf2bridge.graph.new_nodes import waiting

GRADIENT_FUNCTION = "_tf2bridge_gradient"
"""The attribute by which a call says which function computes its gradient, "" where there is none to be had."""

_PLACEMENT = frozenset(("_class", "_output_shapes", GRADIENT_FUNCTION))
"""Attributes; the last is no graph's to say, as it names any function."""


def stripped(nodes: Nodes) -> Nodes:
    """Returns copies of the nodes without devices, colocation, stored shapes and assertions; constants as they are.

    Stored shapes may contradict this TensorFlow (`FusedBatchNorm`); an assertion becomes a `NoOp` that waits as it did.
    No pass changes a constant that waits for nothing, so that weights of a frozen graph need not be copied.
    """
    return {name: node if _is_bare_constant(node) else _stripped(node) for name, node in nodes.items()}


def _is_bare_constant(node: Any) -> bool:
    return node.op == "Const" and not (node.input or node.device) and _PLACEMENT.isdisjoint(node.attr)


def _stripped(node: Any) -> Any:
    if node.op == "Assert":
        return waiting(node.name, node.input)
    kept = copied(node)
    kept.ClearField("device")
    attributes = kept.attr
    for name in _PLACEMENT.intersection(attributes):
        del attributes[name]
    return kept


def without_shapes(graph_def: Any) -> Any:
    """A copy without the shapes that it says its tensors have: TensorFlow 2 infers others for some (batch norm)."""
    copy = type(graph_def)()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        node.attr.pop("_output_shapes", None)
    return copy
