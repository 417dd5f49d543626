"""The frozen graph of what hands its variables to loops and conditions that are functions, as Keras's LSTMs do.

TensorFlow's own conversion sees into these functions; it needs the graph as it runs, so that only the names of inputs
and outputs are the legacy graph's.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.called import CHOICES, LOOPS
from tf2bridge.formats.graphs.nodes import Nodes, by_name, data_inputs, is_control, node_of
from tf2bridge.graph.graph_function import CallForm
from tf2bridge.graph.module_protocol import LiveModule
from tf2bridge.graph.new_nodes import identity
from tf2bridge.graph.passes.prune import pruned
from tf2bridge.internals.framework import convert_variables_to_constants_v2
from tf2bridge.internals.protos import graph_pb2, node_def_pb2

_FUNCTIONAL = (*LOOPS, *CHOICES, "Case", "StatelessCase")
_SCOPE = "graph"


def hands_variables_on(nodes: Nodes) -> bool:
    """Whether a loop or condition that is a function is given a variable."""
    handles = {f"{name}:0" for name, node in nodes.items() if node.op == "VarHandleOp"}
    return any(node.op in _FUNCTIONAL and handles.intersection(data_inputs(node)) for node in nodes.values())


def frozen_call(module: LiveModule) -> Any:
    """Returns the module's call as a GraphDef of constants, with the legacy names of its inputs and outputs."""
    call = module.call_with(CallForm(module.tables))  # the own one has further outputs once a gradient was taken
    frozen = convert_variables_to_constants_v2(call.concrete, lower_control_flow=False)
    given = frozen.graph.as_graph_def()
    names = {node.name: f"{_SCOPE}/{node.name}" for node in given.node}
    found = graph_pb2.GraphDef(versions=given.versions, library=given.library)
    legacy = by_name(module.graph.graph_def.node)
    for tensor, source in zip(frozen.inputs, module.ends.inputs.values(), strict=True):
        names[node_of(tensor.name)] = node_of(source)
    for node in given.node:
        made = node_def_pb2.NodeDef()
        made.CopyFrom(node)
        made.name = names[node.name]
        made.input[:] = [_renamed(each, names) for each in node.input]
        old = legacy.get(made.name)
        if old is not None and old.op == "PlaceholderWithDefault":
            found.node.extend(pruned(legacy, {}, [old.name]).values())  # the default stays one
        else:
            found.node.append(made)
    results: dict[str, dict[int, Any]] = {}
    for tensor, source in zip(frozen.outputs, module.ends.outputs.values(), strict=True):
        results.setdefault(node_of(source), {})[int(source.rpartition(":")[2])] = tensor
    inputs = {node_of(source) for source in module.ends.inputs.values()}
    found.node.extend(_outputs(name, ports, names) for name, ports in results.items() if name not in inputs)
    return found


def _renamed(source: str, names: dict[str, str]) -> str:
    name, mark, port = source.removeprefix("^").partition(":")
    return f"{'^' if is_control(source) else ''}{names[name]}{mark}{port}"


def _outputs(name: str, ports: dict[int, Any], names: dict[str, str]) -> Any:
    """A node of this name with these outputs; those between that nobody asked for repeat the first."""
    some = next(iter(ports.values()))
    tensors = [ports.get(port, some) for port in range(max(ports) + 1)]
    sources = [_renamed(tensor.name, names) for tensor in tensors]
    if len(tensors) == 1:
        return identity(name, sources, some.dtype.as_datatype_enum)
    node = node_def_pb2.NodeDef(name=name, op="IdentityN", input=sources)
    node.attr["T"].list.type.extend(tensor.dtype.as_datatype_enum for tensor in tensors)
    return node
