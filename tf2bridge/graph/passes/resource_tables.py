"""Lookup tables: those of TensorFlow 0.x, with a reference to text for a handle, as those of 1.x, with a resource."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.lookup_operations import FILLED, FILLED_FROM_FILE, IMPORTS, LOOKUP_OPS, STATIC, TABLES
from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, op_of
from tf2bridge.graph.new_nodes import waiting
from tf2bridge.graph.passes.passing_ops import root, with_handles


def with_resource_tables(nodes: Nodes) -> Nodes:
    """Returns the nodes with the second versions of tables and of what uses them; changes them in place.

    A table becomes a mere handle, without inputs: a live one takes its place. An operation that fills one becomes a
    `NoOp`, as the live one is full.
    """
    using = [node for node in nodes.values() if node.op in LOOKUP_OPS]
    made = [node for node in using if node.op in TABLES]
    full = {node.name for node in using if _fills(nodes, node)}
    for node in made:
        node.input[:] = []
    for node in using:
        if node.name in full:
            nodes[node.name] = waiting(node.name, node.input)
        else:
            node.op = f"{node.op.removesuffix('V2')}V2"
    with_handles(nodes, [f"{node.name}:0" for node in made])
    return nodes


def _fills(nodes: Nodes, node: Any) -> bool:
    """Whether an operation gives a table what its live one has already."""
    if node.op in IMPORTS:
        return op_of(nodes, root(nodes, data_inputs(node)[0])) in STATIC
    return node.op in (*FILLED, *FILLED_FROM_FILE)
