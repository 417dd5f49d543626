"""Graph utilities: the name scope, the placeholders, and a part of a graph fused into one op."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def get_name_scope() -> str:
    """Returns the name scope in force in the default graph, such as "outer/inner"."""
    return str(v1.get_default_graph().get_name_scope())


def get_placeholders(graph: Any) -> list[Any]:
    """Returns the placeholders of `graph`, in creation order. Raises TypeError unless it is a `tf.Graph`."""
    if not isinstance(graph, tf.Graph):
        raise TypeError(f"get_placeholders takes a tf.Graph, not {type(graph).__name__}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def fuse_op(
    graph_def: Any,
    input_nodes: Sequence[str],
    output_nodes: Sequence[str],
    output_dtypes: Sequence[int],
    output_quantized: bool,
    op_name: str,
    op_type: str,
) -> Any:
    """Returns a GraphDef in which the nodes between `input_nodes` and `output_nodes` are one node of type `op_type`.

    Each output node keeps its name, and reads one output of the new node `op_name`.

    Raises:
        TypeError: an argument has a wrong type, or a node between reads an input that is not in `input_nodes`.
        AssertionError: a name is unknown.
    """
    if not isinstance(graph_def, v1.GraphDef):
        raise TypeError(f"fuse_op takes a GraphDef, not {type(graph_def).__name__}")
    for name, given in (("input_nodes", input_nodes), ("output_nodes", output_nodes)):
        if isinstance(given, str):
            raise TypeError(f"{name} is a string: give a list of node names")
    nodes = {_name(node.name): node for node in graph_def.node}
    inputs = {name: [_name(input_name) for input_name in node.input] for name, node in nodes.items()}
    if unknown := [name for name in (*input_nodes, *output_nodes) if name not in nodes]:
        raise AssertionError(f"the graph has no node {', '.join(unknown)}")
    before, until = _reached(input_nodes, inputs), _reached(output_nodes, inputs)
    _check_closed([n for n in nodes if n in until - before - set(output_nodes)], before, input_nodes, inputs)
    fused = v1.NodeDef(name=op_name, op=op_type, input=input_nodes)
    fused.attr["_output_types"].list.type[:] = output_dtypes
    fused.attr["_output_quantized"].b = output_quantized
    kept = [nodes[name] for name in nodes if name in before]
    after = [nodes[name] for name in nodes if name not in until | before]
    outputs = [_rewired(nodes[name], op_name, index) for index, name in enumerate(output_nodes)]
    return v1.GraphDef(node=[*kept, fused, *outputs, *after], library=graph_def.library, versions=graph_def.versions)


def _name(name: str) -> str:
    return name.removeprefix("^").partition(":")[0]


def _reached(targets: Iterable[str], inputs: Mapping[str, list[str]]) -> set[str]:
    """Returns the targets and all nodes that they depend on."""
    reached: set[str] = set()
    waiting = list(targets)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += inputs[name]
    return reached


def _check_closed(
    between: Sequence[str], before: Collection[str], input_nodes: Collection[str], inputs: Mapping[str, list[str]]
) -> None:
    """Raises TypeError if a node between uses one that lies before the inputs."""
    for name in between:
        for input_name in inputs[name]:
            if input_name in before and input_name not in input_nodes:
                raise TypeError(f"{name} uses {input_name}, which is not in input_nodes: add it there")


def _rewired(node: Any, op_name: str, index: int) -> Any:
    if len(node.input) != 1:
        raise AssertionError(f"the output node {node.name} has {len(node.input)} inputs, not 1")
    changed = v1.NodeDef()
    changed.CopyFrom(node)
    changed.input[:] = [f"{op_name}:{index}" if index else op_name]
    return changed
