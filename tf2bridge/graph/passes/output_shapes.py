"""Sets the output shapes of loops and conditions to those that hold for every iteration and for both branches.

TensorFlow infers the output shapes of a `While` from its inputs, unless its attribute `output_shapes` is set
(core/ops/functional_ops.cc, WhileShapeInferenceFn). That is wrong if a value grows, and then `tf.shape` of it, folded
to a constant, is wrong too. TensorFlow infers no output shapes of an `If`.
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
"""The number of iterations after which a shape that still changes is unknown. Each loses at least one known size."""


def with_output_shapes(graph_def: Any) -> Any:
    """Sets the output shapes of loops and conditions of a GraphDef, in place; returns the GraphDef.

    A function that contains loops is copied for each call, since the shapes are those of one call.
    """
    flow = [node.name for node in graph_def.node if node.op in _FLOW]
    if flow:
        shapes = _Inference(graph_def.library)
        shapes.follow(by_name(graph_def.node), flow, [])
        graph_def.library.function.extend(shapes.made.values())
    return graph_def


class _Inference:
    """Infers the shapes of a graph part by part: a part that follows a loop comes after the loop's shapes are set."""

    def __init__(self, library: Any) -> None:
        self._library = Library(functions_of(library))
        self.made: dict[str, Any] = {}

    def follow(self, nodes: Nodes, flow: Iterable[str], ends: Sequence[str]) -> list[Any]:
        """Returns the shapes of the endpoints `ends`, and sets those of the loops and conditions named in `flow`."""
        parts = _parts(nodes, [*flow, *map(node_of, ends)])
        read = {*_crossing(parts), *map(node_of, ends)}
        graph = ShapedGraph()
        operations: dict[str, Any] = {}
        for part in parts:
            if part and part[0].op in _FLOW:
                self._set_shapes(part[0], [tensor(operations, source).shape for source in data_inputs(part[0])])
            graph = ShapedGraph() if graph.full else graph
            names = {node.name for node in part}
            sources = {source for node in part for source in data_inputs(node) if node_of(source) not in names}
            known = {source: tensor(operations, source) for source in sources}
            operations |= graph.add(part, known, [name for name in names if name in read], self._bodies(part))
        return [tensor(operations, source).shape for source in ends]

    def _bodies(self, nodes: Sequence[Any]) -> list[Any]:
        """Returns the functions that are operations of the nodes."""
        return [self._library.functions[op] for op in {node.op for node in nodes} & self._library.functions.keys()]

    def _set_shapes(self, node: Any, input_shapes: Sequence[Any]) -> None:
        try:
            shapes = self._loop(node, input_shapes) if node.op in LOOPS else self._choice(node, input_shapes[1:])
        except (ValueError, TypeError):  # shapes do not fit together; whether that is an error, only a run tells
            shapes = [_UNKNOWN] * len(node.attr["T" if node.op in LOOPS else "Tout"].list.type)
        del node.attr["output_shapes"].list.shape[:]
        node.attr["output_shapes"].list.shape.extend(shape.as_proto() for shape in shapes)

    def _loop(self, node: Any, initial: Sequence[Any]) -> list[Any]:
        shapes = list(initial)
        for _ in range(_ROUNDS):
            results, body = self._called(node.attr["body"].func.name, shapes)
            kept = [before.most_specific_compatible_shape(later) for before, later in zip(shapes, results, strict=True)]
            if [str(shape) for shape in kept] == [str(shape) for shape in shapes]:
                node.attr["body"].func.name = body
                return kept
            shapes = kept
        return [
            before if str(before) == str(later) else _UNKNOWN for before, later in zip(shapes, initial, strict=True)
        ]

    def _choice(self, node: Any, input_shapes: Sequence[Any]) -> list[Any]:
        branches = [
            self._called(node.attr[branch].func.name, input_shapes) for branch in ("then_branch", "else_branch")
        ]
        for branch, (_, name) in zip(("then_branch", "else_branch"), branches, strict=True):
            node.attr[branch].func.name = name
        (if_true, _), (if_false, _) = branches
        return [first.most_specific_compatible_shape(second) for first, second in zip(if_true, if_false, strict=True)]

    def _called(self, name: str, input_shapes: Sequence[Any]) -> tuple[list[Any], str]:
        """Returns the result shapes of a function for these argument shapes, and the name of its copy for them."""
        function = self._library.functions[name]
        flat = _endpoints(function, self._library)
        nodes = _body(function, flat, input_shapes)
        results = [flat[function.ret[output.name]] for output in function.signature.output_arg]
        flow = [node.name for node in function.node_def if node.op in _FLOW]
        return self.follow(nodes, flow, results), self._copy(function, nodes, flow)

    def _copy(self, function: Any, nodes: Mapping[str, Any], flow: Sequence[str]) -> str:
        """Copies a function with the shapes of its loops and conditions, `flow`; returns the name of the copy.

        A function without loops and conditions is not copied.
        """
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
    """Returns the nodes that the nodes `ends` need, in parts; a loop or condition is the first node of a part.

    A node follows its inputs as late as possible, so that constants are near their readers.
    """
    parts: list[list[Any]] = [[]]
    seen: set[str] = set()
    pending = [(name, False) for name in ends]
    while pending:
        name, is_ready = pending.pop()
        if is_ready:
            if nodes[name].op in _FLOW and parts[-1]:
                parts.append([])
            parts[-1].append(nodes[name])
        elif name not in seen:
            seen.add(name)
            pending.append((name, True))
            read = map(node_of, data_inputs(nodes[name]))
            pending += [(source, False) for source in sorted(read, key=lambda source: bool(nodes[source].input))]
    return parts


def _crossing(parts: Sequence[Sequence[Any]]) -> set[str]:
    """Returns the names of the nodes that other parts read."""
    place = {node.name: number for number, part in enumerate(parts) for node in part}
    return {
        node_of(source)
        for number, part in enumerate(parts)
        for node in part
        for source in data_inputs(node)
        if place[node_of(source)] != number
    }


def _endpoints(function: Any, library: Library) -> dict[str, str]:
    """Returns name of an endpoint in a function's body -> its name in a graph."""
    names = {argument.name: f"{argument.name}:0" for argument in function.signature.input_arg}
    for node in function.node_def:
        for port, (argument, index, _) in enumerate(library.outputs(node)):
            names[f"{node.name}:{argument}:{index}"] = f"{node.name}:{port}"
    return names


def _body(function: Any, endpoints: Mapping[str, str], shapes: Sequence[Any]) -> Nodes:
    """Returns the nodes of a function's body in a graph's form, without control inputs, and argument placeholders."""
    arguments = zip(function.signature.input_arg, shapes, strict=True)
    nodes = {
        argument.name: placeholder(argument.name, argument.type, shape.as_proto()) for argument, shape in arguments
    }
    for node in function.node_def:
        nodes[node.name] = copied(node)
        nodes[node.name].input[:] = [endpoints.get(source, source) for source in node.input if not is_control(source)]
    return nodes
