"""The part of a graph that one call runs: points with values, and the points from which each follows.

A point is an endpoint ("conv/BiasAdd:0"). The point of a variable ("w:0") is its value before the call. The point of an
operation that changes a variable ("train/update_w:0") is the value after the call. Operations inside loops and
branches, array handles, lists and the flows of TensorArrays have no values. They are skipped: their consumers follow
from their inputs, so that a loop is one step from its inputs to its outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, data_inputs, endpoint, needed, node_of, ordered
from tf2bridge.graph.passes.frames import EXIT, MERGE, NEXT, SWITCH, frames
from tf2bridge.graph.passes.passing_ops import PASSING, reached
from tf2bridge.proof.comparing.changing import TAKES
from tf2bridge.proof.diverging.pipelines import pipeline

_UPDATES = ("Assign", "AssignAdd", "AssignSub", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp")
_OVERWRITING = ("Assign", "AssignVariableOp")
_READS = ("Identity", "ReadVariableOp")
_SUMS = ("Add", "AddV2", "AddN")
_TAKING_FLOWS = {
    f"TensorArray{method}V{version}"
    for method in ("Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Grad")
    for version in (2, 3)
}
_NO_VALUE = (tf.resource, tf.variant)


class Structure:
    """One call of a graph.

    `nodes`: those of the graph. `functions`: those of the graph, by name. `updates`: the operation that changes a
    variable last -> the variable.
    """

    def __init__(
        self,
        nodes: Nodes,
        graph: Any,
        fetches: Iterable[str],
        fed: Iterable[str],
        functions: Mapping[str, Any] | None = None,
    ) -> None:
        self._graph, self._held, self._functions = graph, nodes, functions or {}
        self.fed = set(fed)
        run = needed(nodes, [node_of(fetch) for fetch in fetches], [node_of(fetch) for fetch in self.fed])
        self.nodes = {name: node for name, node in nodes.items() if name in run}
        names = ordered(self.nodes, lambda a, b: self.nodes[a].op in NEXT and self.nodes[b].op in MERGE)
        self._fetched = {endpoint(fetch) for fetch in fetches if ":" in fetch}
        self._inputs: dict[str, list[tuple[str, ...]]] = {}
        self._hidden = self._inside()
        self._flows = self._of_arrays()
        self._changing = {name: self._variable(name) for name in names if self._variable(name)}
        last = {variable: name for name, variable in self._changing.items()}
        self.updates = {name: variable for variable, name in last.items()}
        self.points = [point for name in names for point in self._points_of(name)]
        self.order = {point: place for place, point in enumerate(self.points)}

    def op(self, point: str) -> str:
        """Returns the type of the operation behind a point."""
        return str(self.nodes[node_of(point)].op)

    def is_variable(self, point: str) -> bool:
        """Returns True if a point is a variable's value before the call."""
        return self.op(point) in HANDLES

    def inputs(self, point: str) -> list[tuple[str, ...]]:
        """Returns, for each data input of a point's operation, the points from which it follows."""
        name = node_of(point)
        if point in self.fed or self.nodes[name].op in HANDLES:
            return []
        if name not in self._inputs:
            sources = data_inputs(self.nodes[name])[self.nodes[name].op in _OVERWRITING :]
            self._inputs[name] = [self._from(source, name) for source in sources]
            earlier = [update for update, v in self._changing.items() if v == self.updates.get(name) and update != name]
            further = [
                point
                for update in earlier
                for source in data_inputs(self.nodes[update])
                for point in self._from(source, update)
            ]
            self._inputs[name] += [tuple(dict.fromkeys(further))] if further else []
        return self._inputs[name]

    def sources(self, point: str) -> list[str]:
        """Returns the points from which a point follows, without repetition."""
        return list(dict.fromkeys(point for group in self.inputs(point) for point in group))

    def before(self, end: str) -> set[str]:
        """Returns a point and all points from which it follows, directly or not."""
        behind: set[str] = set()
        pending = [end]
        while pending:
            point = pending.pop()
            if point not in behind:
                behind.add(point)
                pending += self.sources(point)
        return behind

    def fetchable(self) -> list[str]:
        """Returns the points whose values can be fetched: all but the variables."""
        return [
            point
            for point in self.points
            if point not in self.fed and node_of(point) not in self.updates and self.op(point) not in HANDLES
        ]

    @cached_property
    def constant(self) -> set[str]:
        """The points that follow from constants alone, by operations that have no state."""
        constant: set[str] = set()
        for point in self.points:
            node = self.nodes[node_of(point)]
            if point in self.fed or node_of(point) in self.updates or self._is_stateful(node.name):
                continue
            sources = self.sources(point)
            if node.op == "Const" or (sources and all(source in constant for source in sources)):
                constant.add(point)
        return constant

    def _is_stateful(self, name: str) -> bool:
        """Returns True if an operation may return another value in each call, such as a variable or a random op."""
        return bool(self._graph.get_operation_by_name(name).op_def.is_stateful)

    @cached_property
    def consumers(self) -> dict[str, list[str]]:
        """Point -> the points that follow from it directly."""
        consumers: dict[str, list[str]] = {}
        for point in self.points:
            for source in self.sources(point):
                consumers.setdefault(source, []).append(point)
        return consumers

    def loop_of(self, point: str) -> str:
        """Returns the name of the loop whose output a point is; "" for none."""
        around = (self._frame_of.get(name, "") for name in (node_of(point), *self.inner(point)))
        return next(filter(None, around), "")

    @cached_property
    def _valued(self) -> set[str]:
        """The names of the nodes that have points, or read variables."""
        return {node_of(point) for point in self.points} | {name for name in self.nodes if self._root(f"{name}:0")}

    @cached_property
    def _frame_of(self) -> dict[str, str]:
        return {name: frame.name for frame in frames(self.nodes).values() for name in frame.nodes if frame.name}

    def inner(self, point: str) -> Mapping[str, Any]:
        """Returns the nodes without values from which a point follows: those of the loop, or the branches, that end
        there.

        For an element of a queue or dataset: the nodes that make the elements.
        """
        if TAKES.search(self.op(point)):
            return pipeline(node_of(point), self._held, self._functions)
        inner: dict[str, Any] = {}
        pending = [node_of(point)]
        while pending:
            for source in self.nodes[pending.pop()].input:
                name = node_of(source)
                if name in self.nodes and name not in self._valued and name not in inner:
                    inner[name] = self.nodes[name]
                    pending.append(name)
        return inner

    def _inside(self) -> set[str]:
        """Returns the nodes within loops and branches."""
        all_frames = frames(self.nodes)
        inside = set()
        for frame in all_frames.values():
            if frame.name:
                leaving = EXIT if frame.depth == 1 else ()
                inside |= {name for name, node in frame.nodes.items() if node.op not in leaving}
        depth: dict[str, int] = {}
        outside = all_frames[""].nodes
        for name in ordered(outside):
            node = outside[name]
            around = max((depth.get(node_of(source), 0) for source in node.input), default=0)
            depth[name] = around + (node.op in SWITCH) - (node.op in MERGE and around > 0)
        return inside | {name for name, deep in depth.items() if deep}

    def _of_arrays(self) -> set[str]:
        """Endpoints that are the flow of a TensorArray, a number that stands for its contents."""
        made = []
        for name, node in self.nodes.items():
            if node.op.startswith("TensorArray"):
                kind = node.op.removeprefix("TensorArray").rstrip("V23")
                made += [f"{name}:1"] if kind in ("", "Grad", "GradWithShape") else []
                made += [f"{name}:0"] if kind in ("Write", "Scatter", "Split", "Unpack") else []
        return reached(self.nodes, made) | self._flowing_in()

    def _flowing_in(self) -> set[str]:
        """Endpoints that array operations take as their flow, which is the last input; in gradients these are sums."""
        taking = [node for node in self.nodes.values() if node.op in _TAKING_FLOWS]
        pending = [data_inputs(node)[-1] for node in taking if len(data_inputs(node)) > 1]
        flowing: set[str] = set()
        while pending:
            source = pending.pop()
            node = self.nodes.get(node_of(source))
            if source not in flowing and node is not None and node.op in (*PASSING, *_SUMS):
                flowing.add(source)
                pending += data_inputs(node)
        return flowing

    def _variable(self, name: str) -> str:
        """Returns the variable that an operation changes, "" for none."""
        node = self.nodes[name]
        if not (node.op in _UPDATES or "Apply" in node.op or "Scatter" in node.op) or not data_inputs(node):
            return ""
        source = node_of(data_inputs(node)[0])
        while source in self.nodes and (self.nodes[source].op == "Identity" or self._changes(source)):
            source = node_of(self.nodes[source].input[0])
        return source if source in self.nodes and self.nodes[source].op in HANDLES else ""

    def _changes(self, name: str) -> bool:
        return self.nodes[name].op in _UPDATES[:3]

    def _points_of(self, name: str) -> list[str]:
        node = self.nodes[name]
        if name in self._hidden:
            return []
        if node.op in HANDLES or name in self.updates:
            return [f"{name}:0"]
        if name in self._changing:
            return []
        outputs = self._graph.get_operation_by_name(name).outputs
        if node.op in _READS and self._reads(name) and not self._fetched & {f"{name}:0"}:
            return []
        named = [
            str(output.name) for output in outputs if output.dtype not in _NO_VALUE and not output.dtype._is_ref_dtype
        ]
        return [name for name in named if name not in self._flows]

    def _reads(self, name: str) -> bool:
        sources = data_inputs(self.nodes[name])
        return bool(sources) and self._root(sources[0]) != ""

    def _root(self, source: str) -> str:
        """Returns the variable that an endpoint is or reads; "" for none."""
        name = node_of(source)
        while name in self.nodes and endpoint(source) not in self.fed and self.nodes[name].op in _READS:
            name = node_of(self.nodes[name].input[0])
        return name if name in self.nodes and self.nodes[name].op in HANDLES else ""

    def _from(self, source: str, asking: str) -> tuple[str, ...]:
        """Returns the points from which an input follows."""
        points: dict[str, None] = {}
        pending, seen = [(source, asking)], {source}
        while pending:
            source, asking = pending.pop(0)
            if variable := self._root(source):
                points[self._read_by(variable, asking, source)] = None
            elif source in self.known or source in self.fed:
                points[source] = None
            elif node_of(source) in self.nodes:
                further = data_inputs(self.nodes[node_of(source)]) + self._pushed.get(node_of(source), [])
                pending += [
                    (further_source, node_of(source)) for further_source in further if further_source not in seen
                ]
                seen.update(further)
        return tuple(points)

    @cached_property
    def _pushed(self) -> dict[str, list[str]]:
        """Stack -> the endpoints that a loop pushes, and its gradient pops."""
        pushed: dict[str, list[str]] = {}
        pushes = [node for node in self.nodes.values() if node.op.startswith("StackPush")]
        for name, node in self.nodes.items():
            if node.op in ("Stack", "StackV2"):
                handles = reached(self.nodes, [f"{name}:0"])
                pushed[name] = [data_inputs(push)[1] for push in pushes if data_inputs(push)[0] in handles]
        return pushed

    @cached_property
    def known(self) -> set[str]:
        """All points, as a set."""
        return set(self.points)

    def _read_by(self, variable: str, asking: str, source: str) -> str:
        """Returns the variable's value before the call, or the result of an update for which the reader waits."""
        name = node_of(source)
        for update, changed in reversed(self.updates.items()):
            if changed == variable and {asking, name} & self._after[update]:
                return f"{update}:0"
        return f"{variable}:0"

    @cached_property
    def _after(self) -> dict[str, set[str]]:
        """Update -> the nodes that wait for it."""
        consumers: dict[str, list[str]] = {}
        for name, node in self.nodes.items():
            for source in node.input:
                consumers.setdefault(node_of(source), []).append(name)
        order: dict[str, set[str]] = {}
        for update in self.updates:
            pending = list(consumers.get(update, ()))
            after: set[str] = set()
            while pending:
                name = pending.pop()
                if name not in after:
                    after.add(name)
                    pending += consumers.get(name, ())
            order[update] = after
        return order
