"""The static shapes of what loops and conditions give: those that hold for every iteration and for both branches.

TensorFlow takes what a `While` gives for what it was given, unless its attribute `output_shapes` says otherwise
(core/ops/functional_ops.cc, WhileShapeInferenceFn): wrong where a value grows, and then `tf.shape` of it, folded to a
constant, is wrong too. Of an `If` it knows nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2
from tensorflow.python.framework.function_def_to_graph import function_def_to_graph_def

from tf2bridge.graph.nodes import Nodes, by_name, copied, data_inputs, endpoint, is_control, needed, node_of, ordered

_LOOPS = ("While", "StatelessWhile")
_CHOICES = ("If", "StatelessIf")
_UNKNOWN = tf.TensorShape(None)
_ROUNDS = 4
"""After so many iterations a shape that still changes is taken for unknown; each takes away at least one known size."""


def with_output_shapes(graph_def: Any) -> Any:
    """Returns the GraphDef whose loops and conditions say their shapes; changes it in place.

    Functions in which loops lie get new ones beside them, as they say the shapes of one call.
    """
    nodes = by_name(graph_def.node)
    flow = [name for name, node in nodes.items() if node.op in (*_LOOPS, *_CHOICES)]
    if flow:
        wanted = needed(nodes, flow)
        shapes = _Inference(graph_def.library)
        shapes.follow({name: node for name, node in nodes.items() if name in wanted})
        graph_def.library.function.extend(shapes.made.values())
    return graph_def


class _Inference:
    """The shapes in a graph, found part by part: what lies behind a loop is imported when its shapes are said.

    One `tf.Graph` takes all parts of graphs and bodies of functions, under whatever names.
    """

    def __init__(self, library: Any) -> None:
        self._functions = {each.signature.name: each for each in library.function}
        self.made: dict[str, Any] = {}
        self._graph = tf.Graph()
        self._new: list[Any] = list(library.function)
        self._import({}, [])

    def follow(self, nodes: Nodes) -> Callable[[str], Any]:
        """Returns endpoint -> `tf.TensorShape`; the loops and conditions among the nodes then say their shapes."""
        made: dict[str, Any] = {}
        waiting: list[Any] = []
        for name in ordered(_without_controls(nodes)):
            node = nodes[name]
            if node.op in (*_LOOPS, *_CHOICES):
                self._import(made, waiting)
                self._say(node, [_tensor(made, source).shape for source in data_inputs(node)])
                waiting = []
            waiting.append(node)
        self._import(made, waiting)
        return lambda source: _tensor(made, endpoint(source)).shape

    def _say(self, node: Any, given: Sequence[Any]) -> None:
        try:
            found = self._loop(node, given) if node.op in _LOOPS else self._choice(node, given[1:])
        except (ValueError, TypeError):  # shapes that do not fit, which only a run may tell
            found = [_UNKNOWN] * len(node.attr["T" if node.op in _LOOPS else "Tout"].list.type)
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
        function = self._functions[name]
        with self._graph.as_default():  # where it looks for the functions that this one calls
            graph_def, flat = function_def_to_graph_def(function, [shape.as_proto() for shape in given])
        nodes = by_name(graph_def.node)
        shape = self.follow(nodes)
        results = [function.ret[each.name] for each in function.signature.output_arg]
        return [shape(flat.get(source, source)) for source in results], self._copy(function, nodes)

    def _copy(self, function: Any, nodes: Mapping[str, Any]) -> str:
        """A function of the same nodes whose loops and conditions say their shapes, if it has any."""
        if not any(node.op in (*_LOOPS, *_CHOICES) for node in function.node_def):
            return str(function.signature.name)
        copy = copied(function)
        for node in copy.node_def:
            if node.op in (*_LOOPS, *_CHOICES):
                for key in ("output_shapes", "body", "then_branch", "else_branch"):
                    if key in node.attr:
                        node.attr[key].CopyFrom(nodes[node.name].attr[key])
        digest = hashlib.sha256(copy.SerializeToString(deterministic=True)).hexdigest()[:12]
        copy.signature.name = f"{function.signature.name}_{digest}"
        if copy.signature.name not in self.made:
            self.made[copy.signature.name] = copy
            self._new.append(copy)
        return str(copy.signature.name)

    def _import(self, made: dict[str, Any], nodes: Sequence[Any]) -> None:
        """Adds the operations of the nodes to `made`, by the nodes' names."""
        part = graph_pb2.GraphDef()
        part.versions.producer = tf.version.GRAPH_DEF_VERSION
        part.library.function.extend(self._new)
        self._new.clear()
        known: dict[str, Any] = {}
        names = dict.fromkeys(node.name for node in nodes)
        for node in nodes:
            kept = part.node.add()
            kept.CopyFrom(node)
            kept.input[:] = data_inputs(node)
            known |= {each: _tensor(made, each) for each in kept.input if node_of(each) not in names}
        with self._graph.as_default():
            found = tf.graph_util.import_graph_def(part, known, list(names), name="")
        made.update(zip(names, found, strict=True))


def _tensor(made: Mapping[str, Any], source: str) -> Any:
    name, _, port = source.rpartition(":")
    return made[name].outputs[int(port)]


def _without_controls(nodes: Nodes) -> Nodes:
    found = {}
    for name, node in nodes.items():
        found[name] = node
        if any(is_control(source) for source in node.input):
            found[name] = copied(node)
            found[name].input[:] = data_inputs(node)
    return found
