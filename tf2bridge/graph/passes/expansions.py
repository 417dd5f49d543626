"""Operations put into others: what a Python function of tensors computes takes the place of a node."""

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
"""(attributes by name, *inputs) -> outputs; built of TensorFlow 2's operations, where shapes are mostly unknown."""


@dataclass(frozen=True)
class _Trace:
    """What an expansion built: its nodes, the names of its placeholders, and the endpoints of its outputs."""

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
    """Returns the nodes with what `expansions`, operation -> function, builds in place of those operations.

    And `fetches`, endpoints and names of operations, as they are named now. The new nodes lie in the scope of the old
    one, in the same loops and conditions; a `NoOp` of the old name waits for them. Changes inputs in place; adds the
    functions that were built to the library. shaped: whether the functions need the static shapes of their inputs.
    """
    replaced = [node for node in nodes.values() if node.op in expansions]
    if not replaced:
        return nodes, list(fetches)
    read = [source for node in replaced for source in data_inputs(node)] if shaped else []
    shapes = static_shapes(nodes, library.functions.values(), read) if shaped else {}
    traces: dict[str, _Trace] = {}
    found: Nodes = {}
    moved: dict[str, str] = {}
    for name, node in nodes.items():
        if node.op not in expansions:
            found[name] = node
            continue
        attributes = {key: value for key, value in node.attr.items() if not key.startswith("_")}
        known = [shapes.get(source, tf.TensorShape(None)) for source in data_inputs(node)]
        key = json.dumps([node.op, *map(str, known), *(f"{key}={attributes[key]}" for key in sorted(attributes))])
        if key not in traces:
            traces[key] = _traced(node, attributes, known, library, expansions[node.op])
        found |= {made.name: made for made in _placed(node, traces[key])}
        ends = [f"{name}/{source}" for source in traces[key].results]
        moved |= {f"{name}:{port}": source for port, source in enumerate(ends)}
        found[name] = waiting(name, ends)
    redirected(found, lambda source: moved.get(source, source))
    return found, [moved.get(source, source) for source in fetches]


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
    return _Trace(nodes, [each.op.name for each in built.inputs], [each.name for each in built.outputs])


def _plain(attribute: Any) -> Any:
    """The value of an attribute: a number, text, or a list of numbers."""
    kind = attribute.WhichOneof("value")
    if kind == "s":
        return attribute.s.decode()
    return list(attribute.list.i) if kind == "list" else getattr(attribute, kind)


def _placed(node: Any, trace: _Trace) -> list[Any]:
    """Copies of what was traced, reading what `node` reads; what reads nothing waits for an input of it."""
    given = dict(zip(trace.arguments, data_inputs(node), strict=True))
    waits = [source for source in node.input if is_control(source)] or [f"^{node_of(data_inputs(node)[0])}"]
    found = []
    for each in trace.nodes:
        if each.name in given:
            continue
        made = copied(each)
        made.name = f"{node.name}/{each.name}"
        made.input[:] = [_source(source, given, node.name) for source in each.input]
        made.input.extend([] if any(not is_control(source) for source in made.input) else waits)
        found.append(made)
    return found


def _source(source: str, given: Mapping[str, str], scope: str) -> str:
    if is_control(source):
        return f"^{node_of(given[node_of(source)])}" if node_of(source) in given else f"^{scope}/{node_of(source)}"
    return given[node_of(source)] if node_of(source) in given else f"{scope}/{endpoint(source)}"
