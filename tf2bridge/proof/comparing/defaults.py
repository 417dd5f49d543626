"""Defaults of placeholders: a call that feeds a placeholder its default is the same call as one that feeds nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf2bridge.formats.graphs.nodes import Nodes, by_name, data_inputs, node_of
from tf2bridge.formats.messages import own
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord


class Defaults:
    """The placeholders with constant defaults of a recorded program."""

    def __init__(self, recorded: Trace) -> None:
        self._recorded = recorded
        self._of_graphs: dict[int, dict[str, np.ndarray[Any, Any]]] = {}

    def unfed(self, call: CallRecord) -> list[np.ndarray[Any, Any]]:
        """Returns the defaults of the placeholders that a call did not feed. Reading one imports TensorFlow."""
        if call.graph not in self._of_graphs:
            nodes = by_name(own("GraphDef").FromString(self._recorded.graph_def(call.graph)).node)
            self._of_graphs[call.graph] = _defaults(nodes)
        fed = {node_of(leaf.name) for leaf in call.feeds}
        return [value for name, value in self._of_graphs[call.graph].items() if name not in fed]


def is_default(fed: np.ndarray[Any, Any], default: np.ndarray[Any, Any]) -> bool:
    """Returns whether a fed value, which gets the type of the placeholder, is its default."""
    is_alike = np.can_cast(fed.dtype, default.dtype, "same_kind") and fed.shape == default.shape
    return is_alike and bool(np.array_equal(fed.astype(default.dtype), default))


def _defaults(nodes: Nodes) -> dict[str, np.ndarray[Any, Any]]:
    from tf2bridge.graph.new_nodes import value_of

    made: dict[str, np.ndarray[Any, Any]] = {}
    for name, node in nodes.items():
        source = nodes.get(node_of(data_inputs(node)[0])) if str(node.op) == "PlaceholderWithDefault" else None
        if source is not None and str(source.op) == "Const":
            made[name] = value_of(source)
    return made
