"""The static shapes of what loops and conditions give: those that hold for every iteration and for both branches.

TensorFlow takes what a `While` gives for what it was given, unless its attribute `output_shapes` says otherwise
(core/ops/functional_ops.cc, WhileShapeInferenceFn): wrong where a value grows, and then `tf.shape` of it, folded to a
constant, is wrong too. Of an `If` it knows nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.called import CHOICES, LOOPS, functions_of
from tf2bridge.formats.graphs.nodes import Nodes, by_name, copied, data_inputs, is_control, node_of
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.prune import placeholder
from tf2bridge.graph.shape_inference import ShapedGraph, tensor

_FLOW = frozenset((*LOOPS, *CHOICES))
_UNKNOWN = tf.TensorShape(None)
_ROUNDS = 4
"""After so many iterations a shape that still changes is taken for unknown; each takes away at least one known size."""


def with_output_shapes(graph_def: Any) -> Any:
    """Returns the GraphDef whose loops and conditions say their shapes; changes it in place.

    Functions in which loops lie get new ones beside them, as they say the shapes of one call.
    """
    flow = [node.name for node in graph_def.node if node.op in _FLOW]
    if flow:
        shapes = _Inference(graph_def.library)
        shapes.follow(by_name(graph_def.node), flow, [])
        graph_def.library.function.extend(shapes.made.values())
    return graph_def


class _Inference:
    """The shapes in a graph, found part by part: what lies behind a loop is looked at when its shapes are said."""

    def __init__(self, library: Any) -> None:
        self._library = Library(functions_of(library))
        self.made: dict[str, Any] = {}

    def follow(self, nodes: Nodes, flow: Iterable[str], ends: Sequence[str]) -> list[Any]:
        """Returns the shape of each of `ends`, endpoints; the loops and conditions named in `flow` then say theirs."""
        parts = _parts(nodes, [*flow, *map(node_of, ends)])
        read = {*_crossing(parts), *map(node_of, ends)}
        graph = ShapedGraph()
        made: dict[str, Any] = {}
        for part in parts:
            if part and part[0].op in _FLOW:
                self._say(part[0], [tensor(made, source).shape for source in data_inputs(part[0])])
            graph = ShapedGraph() if graph.full else graph
            names = {node.name for node in part}
            sources = {source for node in part for source in data_inputs(node) if node_of(source) not in names}
            known = {source: tensor(made, source) for source in sources}
            made |= graph.add(part, known, [name for name in names if name in read], self._bodies(part))
        return [tensor(made, source).shape for source in ends]

    def _bodies(self, nodes: Sequence[Any]) -> list[Any]:
        """The functions that are operations of the nodes."""
        return [self._library.functions[op] for op in {node.op for node in nodes} & self._library.functions.keys()]

    def _say(self, node: Any, given: Sequence[Any]) -> None:
        try:
            found = self._loop(node, given) if node.op in LOOPS else self._choice(node, given[1:])
        except (ValueError, TypeError):  # shapes that do not fit, which only a run may tell
            found = [_UNKNOWN] * len(node.attr["T" if node.op in LOOPS else "Tout"].list.type)
        del node.attr["output_shapes"].list.shape[:]
        node.attr["output_shapes"].list.shape.extend(shape.as_proto() for shape in found)

    def _loop(self, node: Any, given: Sequence[Any]) -> list[Any]:
        shapes = list(given)
        for _ in range(_ROUNDS):
            after, body = self._called(node.attr["body"].func.name, shapes)
            kept = [one.most_specific_compatible_shape(two) for one, two in zip(shapes, after, strict=True)]
            if [str(each) for each in kept] == [str(each) for each in shapes]:
                node.attr["body"].func.name = body
                return kept
            shapes = kept
        return [one if str(one) == str(two) else _UNKNOWN for one, two in zip(shapes, given, strict=True)]

    def _choice(self, node: Any, given: Sequence[Any]) -> list[Any]:
        branches = [self._called(node.attr[branch].func.name, given) for branch in ("then_branch", "else_branch")]
        for branch, (_, name) in zip(("then_branch", "else_branch"), branches, strict=True):
            node.attr[branch].func.name = name
        (one, _), (two, _) = branches
        return [here.most_specific_compatible_shape(there) for here, there in zip(one, two, strict=True)]

    def _called(self, name: str, given: Sequence[Any]) -> tuple[list[Any], str]:
        """The shapes that a function gives for arguments of these, and the name of it with such loops inside."""
        function = self._library.functions[name]
        flat = _endpoints(function, self._library)
        nodes = _body(function, flat, given)
        results = [flat[function.ret[each.name]] for each in function.signature.output_arg]
        flow = [node.name for node in function.node_def if node.op in _FLOW]
        return self.follow(nodes, flow, results), self._copy(function, nodes, flow)

    def _copy(self, function: Any, nodes: Mapping[str, Any], flow: Sequence[str]) -> str:
        """A function of the same nodes whose loops and conditions, `flow`, say their shapes, if it has any."""
        if not flow:
            return str(function.signature.name)
        copy = copied(function)
        for node in copy.node_def:
            if node.op in _FLOW:
                for key in ("output_shapes", "body", "then_branch", "else_branch"):
                    if key in node.attr:
                        node.attr[key].CopyFrom(nodes[node.name].attr[key])
        digest = hashlib.sha256(copy.SerializeToString(deterministic=True)).hexdigest()[:12]
        copy.signature.name = f"{function.signature.name}_{digest}"
        self.made.setdefault(copy.signature.name, copy)
        return str(copy.signature.name)


def _parts(nodes: Nodes, ends: Iterable[str]) -> list[list[Any]]:
    """What the nodes `ends` need, each node behind what it reads; a loop or condition is the first of a new part.

    A node lies no further before what needs it than it has to: constants near their readers.
    """
    found: list[list[Any]] = [[]]
    seen: set[str] = set()
    pending = [(name, False) for name in ends]
    while pending:
        name, all_there = pending.pop()
        if all_there:
            if nodes[name].op in _FLOW and found[-1]:
                found.append([])
            found[-1].append(nodes[name])
        elif name not in seen:
            seen.add(name)
            pending.append((name, True))
            read = map(node_of, data_inputs(nodes[name]))
            pending += [(each, False) for each in sorted(read, key=lambda each: bool(nodes[each].input))]
    return found


def _crossing(parts: Sequence[Sequence[Any]]) -> set[str]:
    """The names of the nodes that other parts read."""
    place = {node.name: number for number, part in enumerate(parts) for node in part}
    return {
        node_of(source)
        for number, part in enumerate(parts)
        for node in part
        for source in data_inputs(node)
        if place[node_of(source)] != number
    }


def _endpoints(function: Any, library: Library) -> dict[str, str]:
    """How a function's body writes an endpoint -> how a graph does."""
    found = {argument.name: f"{argument.name}:0" for argument in function.signature.input_arg}
    for node in function.node_def:
        for port, (argument, index, _) in enumerate(library.outputs(node)):
            found[f"{node.name}:{argument}:{index}"] = f"{node.name}:{port}"
    return found


def _body(function: Any, endpoints: Mapping[str, str], shapes: Sequence[Any]) -> Nodes:
    """The nodes of a function's body as those of a graph, less what they wait for, and placeholders for arguments."""
    given = zip(function.signature.input_arg, shapes, strict=True)
    found = {argument.name: placeholder(argument.name, argument.type, shape.as_proto()) for argument, shape in given}
    for node in function.node_def:
        found[node.name] = copied(node)
        found[node.name].input[:] = [endpoints.get(each, each) for each in node.input if not is_control(each)]
    return found
