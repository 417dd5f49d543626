"""Converts lookup tables of TensorFlow 0.x, whose handles are string references, to the resource tables of 1.x."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.lookup_operations import FILLED, FILLED_FROM_FILE, IMPORTS, LOOKUP_OPS, STATIC, TABLES
from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, op_of
from tf2bridge.graph.new_nodes import waiting
from tf2bridge.graph.passes.passing_ops import root, with_handles


def with_resource_tables(nodes: Nodes) -> Nodes:
    """Converts tables and the operations that use them to their second versions, in place; returns the nodes.

    A table loses its inputs: a live table replaces it. An operation that fills a table becomes a `NoOp`, since the live
    table is filled already.
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
    """Returns whether an operation fills a table whose live table is filled already."""
    if node.op in IMPORTS:
        return op_of(nodes, root(nodes, data_inputs(node)[0])) in STATIC
    return node.op in (*FILLED, *FILLED_FROM_FILE)
