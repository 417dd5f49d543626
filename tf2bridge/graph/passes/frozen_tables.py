"""Puts the content of lookup tables into a frozen graph, which would otherwise lose it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.formats.graphs.lookup_operations import STATIC, TABLES
from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.new_nodes import constant, waiting
from tf2bridge.graph.refusals import NotExportableError
from tf2bridge.internals.protos import node_def_pb2

INITIALIZER = "init_all_tables"
"""The operation that fills all tables, named as in TF 1.x. A session of the frozen graph runs it first."""


def with_filled_tables(nodes: Nodes, content: Callable[[str], tuple[Any, Any]]) -> Nodes:
    """Returns the nodes, and an operation for each static table that fills it.

    Args:
        nodes: the nodes of the frozen graph.
        content: returns the keys and values of the table with a node name.

    Raises:
        NotExportableError: a table changes, and a frozen graph has no state.
    """
    tables = [node for node in nodes.values() if node.op in TABLES]
    if changing := [f"{node.name} ({node.op}) is a table that changes" for node in tables if node.op not in STATIC]:
        raise NotExportableError(changing)
    result = dict(nodes)
    filled = []
    for node in tables:
        key_values, table_values = content(node.name)
        keys, values = constant(f"{node.name}/keys", key_values), constant(f"{node.name}/values", table_values)
        inputs = [node.name, keys.name, values.name]
        fill = node_def_pb2.NodeDef(name=f"{node.name}/fill", op=_filler(node.op), input=inputs)
        fill.attr["Tkey"].type, fill.attr["Tval"].type = keys.attr["dtype"].type, values.attr["dtype"].type
        result |= {added.name: added for added in (keys, values, fill)}
        filled.append(fill.name)
    if filled:
        result[INITIALIZER] = waiting(INITIALIZER, filled)
    return result


def _filler(op: str) -> str:
    return "InitializeTableV2" if op.endswith("V2") else "InitializeTable"
