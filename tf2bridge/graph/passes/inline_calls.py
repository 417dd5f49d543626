"""Calls of a library's functions replaced by what these compute.

TensorFlow 2 runs such a call, but a tape may not see through it, TFLite knows no operation of that name, and whether a
SavedModel of it can be read depends on what else the process has loaded. So nothing is called that can stand there
itself.
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
    """A call of `function`, with the values of its attributes; `within`: the functions that it was found in."""

    node: Any
    function: Any
    attributes: Mapping[str, Any]
    within: tuple[str, ...]


class _NotInlinableError(Exception):
    """The call has to stay one."""


def with_calls_inlined(nodes: Nodes, fetches: Sequence[str], library: Any) -> tuple[Nodes, list[str]]:
    """Returns the nodes with the bodies of functions of `library` in place of their calls, and `fetches` named anew.

    The nodes of a call lie in its scope, and run when it would have run; a `NoOp` of its name waits for all of it.
    Functions with a gradient of their own stay calls, as do calls within themselves and of functions with lists of
    arguments; who asks for such a gradient (`SymbolicGradient`) gets the body of it. Changes inputs in place.
    """
    if not library.function:
        return nodes, list(fetches)
    inliner = _Inliner(nodes, library)
    found = inliner.nodes()
    redirected(found, inliner.meant)
    return found, [inliner.meant(source) for source in fetches]


class _Inliner:
    """One graph; `_moved` are endpoints of calls and what stands for them, which may be of another call."""

    def __init__(self, nodes: Nodes, library: Any) -> None:
        self._given = nodes
        self._functions = functions_of(library)
        self._gradients = {each.function_name: each.gradient_func for each in library.gradient}
        self._library = Library(self._functions)
        everywhere = itertools.chain(nodes.values(), *(each.node_def for each in library.function))
        self._anchored = any(node.op in (*ENTER, *SWITCH) for node in everywhere)
        self._moved: dict[str, str] = {}
        self._names = set(nodes)

    def nodes(self) -> Nodes:
        """The nodes, and those of the bodies, that are no calls."""
        found: Nodes = {}
        pending: list[tuple[Any, tuple[str, ...]]] = [(node, ()) for node in reversed(self._given.values())]
        while pending:
            node, within = pending.pop()
            call = self._call(node, within)
            try:
                body = [] if call is None else self._inlined(call)
            except _NotInlinableError:
                call = None
            if call is None:
                found[node.name] = node
            else:
                inner = (*within, call.function.signature.name)
                pending += [(each, inner) for each in reversed(body)]
        return found

    def meant(self, source: str) -> str:
        """The endpoint that one stands for now."""
        while source in self._moved:
            source = self._moved[source]
        return source

    def _call(self, node: Any, within: tuple[str, ...]) -> _Call | None:
        """What a node calls, None if it is no call or has to stay one."""
        name, attributes = node.op, node.attr
        if node.op in CALLS:
            name, attributes = node.attr["f"].func.name, node.attr["f"].func.attr
        elif node.op == GRADIENT_OF:
            asked = node.attr["f"].func
            name, attributes = self._gradients.get(asked.name, ""), asked.attr
        if name not in self._functions or name in within or name in self._gradients:
            return None
        if _is_special(node):
            return None
        return _Call(node, self._functions[name], attributes, within)

    def _inlined(self, call: _Call) -> list[Any]:
        """The nodes that a call becomes; notes what its outputs are."""
        body = _Body(call, self._library)
        prefix = call.node.name
        while any(f"{prefix}/{name}" in self._names for name in body.nodes):
            prefix += "_"
        found = [self._placed(call, node, prefix, body) for node in body.nodes.values()]
        ends = [body.outside(source, prefix) for source in body.results]
        controls = [source for source in call.node.input if is_control(source)]
        effects = [f"^{prefix}/{name}" for name in body.effects]
        if effects or (controls and any(source in body.arguments for source in body.results)):
            found += [
                identity(f"{prefix}/result_{place}", [end, *controls, *effects], dtype)
                for place, (end, dtype) in enumerate(zip(ends, body.types, strict=True))
            ]
            ends = [f"{prefix}/result_{place}:0" for place in range(len(ends))]
        self._names.update(each.name for each in found)
        self._moved |= {f"{call.node.name}:{port}": end for port, end in enumerate(ends)}
        return [*found, waiting(call.node.name, [*ends, *effects, *controls])]

    def _placed(self, call: _Call, node: Any, prefix: str, body: _Body) -> Any:
        """A body's node, made one of the graph: it runs when the call would have, in the same loops and conditions."""
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
    """Whether a call says that it is compiled as one, or which gradient it has."""
    compiled, gradient = (node.attr.get(name) for name in ("_XlaMustCompile", CHOSEN))
    return (compiled is not None and compiled.b) or (
        gradient is not None and not DERIVED.fullmatch(gradient.s.decode())
    )


class _Body:
    """The body of a called function, in the form of a graph: endpoints "node:0", attributes with their values.

    `arguments`: endpoint -> what the call gives for it. `results`: an endpoint for each output, and `types`, their
    dtypes. `nodes`: copies of what these need, and `effects`, the nodes that run besides.
    """

    def __init__(self, call: _Call, library: Library) -> None:
        function = call.function
        arguments = [each.name for each in function.signature.input_arg]
        given = data_inputs(call.node)
        lists = [*function.signature.input_arg, *function.signature.output_arg]
        if len(given) != len(arguments) or any(each.number_attr or each.type_list_attr for each in lists):
            raise _NotInlinableError
        defaults = {each.name: each.default_value for each in function.signature.attr}
        self._values = {name: value for name, value in defaults.items() if value.WhichOneof("value")}
        self._values |= call.attributes
        self._library = library
        self._ports: dict[str, dict[tuple[str, int], int]] = {}
        self.arguments = {f"{name}:0": source for name, source in zip(arguments, given, strict=True)}
        nodes = stripped(by_name(self._bound(node) for node in function.node_def))
        for node in nodes.values():
            node.input[:] = [source if is_control(source) else self._flat(nodes, source) for source in node.input]
        outputs = function.signature.output_arg
        self.results = [self._flat(nodes, function.ret[each.name]) for each in outputs]
        self.types = [self._values[each.type_attr].type if each.type_attr else each.type for each in outputs]
        kept = needed(nodes, map(node_of, self.results))
        self.effects = [*dict.fromkeys([*function.control_ret.values(), *self._besides(nodes, kept)])]
        kept |= needed(nodes, self.effects)
        self.nodes = {name: node for name, node in nodes.items() if name in kept}

    def outside(self, source: str, prefix: str) -> str:
        """How an endpoint of the body is named in the graph."""
        return self.arguments.get(source, f"{prefix}/{source}")

    def _besides(self, nodes: Nodes, kept: set[str]) -> list[str]:
        """What a call runs although no result needs it."""
        try:
            return [name for name, node in nodes.items() if name not in kept and self._library.stateful([node])]
        except KeyError as error:
            raise _NotInlinableError from error

    def _bound(self, node: Any) -> Any:
        """A copy of a node in which attributes that the call decides have their values."""
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
        for each in functions:
            for inner in each.attr.values():
                self._bind(inner)

    def _flat(self, nodes: Nodes, source: str) -> str:
        """ "node:argument:1" -> "node:3"; "argument" -> "argument:0"."""
        name, *place = source.split(":")
        if f"{name}:0" in self.arguments:
            return f"{name}:0"
        try:
            if name not in self._ports:
                outputs = self._library.outputs(nodes[name])
                self._ports[name] = {(argument, index): port for port, (argument, index, _) in enumerate(outputs)}
            argument, index = (*place, "0")[:2]
            return f"{name}:{self._ports[name][argument, int(index)]}"
        except (KeyError, StopIteration, ValueError) as error:  # what TensorFlow, or the function itself, does not know
            raise _NotInlinableError from error
