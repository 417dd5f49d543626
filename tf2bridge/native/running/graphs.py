"""One graph with the bodies of all called functions, in which the search for the first op can run each call.

Variables are VarHandleOps named as in the new trace, and placeholders have the legacy names, so that functions share
both. A body is the graph of a traced function, its nodes below a name of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codemods.native.native_map import Call
from tf2bridge.formats.graphs.audit import refused
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.native.running.given import Made
from tf2bridge.native.running.logged import Logged
from tf2bridge.native.running.op_seeds import GOING_ON
from tf2bridge.proof.recording.places import Places

_OF_PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")


@dataclass
class Body:
    """The traced function of some calls, and its place in the graph.

    Attributes:
        scope: What its nodes lie below.
        feeds: Number of a flattened argument -> the endpoint that is fed.
        fetches: Number of a flattened result -> the endpoint that is fetched.
    """

    scope: str
    concrete: Any
    row: Call | None
    feeds: dict[int, str] = field(default_factory=dict)
    fetches: dict[int, str] = field(default_factory=dict)

    @property
    def run(self) -> str:
        """The operation that does all that the function does."""
        return f"{self.scope}/run"


class FunctionGraphs:
    """Collects bodies, and makes the graph.

    Args:
        places: Finds the lines of the program.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._by_key: dict[tuple[int, Call | None], int] = {}
        self.bodies: list[Body] = []

    def body(self, logged: Logged, row: Call | None) -> int | None:
        """Returns the number of the body of a call that stands for a row of the map; None if it was not traced."""
        if logged.concrete is None:
            return None
        key = id(logged.concrete), row
        if key not in self._by_key:
            self._by_key[key] = len(self.bodies)
            name = logged.function.rpartition(":")[2].rpartition(".")[2].strip("<>") or "function"
            self.bodies.append(Body(f"{name}_{len(self.bodies)}", logged.concrete, row))
        return self._by_key[key]

    def draws(self, ops: Sequence[tuple[str, Any, str]]) -> list[tuple[str, str]]:
        """Returns (recorded endpoint, endpoint in the graph) of random ops; see `OpSeeds.made`."""
        return [
            (f"{recorded}:0", f"{body.scope}/{name}:0")
            for body in self.bodies
            for recorded, graph, name in ops
            if body.concrete.graph is graph
        ]

    def merged(self, made: Sequence[Made]) -> tuple[Any, dict[str, list[str]]]:
        """Returns the GraphDef with all bodies, and line -> the ops that it made."""
        import tensorflow as tf

        graph = tf.Graph().as_graph_def()
        lines: dict[str, list[str]] = {}
        names: set[str] = set()
        handles = {id(variable.variable.handle): variable for variable in made}
        for body in self.bodies:
            _Adding(graph, body, names, handles).add()
            for op in body.concrete.graph.get_operations():
                if line := self._places.creation(op):
                    lines.setdefault(line, []).append(f"{body.scope}/{op.name}")
        return graph, lines


class _Adding:
    """Adds one body to the graph."""

    def __init__(self, graph: Any, body: Body, names: set[str], handles: Mapping[int, Made]) -> None:
        self._graph, self._body, self._names, self._handles = graph, body, names, handles
        self._instead: dict[str, str] = {}
        self._unsafe: set[str] = set()

    def add(self) -> None:
        function = self._body.concrete
        definition = function.graph.as_graph_def()
        for node in (node for item in definition.library.function for node in item.node_def):
            if node.op in _OF_PYTHON and node.name.rpartition("/")[2].startswith(GOING_ON):
                _forwarding(node)  # in a branch: the op that it gets draws by the seeds, too
        known = {item.signature.name for item in self._graph.library.function}
        self._graph.library.function.extend(
            item for item in definition.library.function if item.signature.name not in known
        )
        if not self._graph.versions.producer:
            self._graph.versions.CopyFrom(definition.versions)
        if refused(definition.node, definition.library):
            self._unsafe = {node.name for node in definition.node if refused([node], definition.library)}
        captured = function.captured_inputs
        arguments = function.inputs[: len(function.inputs) - len(captured)]
        for outer, inner in zip(captured, function.inputs[len(arguments) :], strict=True):
            self._capture(outer, inner)
        self._feed(arguments)
        for node in definition.node:
            if node.name not in self._instead:
                copy = self._graph.node.add()
                copy.CopyFrom(node)
                copy.name = f"{self._body.scope}/{node.name}"
                del copy.input[:]
                copy.input.extend(self._renamed(source) for source in node.input if not self._is_left_out(source))
                copy.attr.pop("_class", None)
                if copy.op in _OF_PYTHON:  # this input stands for a drawn value, which the search gives to both sides
                    _forwarding(copy)
        self._fetch()

    def _is_left_out(self, source: str) -> bool:
        """Returns whether an input only waits for what writes files, as summaries, which the search does not run."""
        return source.startswith("^") and node_of(source) in self._unsafe

    def _renamed(self, source: str) -> str:
        mark = "^" if source.startswith("^") else ""
        name = node_of(source)
        port = source.partition(":")[1] + source.partition(":")[2]
        return mark + self._instead.get(name, f"{self._body.scope}/{name}") + ("" if name in self._instead else port)

    def _capture(self, outer: Any, inner: Any) -> None:
        import tensorflow as tf

        if id(outer) in self._handles:
            made = self._handles[id(outer)]
            self._instead[inner.op.name] = made.name
            if made.name not in self._names:
                self._names.add(made.name)
                node = self._graph.node.add(name=made.name, op="VarHandleOp")
                node.attr["dtype"].type = made.variable.dtype.as_datatype_enum
                node.attr["shape"].shape.CopyFrom(made.variable.shape.as_proto())
                node.attr["shared_name"].s = made.name.encode()
        elif outer.dtype not in (tf.resource, tf.variant):
            name = f"{self._body.scope}/captured/{inner.op.name}"
            self._instead[inner.op.name] = name
            node = self._graph.node.add(name=name, op="Const")
            node.attr["dtype"].type = outer.dtype.as_datatype_enum
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(outer.numpy()))

    def _feed(self, arguments: Sequence[Any]) -> None:
        import tensorflow as tf

        leaves = tf.nest.flatten(self._body.concrete.structured_input_signature)
        places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, tf.TensorSpec)]
        if len(places) != len(arguments):
            return  # an argument is no plain tensor: calls of this function cannot be run from the graph
        legacy = self._body.row.feeds if self._body.row is not None else ()
        for place, tensor in zip(places, arguments, strict=True):
            name = node_of(legacy[place]) if place < len(legacy) and legacy[place] else ""
            name = name or f"{self._body.scope}/{tensor.op.name}"
            self._instead[tensor.op.name] = name
            self._body.feeds[place] = f"{name}:0"
            if name not in self._names:
                self._names.add(name)
                node = self._graph.node.add(name=name, op="Placeholder")
                node.attr["dtype"].type = tensor.dtype.as_datatype_enum
                node.attr["shape"].shape.unknown_rank = True

    def _fetch(self) -> None:
        import tensorflow as tf

        function = self._body.concrete
        legacy = self._body.row.fetches if self._body.row is not None else ()
        outputs = iter(function.outputs)
        leaves = tf.nest.flatten(function.structured_outputs, expand_composites=True)
        for place, leaf in enumerate(leaves):
            if not hasattr(leaf, "dtype"):
                continue  # None, or another value of Python
            output = next(outputs, None)
            if output is None:
                return
            wanted = node_of(legacy[place]) if place < len(legacy) else ""
            name = wanted if wanted and wanted not in self._names else f"{self._body.scope}/result_{place}"
            self._names.add(name)
            node = self._graph.node.add(name=name, op="Identity", input=[self._renamed(output.name)])
            node.attr["T"].type = output.dtype.as_datatype_enum
            self._body.fetches[place] = f"{name}:0"
        last = [f"^{op.name}" for op in function.graph.control_outputs]
        runs = [self._renamed(name) for name in last if not self._is_left_out(name)]
        self._graph.node.add(name=self._body.run, op="NoOp", input=dict.fromkeys(runs))


def _forwarding(node: Any) -> None:
    """Makes a node of Python hand on what it gets, if it gets and gives one tensor of a type."""
    types = node.attr["Tin"].list.type, node.attr["Tout"].list.type
    if len(types[0]) == 1 and list(types[0]) == list(types[1]):
        dtype = types[0][0]
        node.op = "Identity"
        node.attr.clear()
        node.attr["T"].type = dtype
