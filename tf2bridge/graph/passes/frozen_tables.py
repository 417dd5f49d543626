"""The content of lookup tables put into a frozen graph, which else would lose what fills them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.formats.graphs.lookup_operations import STATIC, TABLES
from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.new_nodes import constant, waiting
from tf2bridge.graph.refusals import NotExportableError
from tf2bridge.internals.protos import node_def_pb2

INITIALIZER = "init_all_tables"
"""The operation that fills all tables, under the name it had in TF 1.x: a session of the frozen graph runs it first."""


def with_filled_tables(nodes: Nodes, content: Callable[[str], tuple[Any, Any]]) -> Nodes:
    """Returns the nodes, and for each static table an operation that fills it; `content(name)` gives keys and values.

    Raises NotExportableError for tables that change: a frozen graph has no state.
    """
    tables = [node for node in nodes.values() if node.op in TABLES]
    if changing := [f"{node.name} ({node.op}) is a table that changes" for node in tables if node.op not in STATIC]:
        raise NotExportableError(changing)
    found = dict(nodes)
    filled = []
    for node in tables:
        keys, values = (constant(f"{node.name}/{what}", each) for what, each in _named(*content(node.name)))
        inputs = [node.name, keys.name, values.name]
        fill = node_def_pb2.NodeDef(name=f"{node.name}/fill", op=_filler(node.op), input=inputs)
        fill.attr["Tkey"].type, fill.attr["Tval"].type = keys.attr["dtype"].type, values.attr["dtype"].type
        found |= {each.name: each for each in (keys, values, fill)}
        filled.append(fill.name)
    if filled:
        found[INITIALIZER] = waiting(INITIALIZER, filled)
    return found


def _named(keys: Any, values: Any) -> tuple[tuple[str, Any], tuple[str, Any]]:
    return ("keys", keys), ("values", values)


def _filler(op: str) -> str:
    return "InitializeTableV2" if op.endswith("V2") else "InitializeTable"
