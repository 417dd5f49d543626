"""Replaces a node by the operations that a Python function builds, as for operations that TensorFlow 2 lacks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.nodes import Nodes, by_name, copied, data_inputs, endpoint, is_control, node_of
from tf2bridge.graph.new_nodes import waiting
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.passing_ops import redirected
from tf2bridge.graph.passes.strip import stripped
from tf2bridge.graph.shape_inference import static_shapes

Expansion = Callable[..., Sequence[Any]]
"""(attributes by name, *inputs) -> outputs. It uses TensorFlow 2's operations; most shapes are unknown."""


@dataclass(frozen=True)
class _Trace:
    """The nodes that an expansion built, the names of its placeholders, and the endpoints of its outputs."""

    nodes: Sequence[Any]
    arguments: Sequence[str]
    results: Sequence[str]


def with_expansions(
    nodes: Nodes,
    fetches: Sequence[str],
    library: Library,
    expansions: Mapping[str, Expansion],
    shaped: bool = False,
) -> tuple[Nodes, list[str]]:
    """Replaces operations by what `expansions` builds for them; changes inputs in place.

    The new nodes have the scope of the old one, and lie in the same loops and conditions. A `NoOp` of the old name
    waits for them.

    Args:
        nodes: the nodes.
        fetches: endpoints and names of operations.
        library: gets the functions that expansions build.
        expansions: type of an operation -> function.
        shaped: whether the functions need the static shapes of their inputs.

    Returns:
        The new nodes, and the new names of `fetches`.
    """
    replaced = [node for node in nodes.values() if node.op in expansions]
    if not replaced:
        return nodes, list(fetches)
    read = [source for node in replaced for source in data_inputs(node)] if shaped else []
    shapes = static_shapes(nodes, library.functions.values(), read) if shaped else {}
    traces: dict[str, _Trace] = {}
    expanded: Nodes = {}
    moved: dict[str, str] = {}
    for name, node in nodes.items():
        if node.op not in expansions:
            expanded[name] = node
            continue
        attributes = {key: value for key, value in node.attr.items() if not key.startswith("_")}
        known = [shapes.get(source, tf.TensorShape(None)) for source in data_inputs(node)]
        key = json.dumps([node.op, *map(str, known), *(f"{key}={attributes[key]}" for key in sorted(attributes))])
        if key not in traces:
            traces[key] = _traced(node, attributes, known, library, expansions[node.op])
        expanded |= {made.name: made for made in _placed(node, traces[key])}
        ends = [f"{name}/{source}" for source in traces[key].results]
        moved |= {f"{name}:{port}": source for port, source in enumerate(ends)}
        expanded[name] = waiting(name, ends)
    redirected(expanded, lambda source: moved.get(source, source))
    return expanded, [moved.get(source, source) for source in fetches]


def _traced(
    node: Any, attributes: Mapping[str, Any], shapes: Sequence[Any], library: Library, build: Expansion
) -> _Trace:
    types = map(tf.as_dtype, library.inputs(node))
    specs = [tf.TensorSpec(shape, dtype) for shape, dtype in zip(shapes, types, strict=True)]
    settled = {name: _plain(value) for name, value in attributes.items()}
    graph = tf.function(lambda *inputs: list(build(settled, *inputs)), specs, autograph=False)
    built = graph.get_concrete_function().graph
    definition = built.as_graph_def()
    library.functions |= functions_of(definition.library)
    nodes = list(stripped(by_name(definition.node)).values())
    return _Trace(nodes, [tensor.op.name for tensor in built.inputs], [tensor.name for tensor in built.outputs])


def _plain(attribute: Any) -> Any:
    """Returns the value of an attribute: a number, string, or list of integers."""
    kind = attribute.WhichOneof("value")
    if kind == "s":
        return attribute.s.decode()
    return list(attribute.list.i) if kind == "list" else getattr(attribute, kind)


def _placed(node: Any, trace: _Trace) -> list[Any]:
    """Returns copies of the traced nodes that read the inputs of `node`.

    A copy without data inputs waits for an input of `node`, so that it runs in the same loop.
    """
    arguments = dict(zip(trace.arguments, data_inputs(node), strict=True))
    waits = [source for source in node.input if is_control(source)] or [f"^{node_of(data_inputs(node)[0])}"]
    copies = []
    for traced in trace.nodes:
        if traced.name in arguments:
            continue
        copy = copied(traced)
        copy.name = f"{node.name}/{traced.name}"
        copy.input[:] = [_source(source, arguments, node.name) for source in traced.input]
        copy.input.extend([] if any(not is_control(source) for source in copy.input) else waits)
        copies.append(copy)
    return copies


def _source(source: str, arguments: Mapping[str, str], scope: str) -> str:
    if is_control(source):
        return (
            f"^{node_of(arguments[node_of(source)])}" if node_of(source) in arguments else f"^{scope}/{node_of(source)}"
        )
    return arguments[node_of(source)] if node_of(source) in arguments else f"{scope}/{endpoint(source)}"
