"""The values that a graph holds: its constants, most of which were variables before the graph was frozen."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import data_inputs, node_of
from tf2bridge.proof.comparing.sides import Value

_READS = ("/read", "/ReadVariableOp")
"""How the names of what reads a variable end: convert_variables_to_constants leaves it between a constant and its users
(python/ops/variables.py, python/framework/graph_util_impl.py)."""


def constants_of(graph: LegacyGraph) -> dict[str, Value]:
    """Returns name of a node -> its constant, in the order of the graph. Others than variables are incidental.

    Reading one imports TensorFlow.
    """
    nodes = {node.name: node for node in graph.graph_def.node if node.op == "Const"}
    read = {
        node_of(data_inputs(node)[0])
        for node in graph.graph_def.node
        if node.op == "Identity" and node.name.endswith(_READS)
    }
    return {name: Value(name, partial(_value, node), incidental=name not in read) for name, node in nodes.items()}


def _value(node: Any) -> np.ndarray[Any, Any]:
    from tf2bridge.graph.new_nodes import value_of

    return value_of(node)
