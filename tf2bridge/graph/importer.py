"""Imports a prepared graph as a ConcreteFunction on live variables."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.called import all_called, functions_of
from tf2bridge.formats.graphs.lookup_operations import TABLES
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.graph.prepare import Prepared
from tf2bridge.internals.distribution import DistributedVariable
from tf2bridge.internals.eager import (
    AtomicFunction,
    ConcreteFunction,
    context,
    from_func_graph,
    from_structured_signature,
)
from tf2bridge.internals.framework import func_graph_from_py_func, ops
from tf2bridge.internals.ops import handle_data_util

v1 = tf.compat.v1

_CHANGING = ("Assign*VariableOp", "ResourceApply*", "ResourceSparseApply*", "ResourceScatter*", "LookupTableInsert*")


def concrete_function(
    prepared: Prepared,
    specs: Mapping[str, tf.TensorSpec],
    variables: Mapping[str, tf.Variable],
    tables: Mapping[str, Any],
) -> Any:
    """Returns a ConcreteFunction that computes the fetches, in order, from the inputs.

    A fetched operation returns an int32. The handles of `replicated` variables are further inputs. As in `session.run`,
    only the edges of the graph order its operations. The graph is moved out of `prepared`.

    Args:
        prepared: the graph and its fetches.
        specs: endpoint of an input -> spec, in order.
        variables: name of a `VarHandleOp` -> the live variable.
        tables: name of a table node -> the live table.
    """
    part = prepared.graph_def
    copied = replicated(part, variables)
    handles = [node.name for node in part.node if node.op == "VarHandleOp"]
    lookups = {node.name: tables[node.name] for node in part.node if node.op in TABLES}
    used = _take_out(part, {*handles, *lookups, *map(node_of, specs)})
    changing = _changing(part)
    _add_functions(part.library)
    del part

    run: list[tf.Operation] = []

    def build(*inputs: tf.Tensor) -> list[tf.Tensor]:
        tracing = v1.get_default_graph()
        sources: dict[str, Any] = dict(zip([*specs, *(f"{name}:0" for name in copied)], inputs, strict=True))
        for name in handles:
            tracing.watch_variable(variables[name])  # a tape cannot tell the variable from its handle
            if name in copied:
                handle_data_util.copy_handle_data(copied[name].values[0].handle, sources[f"{name}:0"])
            else:
                sources[f"{name}:0"] = tracing.capture(variables[name].handle)
        for name, table in lookups.items():
            sources[f"{name}:0"] = tracing.capture(table.resource_handle)
        known = {name: tensor for name, tensor in sources.items() if {name, name.removesuffix(":0")} & used}
        wanted = [name for name in dict.fromkeys(prepared.fetches) if name not in sources]
        imported = tf.graph_util.import_graph_def(prepared.taken(), known, wanted, name="")
        results = dict(zip(wanted, imported, strict=True))
        run.extend(result for result in imported if isinstance(result, tf.Operation))
        run.extend(map(tracing.get_operation_by_name, changing))
        return [_value(sources[name] if name in sources else results[name]) for name in prepared.fetches]

    input_specs = [*specs.values(), *(tf.TensorSpec([], tf.resource) for _ in copied)]
    graph = func_graph_from_py_func(
        "graph_part", build, None, None, input_specs, add_control_dependencies=False, collections={}
    )
    graph.control_outputs = list(dict.fromkeys(run))  # run also inside another function that does not use results
    return ConcreteFunction(_Function.of(graph))


def _changing(graph_def: Any) -> list[str]:
    """Returns the nodes that change a variable or a table, directly or in a function that they call."""
    functions = functions_of(graph_def.library)
    nodes = itertools.chain(graph_def.node, *(function.node_def for function in functions.values()))
    direct = {op for op in {node.op for node in nodes} if fits(op, _CHANGING)}
    if not direct:
        return []
    inside = {name for name, function in functions.items() if any(node.op in direct for node in function.node_def)}
    return [
        node.name
        for node in graph_def.node
        if node.op in direct or (inside and not inside.isdisjoint(all_called([node], functions)))
    ]


def replicated(graph_def: Any, variables: Mapping[str, tf.Variable]) -> dict[str, Any]:
    """Returns name -> variable, for the graph's variables that have a copy for each replica of a strategy.

    A call uses the copy of its own replica.
    """
    names = (node.name for node in graph_def.node if node.op == "VarHandleOp")
    return {name: variables[name] for name in names if isinstance(variables.get(name), DistributedVariable)}


class _Function(AtomicFunction):  # type: ignore[misc]  # TensorFlow is untyped
    """A function of the runtime without attributes. Reading attributes from the runtime copies all constants twice."""

    __slots__ = ()

    @classmethod
    def of(cls, graph: Any) -> _Function:
        """Returns the function of a `FuncGraph`."""
        kind = from_structured_signature(
            graph.structured_input_signature, graph.structured_outputs, graph.function_captures.capture_types
        )
        name = f"__inference_{graph.name}_{ops.uid()}"
        function = from_func_graph(name, graph, {}, kind)
        return cls(function.name, context.context(), kind, function.children, function.call_options, graph)

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes by name: there are none."""
        return {}


def _add_functions(library: Any) -> None:
    """Adds functions to the runtime: an import adds them only to a graph."""
    for function in library.function:
        context.context().add_function_def(function)


def _take_out(graph_def: Any, replaced: set[str]) -> set[str]:
    """Removes nodes that are ready before a call from the graph, and returns the inputs of the remaining nodes."""
    waits = {f"^{name}" for name in replaced}
    places, used = [], set()
    for place, node in enumerate(graph_def.node):
        if node.name in replaced:
            places.append(place)
            continue
        inputs = [*node.input]
        if not waits.isdisjoint(inputs):
            node.input[:] = inputs = [source for source in inputs if source not in waits]
        used.update(inputs)
    for place in reversed(places):
        del graph_def.node[place]
    return used


def _value(result: Any) -> tf.Tensor:
    if isinstance(result, tf.Operation):
        with tf.control_dependencies([result]):
            return tf.constant(0)
    return tf.identity(result)
