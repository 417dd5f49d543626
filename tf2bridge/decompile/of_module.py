"""The graph of a live module as a `Function` of nodes."""

from __future__ import annotations

from tf2bridge.decompile import recording
from tf2bridge.decompile.from_graph import Outside, function_of
from tf2bridge.decompile.ir import Function
from tf2bridge.formats.graphs.lookup_operations import TABLES
from tf2bridge.graph.graph_module import GraphModule


def function_of_module(module: GraphModule) -> Function:
    """Returns the IR of a module's call: its results are the outputs that are tensors, in order."""
    return function_of(module.call.concrete, list(module.inputs), len(tensor_outputs(module)), _outside(module))


def tensor_outputs(module: GraphModule) -> list[str]:
    """Returns the names of the outputs that are tensors. Operations stand after them."""
    return [name for name, source in module.ends.outputs.items() if ":" in source]


def _outside(module: GraphModule) -> Outside:
    named = recording.variables_of(module)
    variables = {id(variable.handle): (name, variable) for name, variable in named.items()}
    tables = {}
    if any(id(tensor) not in variables for tensor in module.call.concrete.captured_inputs):
        for node in module.graph.graph_def.node:
            if node.op in TABLES:
                table = module.tables[node.name]
                special = module.tables.special_keys(node.name) if node.op.startswith("MutableDense") else ()
                tables[id(table.resource_handle)] = node.name, table, special
    return Outside(variables, tables)
