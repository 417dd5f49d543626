"""Replaces calls of functions by the bodies of the functions.

TensorFlow 2 runs such a call, but a tape may not differentiate it, TFLite has no operation of that name, and whether
its SavedModel can be read depends on what else the process has loaded. So every call that can be inlined is.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.nodes import Nodes, by_name, copied, data_inputs, endpoint, is_control, needed, node_of
from tf2bridge.graph.new_nodes import identity, waiting
from tf2bridge.graph.passes.frames import ENTER, SWITCH
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.numbered_gradients import CHOSEN, DERIVED
from tf2bridge.graph.passes.passing_ops import redirected
from tf2bridge.graph.passes.strip import stripped

CALLS = ("PartitionedCall", "StatefulPartitionedCall")
GRADIENT_OF = "SymbolicGradient"


@dataclass(frozen=True)
class _Call:
    """A call of `function` with the values of its attributes; `within` names the functions that contain the call."""

    node: Any
    function: Any
    attributes: Mapping[str, Any]
    within: tuple[str, ...]


class _NotInlinableError(Exception):
    """The call cannot be inlined."""


def with_calls_inlined(nodes: Nodes, fetches: Sequence[str], library: Any) -> tuple[Nodes, list[str]]:
    """Replaces calls of functions by their bodies; changes inputs in place.

    The nodes of a body get the scope of the call, and run when the call would have run; a `NoOp` of the call's name
    waits for all of them. Calls of functions with their own gradients stay, as do recursive calls and calls of
    functions with lists of arguments. A `SymbolicGradient` of a function with its own gradient becomes the gradient's
    body.

    Args:
        nodes: the nodes.
        fetches: endpoints and names of operations.
        library: the functions of the graph.

    Returns:
        The new nodes, and the new names of `fetches`.
    """
    if not library.function:
        return nodes, list(fetches)
    inliner = _Inliner(nodes, library)
    inlined = inliner.nodes()
    redirected(inlined, inliner.current)
    return inlined, [inliner.current(source) for source in fetches]


class _Inliner:
    """One graph. `_moved`: endpoint of a call -> the endpoint that replaces it, possibly of another call."""

    def __init__(self, nodes: Nodes, library: Any) -> None:
        self._given = nodes
        self._functions = functions_of(library)
        self._gradients = {gradient.function_name: gradient.gradient_func for gradient in library.gradient}
        self._library = Library(self._functions)
        everywhere = itertools.chain(nodes.values(), *(function.node_def for function in library.function))
        self._anchored = any(node.op in (*ENTER, *SWITCH) for node in everywhere)
        self._moved: dict[str, str] = {}
        self._names = set(nodes)

    def nodes(self) -> Nodes:
        """Returns the nodes of the graph and of all inlined bodies."""
        result: Nodes = {}
        pending: list[tuple[Any, tuple[str, ...]]] = [(node, ()) for node in reversed(self._given.values())]
        while pending:
            node, within = pending.pop()
            call = self._call(node, within)
            try:
                body = [] if call is None else self._inlined(call)
            except _NotInlinableError:
                call = None
            if call is None:
                result[node.name] = node
            else:
                inner = (*within, call.function.signature.name)
                pending += [(inner_node, inner) for inner_node in reversed(body)]
        return result

    def current(self, source: str) -> str:
        """Returns the endpoint that replaces an endpoint."""
        while source in self._moved:
            source = self._moved[source]
        return source

    def _call(self, node: Any, within: tuple[str, ...]) -> _Call | None:
        """Returns the call of a node, or None if it is no call or cannot be inlined."""
        name, attributes = node.op, node.attr
        if node.op in CALLS:
            name, attributes = node.attr["f"].func.name, node.attr["f"].func.attr
        elif node.op == GRADIENT_OF:
            target = node.attr["f"].func
            name, attributes = self._gradients.get(target.name, ""), target.attr
        if name not in self._functions or name in within or name in self._gradients:
            return None
        if _is_special(node):
            return None
        return _Call(node, self._functions[name], attributes, within)

    def _inlined(self, call: _Call) -> list[Any]:
        """Returns the nodes that replace a call, and records the endpoints that replace its outputs."""
        body = _Body(call, self._library)
        prefix = call.node.name
        while any(f"{prefix}/{name}" in self._names for name in body.nodes):
            prefix += "_"
        body_nodes = [self._placed(call, node, prefix, body) for node in body.nodes.values()]
        ends = [body.outside(source, prefix) for source in body.results]
        controls = [source for source in call.node.input if is_control(source)]
        effects = [f"^{prefix}/{name}" for name in body.effects]
        if effects or (controls and any(source in body.arguments for source in body.results)):
            body_nodes += [
                identity(f"{prefix}/result_{place}", [end, *controls, *effects], dtype)
                for place, (end, dtype) in enumerate(zip(ends, body.types, strict=True))
            ]
            ends = [f"{prefix}/result_{place}:0" for place in range(len(ends))]
        self._names.update(node.name for node in body_nodes)
        self._moved |= {f"{call.node.name}:{port}": end for port, end in enumerate(ends)}
        return [*body_nodes, waiting(call.node.name, [*ends, *effects, *controls])]

    def _placed(self, call: _Call, node: Any, prefix: str, body: _Body) -> Any:
        """Makes a node of a body a node of the graph: it runs when the call would, in the same loops and conditions."""
        starts = all(endpoint(source) in body.arguments for source in node.input)
        node.name = f"{prefix}/{node.name}"
        node.input[:] = [
            f"^{prefix}/{node_of(source)}" if is_control(source) else body.outside(source, prefix)
            for source in node.input
        ]
        if node.op in ENTER:
            node.attr["frame_name"].s = f"{prefix}/{node.attr['frame_name'].s.decode()}".encode()
        if starts:
            node.input.extend(source for source in call.node.input if is_control(source))
        if not node.input and self._anchored:
            node.input.extend(f"^{node_of(source)}" for source in data_inputs(call.node)[:1])
        return node


def _is_special(node: Any) -> bool:
    """Returns whether a call has to be compiled by XLA as one, or names its gradient."""
    compiled, gradient = (node.attr.get(name) for name in ("_XlaMustCompile", CHOSEN))
    return (compiled is not None and compiled.b) or (
        gradient is not None and not DERIVED.fullmatch(gradient.s.decode())
    )


class _Body:
    """The body of a called function in the form of a graph: endpoints "node:0", attributes with their values.

    Attributes:
        arguments: endpoint of an argument -> the input of the call.
        results: an endpoint for each output.
        types: the dtype of each output.
        nodes: copies of the nodes that results and effects need.
        effects: names of further nodes that a call runs.
    """

    def __init__(self, call: _Call, library: Library) -> None:
        function = call.function
        arguments = [argument.name for argument in function.signature.input_arg]
        inputs = data_inputs(call.node)
        signature = [*function.signature.input_arg, *function.signature.output_arg]
        if len(inputs) != len(arguments) or any(arg.number_attr or arg.type_list_attr for arg in signature):
            raise _NotInlinableError
        defaults = {attribute.name: attribute.default_value for attribute in function.signature.attr}
        self._values = {name: value for name, value in defaults.items() if value.WhichOneof("value")}
        self._values |= call.attributes
        self._library = library
        self._ports: dict[str, dict[tuple[str, int], int]] = {}
        self.arguments = {f"{name}:0": source for name, source in zip(arguments, inputs, strict=True)}
        nodes = stripped(by_name(self._bound(node) for node in function.node_def))
        for node in nodes.values():
            node.input[:] = [source if is_control(source) else self._flat(nodes, source) for source in node.input]
        outputs = function.signature.output_arg
        self.results = [self._flat(nodes, function.ret[output.name]) for output in outputs]
        self.types = [self._values[output.type_attr].type if output.type_attr else output.type for output in outputs]
        kept = needed(nodes, map(node_of, self.results))
        self.effects = [*dict.fromkeys([*function.control_ret.values(), *self._side_effects(nodes, kept)])]
        kept |= needed(nodes, self.effects)
        self.nodes = {name: node for name, node in nodes.items() if name in kept}

    def outside(self, source: str, prefix: str) -> str:
        """Returns the name of an endpoint of the body in the graph."""
        return self.arguments.get(source, f"{prefix}/{source}")

    def _side_effects(self, nodes: Nodes, kept: set[str]) -> list[str]:
        """Returns the stateful nodes that no result needs: a call runs them too."""
        try:
            return [name for name, node in nodes.items() if name not in kept and self._library.stateful([node])]
        except KeyError as error:
            raise _NotInlinableError from error

    def _bound(self, node: Any) -> Any:
        """Returns a copy of a node whose placeholder attributes have the values of the call."""
        made = copied(node)
        for name in made.attr:  # `values()` takes twice as long
            self._bind(made.attr[name])
        return made

    def _bind(self, value: Any) -> None:
        kind = value.WhichOneof("value")
        if kind == "placeholder":
            if value.placeholder not in self._values:
                raise _NotInlinableError
            value.CopyFrom(self._values[value.placeholder])
            kind = value.WhichOneof("value")
        functions = [value.func] if kind == "func" else value.list.func if kind == "list" else ()
        for called in functions:
            for inner in called.attr.values():
                self._bind(inner)

    def _flat(self, nodes: Nodes, source: str) -> str:
        """Converts an endpoint to the form of a graph: "node:argument:1" -> "node:3"; "argument" -> "argument:0"."""
        name, *place = source.split(":")
        if f"{name}:0" in self.arguments:
            return f"{name}:0"
        try:
            if name not in self._ports:
                outputs = self._library.outputs(nodes[name])
                self._ports[name] = {(argument, index): port for port, (argument, index, _) in enumerate(outputs)}
            argument, index = (*place, "0")[:2]
            return f"{name}:{self._ports[name][argument, int(index)]}"
        except (KeyError, StopIteration, ValueError) as error:  # an unknown operation or endpoint
            raise _NotInlinableError from error
