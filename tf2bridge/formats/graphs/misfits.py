"""Finds contradictions inside a graph, to explain a failure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tf2bridge.formats.graphs import operations
from tf2bridge.formats.graphs.called import functions_named_by, functions_of
from tf2bridge.formats.graphs.nodes import is_control, node_of, ordered

_MERGE, _NEXT = ("Merge", "RefMerge"), ("NextIteration", "RefNextIteration")


def misfit(graph_def: Any) -> str:
    """Returns the first contradiction in a GraphDef or its functions, or "".

    Every input must exist, names must be unique, called functions must exist, and only loops may be cycles.
    """
    functions = functions_of(graph_def.library)
    nodes = {node.name: node for node in graph_def.node}
    parts = (
        _twice(graph_def.node),
        _lost_inputs(graph_def.node, nodes, functions),
        _circles(nodes),
        *(_of_function(function) for function in functions.values()),
        _lost_functions([graph_def.node, *(function.node_def for function in functions.values())], functions),
    )
    return next((text for part in parts for text in part), "")


def _twice(nodes: Iterable[Any]) -> Iterator[str]:
    names: set[str] = set()
    for node in nodes:
        if node.name in names:
            yield f"two nodes have the name {node.name}"
        names.add(node.name)


def _lost_inputs(nodes: Iterable[Any], known: Mapping[str, Any], functions: Mapping[str, Any]) -> Iterator[str]:
    for node in nodes:
        for source in node.input:
            if node_of(source) not in known:
                yield f"the node {node.name} ({node.op}) reads {source}, and there is no node of this name"
            elif not is_control(source) and (problem := _no_output(known[node_of(source)], source, functions)):
                yield f"the node {node.name} ({node.op}) reads {source}, and {problem}"


def _no_output(node: Any, source: str, functions: Mapping[str, Any]) -> str:
    """Returns why a node has no such output, or "" if it has one or its operation is unknown."""
    port = source.partition(":")[2] or "0"
    if not port.isdecimal():
        return "that is no output of a node"
    if not operations.known(node.op) and node.op not in functions:
        return ""
    count = len(operations.output_types(node, functions))
    return "" if int(port) < count else f"that node ({node.op}) has {count} outputs"


def _circles(nodes: Mapping[str, Any]) -> Iterator[str]:
    """Yields a cycle of nodes. The edge from a `NextIteration` to a `Merge`, which closes a loop, does not count."""
    try:
        ordered(nodes, lambda source, to: nodes[source].op in _NEXT and nodes[to].op in _MERGE)
    except ValueError as error:
        yield str(error)


def _of_function(function: Any) -> Iterator[str]:
    """Yields the contradictions in the body of a function, whose inputs are named "node:argument:0"."""
    name = function.signature.name
    arguments = {argument.name for argument in function.signature.input_arg}
    known = arguments | {node.name for node in function.node_def}
    for node in function.node_def:
        for source in node.input:
            if node_of(source) not in known:
                yield f"the node {node.name} of the function {name} reads {source}, and there is no node of this name"
    for source in function.ret.values():
        if node_of(source) not in known:
            yield f"the function {name} returns {source}, and there is no node of this name"


def _lost_functions(lists: Iterable[Iterable[Any]], functions: Collection[str]) -> Iterator[str]:
    """Yields the functions that attributes name and that do not exist. An operation may stand for a function."""
    for nodes in lists:
        for node in nodes:
            for function in functions_named_by(node):
                if function.name not in functions and not operations.known(function.name):
                    yield f"the node {node.name} ({node.op}) calls the function {function.name}, which is not there"
