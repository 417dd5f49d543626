"""A prepared graph as a ConcreteFunction on live variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.graph.lookup_ops import TABLES
from tf2bridge.graph.nodes import is_control, node_of
from tf2bridge.graph.prepare import Prepared

v1 = tf.compat.v1


def concrete_function(
    prepared: Prepared,
    specs: Mapping[str, tf.TensorSpec],
    variables: Mapping[str, tf.Variable],
    tables: Mapping[str, Any],
) -> Any:
    """Returns a ConcreteFunction of the inputs, endpoint -> spec in order, that gives the fetches in order.

    `variables`: name of a `VarHandleOp` -> the variable in its place; `tables`: of a lookup table -> the live one. An
    operation that is fetched gives an int32. Nothing orders the operations but what ordered them in the graph: a call
    is a `session.run`.
    """
    handles = [node.name for node in prepared.graph_def.node if node.op == "VarHandleOp"]
    lookups = {node.name: tables[node.name] for node in prepared.graph_def.node if node.op in TABLES}
    part = prepared.graph_def
    _take_out(part, {*handles, *lookups, *map(node_of, specs)})
    used = {source for node in part.node for source in node.input}

    def build(*inputs: tf.Tensor) -> list[tf.Tensor]:
        tracing = v1.get_default_graph()
        sources: dict[str, Any] = dict(zip(specs, inputs, strict=True))
        for name in handles:
            tracing.watch_variable(variables[name])  # a handle alone does not tell a tape which variable is read
            sources[f"{name}:0"] = tracing.capture(variables[name].handle)
        for name, table in lookups.items():
            sources[f"{name}:0"] = tracing.capture(table.resource_handle)
        known = {name: tensor for name, tensor in sources.items() if {name, name.removesuffix(":0")} & used}
        wanted = [name for name in dict.fromkeys(prepared.fetches) if name not in sources]
        found = tf.graph_util.import_graph_def(part, known, wanted, name="")
        part.Clear()  # the function that this is becomes part of the result, and would keep it
        results = dict(zip(wanted, found, strict=True))
        return [_value(sources[name] if name in sources else results[name]) for name in prepared.fetches]

    return v1.wrap_function(build, list(specs.values()))


def _take_out(graph_def: Any, replaced: set[str]) -> None:
    """Takes these nodes out of the graph; nobody waits for them, as they are there before a call."""
    for place in range(len(graph_def.node) - 1, -1, -1):
        node = graph_def.node[place]
        if node.name in replaced:
            del graph_def.node[place]
        elif any(is_control(source) and node_of(source) in replaced for source in node.input):
            node.input[:] = [each for each in node.input if not is_control(each) or node_of(each) not in replaced]


def _value(found: Any) -> tf.Tensor:
    if isinstance(found, tf.Operation):
        with tf.control_dependencies([found]):
            return tf.constant(0)
    return tf.identity(found)
