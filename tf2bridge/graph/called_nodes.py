"""Nodes that TensorFlow 2 writes into functions and TensorFlow 1 into the graph: Savers, initializers of tables."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tf2bridge.formats.graphs.nodes import by_name, copied, needed
from tf2bridge.graph.passes.inline_calls import CALLS, with_calls_inlined


def with_called(graph_def: Any, ops: Collection[str]) -> Any:
    """Returns the graph with the bodies of called functions in place of the calls, for functions with some operations.

    It is the same graph if no function has any.

    Args:
        graph_def: The graph.
        ops: Types of operations. Calls of functions without these stay calls.
    """
    functions = {
        function.signature.name
        for function in graph_def.library.function
        if any(node.op in ops for node in function.node_def)
    }
    calls = [node.name for node in graph_def.node if node.op in CALLS and node.attr["f"].func.name in functions]
    if not calls:
        return graph_def
    nodes = by_name(graph_def.node)
    part = {name: copied(nodes[name]) for name in needed(nodes, calls)}
    inlined, _ = with_calls_inlined(part, [], graph_def.library)
    result = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    result.node.extend((nodes | inlined).values())
    return result
