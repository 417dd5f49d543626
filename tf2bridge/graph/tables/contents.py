"""What the tables of a graph hold: which operation fills each, with what, and where a checkpoint has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.graphs.audit import refused
from tf2bridge.formats.graphs.lookup_operations import FILLED, FILLED_FROM_FILE, IMPORTS, STATIC, TABLES
from tf2bridge.formats.graphs.nodes import by_name, data_inputs, needed, node_of, op_of
from tf2bridge.graph.passes.function_names import without_unused
from tf2bridge.graph.passes.passing_ops import root
from tf2bridge.graph.refusals import MissingValuesError, TableContentError
from tf2bridge.graph.time_limit import Limit
from tf2bridge.graph.variable_values import text_at

v1 = tf.compat.v1
_FILLING = frozenset((*FILLED, *FILLED_FROM_FILE, *IMPORTS))
Filler = Any
"""The NodeDef of an operation that fills a table."""


def fillers(nodes: Mapping[str, Any]) -> dict[str, Filler]:
    """Name of a table's node -> the operation that fills it; the first, as a table is filled but once."""
    found: dict[str, Filler] = {}
    for node in nodes.values():
        if node.op in _FILLING:
            table = node_of(root(nodes, data_inputs(node)[0]))
            if op_of(nodes, table) in (STATIC if node.op in IMPORTS else TABLES):
                found.setdefault(table, node)
    return found


def computed(graph_def: Any, name: str, endpoints: Sequence[str]) -> list[Any]:
    """Returns the values of endpoints that need nothing but the graph: what `name` is filled with.

    Raises TableContentError where they need a variable, an input, a file or Python, and EndlessError.
    """
    nodes = by_name(graph_def.node)
    wanted = [nodes[each] for each in needed(nodes, map(node_of, endpoints))]
    if found := refused(wanted, graph_def.library):
        raise TableContentError(name, f"it is computed by {', '.join(map(str, found))}")
    part = type(graph_def)(versions=graph_def.versions)
    part.node.extend(wanted)
    part.library.CopyFrom(without_unused(by_name(wanted), graph_def.library))
    try:
        with tf.Graph().as_default() as graph:
            found = tf.graph_util.import_graph_def(part, return_elements=list(endpoints), name="")
            with v1.Session(graph=graph) as session:
                return list(Limit().run(session, found))
    except (tf.errors.OpError, ValueError) as error:
        raise TableContentError(name, str(error).splitlines()[0]) from error


def saved_as(nodes: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Name of a mutable table's node -> the names of its keys and values in a checkpoint, as its Saver restores it."""
    found = {}
    for node in nodes.values():
        if node.op in IMPORTS:
            table, *sources = data_inputs(node)
            if names := [name for source in sources if (name := _restored(nodes, source))]:
                found[node_of(root(nodes, table))] = names[0], names[-1]
    return found


def from_checkpoint(checkpoint: str | Path, names: Sequence[str]) -> list[Any]:
    """Returns the tensors of these names. Raises MissingValuesError, and what `checkpoint.open` does."""
    with open_checkpoint(checkpoint) as held:
        if missing := [name for name in names if name not in held]:
            raise MissingValuesError(checkpoint, missing, held)
        return [held[name] for name in names]


def _restored(nodes: Mapping[str, Any], source: str) -> str:
    """The name in a checkpoint of what an endpoint restores, "" where it restores nothing."""
    source = root(nodes, source)
    node = nodes[node_of(source)]
    if not node.op.startswith("Restore"):
        return ""
    names = nodes[node_of(data_inputs(node)[1])]
    place = int(source.rpartition(":")[2]) if node.op == "RestoreV2" else 0
    return text_at(names, place) if names.op == "Const" else ""
