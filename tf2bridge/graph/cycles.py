"""Finds cycles of operations that only pass a value on: a search for the value's origin would never end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tf2bridge.formats.graphs.nodes import data_inputs, node_of
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.graph.passes.frames import ENTER, EXIT, MERGE, NEXT, SWITCH

_PASSING = frozenset(
    (
        *("Identity", "RefIdentity", "Reshape", "Squeeze", "ExpandDims", "Cast", "StopGradient"),
        *(*ENTER, *EXIT, *SWITCH, *MERGE, *NEXT),
    )
)


def check(path: Path, graph_def: Any) -> None:
    """Raises DamagedGraphError if passing operations form a cycle that no other operation feeds."""
    for nodes in (graph_def.node, *(function.node_def for function in graph_def.library.function)):
        passing = {node.name: node for node in nodes if node.op in _PASSING}
        sources = {name: _source(node, passing) for name, node in passing.items()}
        if name := _in_a_circle(sources):
            raise DamagedGraphError(path, f"the node {name} passes on what it is given by itself")


def _source(node: Any, passing: dict[str, Any]) -> str:
    """Returns the node whose value is passed on; for the merge of a loop, the node of the initial value."""
    names = [node_of(source) for source in data_inputs(node)]
    if node.op in MERGE:
        names = [name for name in names if name not in passing or passing[name].op not in NEXT]
    return names[0] if names else ""


def _in_a_circle(sources: dict[str, str]) -> str:
    """Returns a name on a cycle, or "" if there is none. Each name is visited once."""
    done: set[str] = set()
    for first in sources:
        chain: dict[str, None] = {}
        name = first
        while name in sources and name not in done:
            if name in chain:
                return name
            chain[name] = None
            name = sources[name]
        done.update(chain)
    return ""
