"""Finds what fills the lookup tables of a graph: operations, computed keys and values, tensors of a checkpoint."""

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
FILLING = frozenset((*FILLED, *FILLED_FROM_FILE, *IMPORTS))
"""The operations that fill a table."""
Filler = Any
"""The NodeDef of an operation that fills a table."""


def fillers(nodes: Mapping[str, Any]) -> dict[str, Filler]:
    """Returns table node name -> the first operation that fills the table: a table is filled only once."""
    fillers_by_table: dict[str, Filler] = {}
    for node in nodes.values():
        if node.op in FILLING:
            table = node_of(root(nodes, data_inputs(node)[0]))
            if op_of(nodes, table) in (STATIC if node.op in IMPORTS else TABLES):
                fillers_by_table.setdefault(table, node)
    return fillers_by_table


def computed(graph_def: Any, name: str, endpoints: Sequence[str]) -> list[Any]:
    """Computes endpoints from the graph alone, and returns their values.

    Args:
        graph_def: the graph.
        name: the node that is filled with these values; errors name it.
        endpoints: the endpoints to compute.

    Raises:
        TableContentError: the endpoints need a variable, an input, a file or Python.
        EndlessError: the computation takes too long.
    """
    nodes = by_name(graph_def.node)
    wanted = [nodes[node_name] for node_name in needed(nodes, map(node_of, endpoints))]
    if touches := refused(wanted, graph_def.library):
        raise TableContentError(name, f"it is computed by {', '.join(map(str, touches))}")
    part = type(graph_def)(versions=graph_def.versions)
    part.node.extend(wanted)
    part.library.CopyFrom(without_unused(by_name(wanted), graph_def.library))
    try:
        with tf.Graph().as_default() as graph:
            tensors = tf.graph_util.import_graph_def(part, return_elements=list(endpoints), name="")
            with v1.Session(graph=graph) as session:
                return list(Limit().run(session, tensors))
    except (tf.errors.OpError, ValueError) as error:
        raise TableContentError(name, str(error).splitlines()[0]) from error


def saved_as(nodes: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Returns mutable table node name -> names of its keys and values in a checkpoint, as its Saver restores them."""
    names_by_table = {}
    for node in nodes.values():
        if node.op in IMPORTS:
            table, *sources = data_inputs(node)
            if names := [name for source in sources if (name := _restored(nodes, source))]:
                names_by_table[node_of(root(nodes, table))] = names[0], names[-1]
    return names_by_table


def from_checkpoint(checkpoint: str | Path, names: Sequence[str]) -> list[Any]:
    """Reads the named tensors of a checkpoint. Raises MissingValuesError, and what `open_checkpoint` raises."""
    with open_checkpoint(checkpoint) as stored:
        if missing := [name for name in names if name not in stored]:
            raise MissingValuesError(checkpoint, missing, stored)
        return [stored[name] for name in names]


def _restored(nodes: Mapping[str, Any], source: str) -> str:
    """Returns the name of the checkpoint tensor that an endpoint restores, or "" if it restores none."""
    source = root(nodes, source)
    node = nodes[node_of(source)]
    if not node.op.startswith("Restore"):
        return ""
    names = nodes[node_of(data_inputs(node)[1])]
    place = int(source.rpartition(":")[2]) if node.op == "RestoreV2" else 0
    return text_at(names, place) if names.op == "Const" else ""
