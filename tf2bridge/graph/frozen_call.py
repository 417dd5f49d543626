"""Freeze a module that passes its variables to functional loops and conditions, as Keras's LSTMs do.

TensorFlow's own conversion follows variables into these functions. It converts the graph as TensorFlow 2 runs it, so
that only inputs and outputs keep their legacy names.
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
    """Returns whether a functional loop or condition takes a variable."""
    handles = {f"{name}:0" for name, node in nodes.items() if node.op == "VarHandleOp"}
    return any(node.op in _FUNCTIONAL and handles.intersection(data_inputs(node)) for node in nodes.values())


def frozen_call(module: LiveModule) -> Any:
    """Returns the module's call as a GraphDef of constants, with the legacy names of its inputs and outputs."""
    call = module.call_with(CallForm(module.tables))  # `module.call` gets further outputs once a gradient was taken
    frozen = convert_variables_to_constants_v2(call.concrete, lower_control_flow=False)
    frozen_def = frozen.graph.as_graph_def()
    names = {node.name: f"{_SCOPE}/{node.name}" for node in frozen_def.node}
    result = graph_pb2.GraphDef(versions=frozen_def.versions, library=frozen_def.library)
    legacy = by_name(module.graph.graph_def.node)
    for tensor, source in zip(frozen.inputs, module.ends.inputs.values(), strict=True):
        names[node_of(tensor.name)] = node_of(source)
    for node in frozen_def.node:
        copy = node_def_pb2.NodeDef()
        copy.CopyFrom(node)
        copy.name = names[node.name]
        copy.input[:] = [_renamed(source, names) for source in node.input]
        old = legacy.get(copy.name)
        if old is not None and old.op == "PlaceholderWithDefault":
            result.node.extend(pruned(legacy, {}, [old.name]).values())  # keeps the default value of the input
        else:
            result.node.append(copy)
    results: dict[str, dict[int, Any]] = {}
    for tensor, source in zip(frozen.outputs, module.ends.outputs.values(), strict=True):
        results.setdefault(node_of(source), {})[int(source.rpartition(":")[2])] = tensor
    inputs = {node_of(source) for source in module.ends.inputs.values()}
    result.node.extend(_outputs(name, ports, names) for name, ports in results.items() if name not in inputs)
    return result


def _renamed(source: str, names: dict[str, str]) -> str:
    name, mark, port = source.removeprefix("^").partition(":")
    return f"{'^' if is_control(source) else ''}{names[name]}{mark}{port}"


def _outputs(name: str, ports: dict[int, Any], names: dict[str, str]) -> Any:
    """Returns a node with this name and these outputs. Ports that are not in `ports` repeat the first tensor."""
    first = next(iter(ports.values()))
    tensors = [ports.get(port, first) for port in range(max(ports) + 1)]
    sources = [_renamed(tensor.name, names) for tensor in tensors]
    if len(tensors) == 1:
        return identity(name, sources, first.dtype.as_datatype_enum)
    node = node_def_pb2.NodeDef(name=name, op="IdentityN", input=sources)
    node.attr["T"].list.type.extend(tensor.dtype.as_datatype_enum for tensor in tensors)
    return node
