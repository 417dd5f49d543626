"""A prepared graph as a ConcreteFunction on live variables."""

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
    """Returns a ConcreteFunction of the inputs, endpoint -> spec in order, that gives the fetches in order.

    `variables`: name of a `VarHandleOp` -> the variable in its place; `tables`: of a lookup table -> the live one. An
    operation that is fetched gives an int32. The handles of `replicated` variables are further inputs. Nothing orders
    the operations but what ordered them in the graph: a call is a `session.run`. Takes the graph of `prepared`.
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
            tracing.watch_variable(variables[name])  # a handle alone does not tell a tape which variable is read
            if name in copied:
                handle_data_util.copy_handle_data(copied[name].values[0].handle, sources[f"{name}:0"])
            else:
                sources[f"{name}:0"] = tracing.capture(variables[name].handle)
        for name, table in lookups.items():
            sources[f"{name}:0"] = tracing.capture(table.resource_handle)
        known = {name: tensor for name, tensor in sources.items() if {name, name.removesuffix(":0")} & used}
        wanted = [name for name in dict.fromkeys(prepared.fetches) if name not in sources]
        found = tf.graph_util.import_graph_def(prepared.taken(), known, wanted, name="")
        results = dict(zip(wanted, found, strict=True))
        run.extend(each for each in found if isinstance(each, tf.Operation))
        run.extend(map(tracing.get_operation_by_name, changing))
        return [_value(sources[name] if name in sources else results[name]) for name in prepared.fetches]

    given = [*specs.values(), *(tf.TensorSpec([], tf.resource) for _ in copied)]
    graph = func_graph_from_py_func(
        "graph_part", build, None, None, given, add_control_dependencies=False, collections={}
    )
    graph.control_outputs = list(dict.fromkeys(run))  # inside another function too, that has no use for what they give
    return ConcreteFunction(_Function.of(graph))


def _changing(graph_def: Any) -> list[str]:
    """The nodes that change a variable or a table, also in the functions they call: a session runs them for a fetch."""
    functions = functions_of(graph_def.library)
    nodes = itertools.chain(graph_def.node, *(each.node_def for each in functions.values()))
    direct = {op for op in {node.op for node in nodes} if fits(op, _CHANGING)}
    if not direct:
        return []
    inside = {name for name, each in functions.items() if any(node.op in direct for node in each.node_def)}
    return [
        node.name
        for node in graph_def.node
        if node.op in direct or (inside and not inside.isdisjoint(all_called([node], functions)))
    ]


def replicated(graph_def: Any, variables: Mapping[str, tf.Variable]) -> dict[str, Any]:
    """Those of a graph's variables, by name, that have a copy for each replica of a strategy: a call takes the one of
    the replica that makes it.
    """
    names = (node.name for node in graph_def.node if node.op == "VarHandleOp")
    return {name: variables[name] for name in names if isinstance(variables.get(name), DistributedVariable)}


class _Function(AtomicFunction):  # type: ignore[misc]  # TensorFlow is untyped
    """A function of the runtime that knows that it has no attributes: to ask copies all of its constants, twice."""

    __slots__ = ()

    @classmethod
    def of(cls, graph: Any) -> _Function:
        """The function of a `FuncGraph`."""
        kind = from_structured_signature(
            graph.structured_input_signature, graph.structured_outputs, graph.function_captures.capture_types
        )
        name = f"__inference_{graph.name}_{ops.uid()}"
        made = from_func_graph(name, graph, {}, kind)
        return cls(made.name, context.context(), kind, made.children, made.call_options, graph)

    @property
    def attributes(self) -> dict[str, Any]:
        """None, by name."""
        return {}


def _add_functions(library: Any) -> None:
    """Makes functions known to the runtime; importing them makes them known to a graph alone."""
    for function in library.function:
        context.context().add_function_def(function)


def _take_out(graph_def: Any, replaced: set[str]) -> set[str]:
    """Takes these nodes out of the graph, as they are there before a call, and returns what inputs are left."""
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


def _value(found: Any) -> tf.Tensor:
    if isinstance(found, tf.Operation):
        with tf.control_dependencies([found]):
            return tf.constant(0)
    return tf.identity(found)
