"""A live module's graph as a `Function` of nodes: variables and tables found, calls inlined, invariants captured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.attributes import attribute_value
from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value, adopt, constant_node
from tf2bridge.internals.framework import function_def_to_graph, op_def_registry

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
_LOOPS = ("While", "StatelessWhile")
_CONDITIONS = ("If", "StatelessIf")
_STAND_IN = "as_written"
"""The end of the name of nodes that hide a shape from the importer, which this package wants to see."""
_WITHOUT_EFFECT = (
    "Placeholder",
    "VarHandleOp",
    "Random",
    "Multinomial",
    "Truncated",
    "LookupTableFind",
    "LookupTableSize",
)
"""The beginnings of types that TensorFlow calls stateful, and whose order nobody sees."""
_ASSIGNING = ("Assign", "ResourceApply", "ResourceSparseApply", "ResourceScatter", "ResourceStridedSliceAssign")


@dataclass(frozen=True)
class Outside:
    """What the inputs of a traced function are that no caller gives, by the `id` of their handles.

    Attributes:
        variables: The old name of each variable, and the live variable.
        tables: The old name of each table, the live table, and the keys that a dense one keeps for itself.
    """

    variables: Mapping[int, tuple[str, Any]]
    tables: Mapping[int, tuple[str, Any, Sequence[Any]]]


def function_of(concrete: Any, inputs: Sequence[str], outputs: int, outside: Outside) -> Function:
    """Returns the IR of a ConcreteFunction.

    Args:
        concrete: The function. Its first inputs are those of a call, the others are captured.
        inputs: A name for each input of a call.
        outputs: The number of outputs of a call. TensorFlow appends what a gradient needs to those of the function.
        outside: The variables and tables that are captured.

    Returns:
        The function, whose parameters have the names `inputs`. Variables are nodes of type `Kind.VARIABLE` with the
        attribute "variable", tables of type `Kind.TABLE` with "table"; both have their old name.
    """
    graph = concrete.graph
    library = _Library(graph)
    function = Function()
    known: dict[str, list[Value]] = {}
    for name, tensor in zip(inputs, concrete.inputs, strict=False):
        parameter = Node(name, Kind.PARAMETER, [], {}, [_spec(tensor)], function)
        function.parameters.append(parameter)
        known[tensor.op.name] = [Value(parameter, 0)]
    captured = concrete.inputs[len(inputs) :]
    for tensor, outer in zip(captured, concrete.captured_inputs, strict=True):
        known[tensor.op.name] = [Value(_captured(tensor, outer, outside, function), 0)]
    _Reader(function, library, known).read(concrete.outputs[:outputs], graph.control_outputs)
    return function


def _captured(tensor: Any, outer: Any, outside: Outside, function: Function) -> Node:
    if id(outer) in outside.variables:
        name, variable = outside.variables[id(outer)]
        shape = None if variable.shape.rank is None else tuple(variable.shape.as_list())
        attributes = {"variable": name, "trainable": variable.trainable}
        return Node(name, Kind.VARIABLE, [], attributes, [Spec(variable.dtype, shape)], function)
    if id(outer) in outside.tables:
        name, table, special = outside.tables[id(outer)]
        attributes = {"table": name, "live": table, "special keys": special}
        return Node(name, Kind.TABLE, [], attributes, [_spec(tensor)], function)
    raise KeyError(tensor.name)


def _spec(tensor: Any) -> Spec:
    return Spec(tensor.dtype, None if tensor.shape.rank is None else tuple(tensor.shape.as_list()))


class _Library:
    """The functions of a graph, and the gradients that some of them have."""

    def __init__(self, graph: Any) -> None:
        library = graph.as_graph_def().library
        self._graph = graph
        self._definitions = {function.signature.name: function for function in library.function}
        self.gradients = {entry.function_name: entry.gradient_func for entry in library.gradient}
        types = {operation.type for operation in graph.get_operations()}
        types |= {node.op for function in library.function for node in function.node_def}
        self._names: set[str] = set()
        self.assigns = any(name.startswith(_ASSIGNING) for name in types)

    def __contains__(self, name: str) -> bool:
        return name in self._definitions

    def new_name(self, name: str) -> str:
        """Returns a name that no node has yet: nodes of two functions may have one name."""
        candidate, number = name, 1
        while candidate in self._names:
            number += 1
            candidate = f"{name}_{number}"
        self._names.add(candidate)
        return candidate

    def graph(self, name: str, given: Iterable[Any]) -> Any:
        """Returns a graph of the function, with the static shapes that TensorFlow infers from those of `given`."""
        shapes = [tensor.shape for tensor in given]
        with self._graph.as_default():
            return function_def_to_graph(self._definitions[name], input_shapes=shapes)


class _Reader:
    """Makes the nodes of one graph, those first that a node needs.

    `known` holds the values of operations that are nodes already: first of all the inputs.
    """

    def __init__(self, function: Function, library: _Library, known: dict[str, list[Value]]) -> None:
        self._function = function
        self._library = library
        self._known = known
        self._effects: dict[str, list[Node]] = {}
        self._new: list[Node] = []

    def read(self, results: Sequence[Any], run: Iterable[Any]) -> None:
        """Sets results and effects of the function to these tensors and operations."""
        for operation in [*(tensor.op for tensor in results), *run]:
            self._visit(operation)
        self._function.results = [self._value(tensor) for tensor in results]
        effects = [node for operation in run for node in self._effects[operation.name]]
        self._function.effects = list(dict.fromkeys(effects))

    def _visit(self, root: Any) -> None:
        stack = [root]
        while stack:
            operation = stack[-1]
            if operation.name in self._effects:
                stack.pop()
                continue
            needs = [*(tensor.op for tensor in operation.inputs), *operation.control_inputs]
            if missing := [needed for needed in needs if needed.name not in self._effects]:
                stack += missing
                continue
            stack.pop()
            self._make(operation, needs)

    def _make(self, operation: Any, needs: Sequence[Any]) -> None:
        before = list(dict.fromkeys(node for needed in needs for node in self._effects[needed.name]))
        after = [node for needed in operation.control_inputs for node in self._effects[needed.name]]
        if operation.name not in self._known:
            self._new = []
            values = self._values(operation)
            made = list(dict.fromkeys(value.node for value in values if value.node in self._new))
            for node in made:
                node.after = list(dict.fromkeys(after))
            self._known[operation.name] = values
            if self._changes_something(operation) and not (made and all(map(_is_idle, made))):
                before = made or before
        self._effects[operation.name] = before

    def _changes_something(self, operation: Any) -> bool:
        """Returns True if the order of an operation matters: it has an effect, or reads what others change."""
        return self._library.assigns if operation.type == "ReadVariableOp" else _has_effect(operation.type)

    def _value(self, tensor: Any) -> Value:
        values = self._known[tensor.op.name]
        return values[int(tensor.value_index)]

    def _values(self, operation: Any) -> list[Value]:
        inputs = [self._value(tensor) for tensor in operation.inputs]
        attributes = {
            name: attribute_value(attribute)
            for name, attribute in operation.node_def.attr.items()
            if not name.startswith("_")
        }
        if operation.type in self._library:
            return self._call(operation, operation.type, inputs)
        if operation.type in _CALLS:
            return self._call(operation, attributes["f"].name, inputs)
        if operation.type in _LOOPS:
            return self._loop(operation, attributes, inputs)
        if operation.type in _CONDITIONS:
            return self._condition(operation, attributes, inputs)
        if operation.type == "ResourceGather" and inputs[0].node.op == Kind.VARIABLE and not self._library.assigns:
            return self._gathered(operation, attributes, inputs)
        if operation.type == "PlaceholderWithDefault" and operation.name.endswith(_STAND_IN):
            return inputs
        return self._plain(operation, operation.type, inputs, attributes)

    def _plain(self, operation: Any, op: str, inputs: list[Value], attributes: dict[str, Any]) -> list[Value]:
        name = self._library.new_name(operation.name)
        node = Node(name, op, inputs, attributes, list(map(_spec, operation.outputs)), self._function)
        self._new.append(node)
        return [Value(node, index) for index in range(max(1, len(node.outputs)))]

    def _gathered(self, operation: Any, attributes: dict[str, Any], inputs: list[Value]) -> list[Value]:
        """Returns rows of a variable, read before: a tape does not see what takes the variable by its handle."""
        variable, indices = inputs
        dtype = variable.spec.dtype
        read = Node(f"{operation.name}/read", "ReadVariableOp", [variable], {}, [variable.spec], self._function)
        axis = constant_node(f"{operation.name}/axis", np.int32(0), tf.int32, self._function)
        types = {"Tparams": dtype, "Tindices": indices.spec.dtype, "Taxis": tf.int32}
        given = {"batch_dims": attributes.get("batch_dims", 0), **types}
        return self._plain(operation, "GatherV2", [Value(read, 0), indices, Value(axis, 0)], given)

    def _call(self, operation: Any, name: str, inputs: list[Value]) -> list[Value]:
        if name in self._library.gradients:
            body = self._body(name, [None] * len(inputs), operation.inputs)
            upstream = [*operation.inputs, *operation.outputs]
            backward = self._body(self._library.gradients[name], [None] * len(upstream), upstream)
            values = self._plain(operation, Kind.CALL, inputs, {"function": name})
            values[0].node.bodies = [body, backward]
            return values
        body = self._body(name, inputs, operation.inputs)
        adopt(body.nodes(), self._function)
        return body.results or self._plain(operation, "NoOp", [], {})

    def _condition(self, operation: Any, attributes: Mapping[str, Any], inputs: list[Value]) -> list[Value]:
        values = self._plain(operation, Kind.COND, inputs[:1], {})
        branches = [attributes[branch].name for branch in ("then_branch", "else_branch")]
        values[0].node.bodies = [self._body(branch, inputs[1:], operation.inputs[1:]) for branch in branches]
        return values

    def _loop(self, operation: Any, attributes: Mapping[str, Any], inputs: list[Value]) -> list[Value]:
        """Returns a loop of the variables that change; what does not is a capture of its functions."""
        body_graph = self._library.graph(attributes["body"].name, operation.outputs)
        fixed = [_is_same(result, given) for result, given in zip(body_graph.outputs, body_graph.inputs, strict=True)]
        given = [value if same else None for value, same in zip(inputs, fixed, strict=True)]
        settings = {name: attributes[name] for name in ("parallel_iterations",) if name in attributes}
        changing = [value for value, same in zip(inputs, fixed, strict=True) if not same]
        node = Node(self._library.new_name(operation.name), Kind.WHILE, changing, settings, [], self._function)
        self._new.append(node)
        node.outputs = [_spec(tensor) for tensor, same in zip(operation.outputs, fixed, strict=True) if not same]
        node.bodies = [self._body(attributes[part].name, given, operation.outputs) for part in ("cond", "body")]
        node.bodies[1].results = [value for value, same in zip(node.bodies[1].results, fixed, strict=True) if not same]
        numbers = iter(range(len(changing)))
        return [value if same else Value(node, next(numbers)) for value, same in zip(inputs, fixed, strict=True)]

    def _body(self, name: str, given: Sequence[Value | None], tensors: Iterable[Any]) -> Function:
        """Returns a function as a nested one: an input with a given value is that value, any other is a parameter."""
        graph = self._library.graph(name, tensors)
        function = Function()
        known: dict[str, list[Value]] = {}
        for tensor, value in zip(graph.inputs, given, strict=True):
            if value is not None:
                known[tensor.op.name] = [value]
                continue
            parameter = Node(tensor.op.name, Kind.PARAMETER, [], {}, [_spec(tensor)], function)
            function.parameters.append(parameter)
            known[tensor.op.name] = [Value(parameter, 0)]
        _Reader(function, self._library, known).read(graph.outputs, graph.control_outputs)
        function.effects = list(dict.fromkeys([*function.effects, *filter(_is_effect, function.nodes())]))
        return function


def _is_idle(node: Node) -> bool:
    """Returns True for a loop or a condition that has no effect, such as one around an assertion that is left out."""
    return node.op in (Kind.WHILE, Kind.COND) and not any(body.effects for body in node.bodies)


def _is_effect(node: Node) -> bool:
    """Returns True for a node that runs even if nothing takes the results that wait for it."""
    if node.op in (Kind.WHILE, Kind.COND):
        return not _is_idle(node)
    return node.op != "ReadVariableOp" and _has_effect(node.op)


def _has_effect(op: str) -> bool:
    definition = op_def_registry.get(op)
    return definition is not None and definition.is_stateful and not op.startswith(_WITHOUT_EFFECT)


def _is_same(result: Any, given: Any) -> bool:
    """Says whether a loop gives a variable on as it is."""
    while result.op.type == "Identity" and result is not given:
        result = result.op.inputs[0]
    return result is given
