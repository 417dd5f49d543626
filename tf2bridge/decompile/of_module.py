"""The graph of a live module as a `Function` of nodes."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tf2bridge.decompile.from_graph import Outside, function_of
from tf2bridge.decompile.ir import Function, cloned
from tf2bridge.formats.graphs.lookup_operations import TABLES
from tf2bridge.formats.graphs.nodes import by_name, needed, node_of
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.passes.strip import without_assertions

_read: weakref.WeakKeyDictionary[GraphModule, Function] = weakref.WeakKeyDictionary()


def function_of_module(module: GraphModule) -> Function:
    """Returns the IR of a module's call: its results are the outputs that are tensors, in order.

    The graph is read once. TensorFlow adds outputs to the conditions of a graph when it makes gradients of them.
    Assertions are left out.
    """
    if module not in _read:
        plain = _without_assertions(module)
        _read[module] = function_of(
            plain.call.concrete, list(module.inputs), len(tensor_outputs(module)), _outside(plain)
        )
    return cloned(_read[module])


def assertions_of(module: GraphModule) -> list[str]:
    """Returns the names of the assertions that the outputs of a module wait for, and of all in functions."""
    graph_def = module.graph.graph_def
    nodes = by_name(graph_def.node)
    used = needed(nodes, map(node_of, module.ends.outputs.values()))
    inside = [
        f"{function.signature.name}/{node.name}"
        for function in graph_def.library.function
        for node in function.node_def
        if node.op == "Assert"
    ]
    return [*(name for name in nodes if name in used and nodes[name].op == "Assert"), *inside]


def _without_assertions(module: GraphModule) -> GraphModule:
    if not assertions_of(module):
        return module
    return module.with_graph(replace(module.graph, graph_def=without_assertions(module.graph.graph_def)), module.ends)


def variables_of(module: Any) -> dict[str, Any]:
    """Returns the name of each variable of a module in the old graph -> the variable."""
    return {variable.name.rpartition(":")[0]: variable for variable in module.variables}


@contextmanager
def put_back(variables: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the values of variables by name. Afterwards the variables have these values again, also after an error."""
    before = {name: variable.numpy() for name, variable in variables.items()}
    try:
        yield before
    finally:
        for name, array in before.items():
            variables[name].assign(array)


def tensor_outputs(module: GraphModule) -> list[str]:
    """Returns the names of the outputs that are tensors. Operations stand after them."""
    return [name for name, source in module.ends.outputs.items() if ":" in source]


def _outside(module: GraphModule) -> Outside:
    named = variables_of(module)
    variables = {id(variable.handle): (name, variable) for name, variable in named.items()}
    tables = {}
    if any(id(tensor) not in variables for tensor in module.call.concrete.captured_inputs):
        for node in module.graph.graph_def.node:
            if node.op in TABLES:
                table = module.tables[node.name]
                special = module.tables.special_keys(node.name) if node.op.startswith("MutableDense") else ()
                tables[id(table.resource_handle)] = node.name, table, special
    return Outside(variables, tables)
