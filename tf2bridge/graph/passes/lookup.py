"""Lookup tables: those of TensorFlow 0.x, with a reference to text for a handle, as those of 1.x, with a resource."""

from __future__ import annotations

from typing import Any

from tensorflow.core.framework import types_pb2

from tf2bridge.graph.lookup_ops import FILLED, FILLED_FROM_FILE, IMPORTS, STATIC, TABLES, USES
from tf2bridge.graph.nodes import Nodes, data_inputs, is_control, node_of, op_of
from tf2bridge.graph.passes.edges import reached, retyped, root


def with_resource_tables(nodes: Nodes) -> Nodes:
    """Returns the nodes with the second versions of tables and of what uses them; changes them in place.

    A table becomes a mere handle, without inputs: a live one takes its place. An operation that fills one becomes a
    `NoOp`, as the live one is full.
    """
    made = [f"{name}:0" for name, node in nodes.items() if node.op in TABLES]
    full = {name for name, node in nodes.items() if _fills(nodes, node)}
    for node in nodes.values():
        if node.op in TABLES:
            node.input[:] = []
        if node.name in full:
            node.op = "NoOp"
            node.attr.clear()
            node.input[:] = sorted({each if is_control(each) else f"^{node_of(each)}" for each in node.input})
        elif node.op in TABLES or node.op in USES:
            node.op = f"{node.op.removesuffix('V2')}V2"
    handles = reached(nodes, made)
    for source in handles:
        node = nodes[source.rpartition(":")[0]]
        node.op = node.op.removeprefix("Ref")
    retyped(nodes, handles, types_pb2.DT_RESOURCE)
    return nodes


def _fills(nodes: Nodes, node: Any) -> bool:
    """Whether an operation gives a table what its live one has already."""
    if node.op in IMPORTS:
        return op_of(nodes, root(nodes, data_inputs(node)[0])) in STATIC
    return node.op in (*FILLED, *FILLED_FROM_FILE)
