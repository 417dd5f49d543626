"""One session of a trace run again: the recorded graph, untouched, in a v1 session of TensorFlow 2.

What touches files, processes or Python is not in the graph (`tf2bridge.formats.graphs.audit`), nor what depends on it;
a recorded call of it is left out, and the values that it gave to variables for the first time are the recorded ones.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.formats.graphs.audit import harmless_part, refused
from tf2bridge.formats.graphs.nodes import Nodes, by_name, needed, node_of, variable_nodes
from tf2bridge.graph.legacy_session import config_of
from tf2bridge.graph.op_checks import known_part
from tf2bridge.graph.passes.strip import without_shapes
from tf2bridge.graph.session_variables import assign, has_value, read
from tf2bridge.proof.replaying.refusals import NotPlayableError
from tf2bridge.proof.replaying.runner_threads import RunnerThreads, is_of_runner
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf, VariableRecord

v1 = tf.compat.v1
Array = np.ndarray[Any, Any]

_PATIENCE_MS = 60_000
"""How long a call may wait, as for a queue that a thread of the program filled, before the session is given up."""
_ASSIGNING = ("Assign", "AssignVariableOp", "AssignAdd", "AssignSub")


@dataclass(frozen=True)
class Played:
    """What one call gave: endpoint -> value. `error`: what it raised; `left_out`: why it, or part of it, was not run.

    `more`: the values of the further endpoints that were asked for.
    """

    values: Mapping[str, Array] = field(default_factory=dict)
    more: Mapping[str, Array] = field(default_factory=dict)
    error: str | None = None
    left_out: str = ""


class Recorded:
    """One graph of a trace, as far as it can be run.

    What touches files, processes or Python is left out, and so are ops that this TensorFlow does not have.
    """

    def __init__(self, trace: Trace, number: int) -> None:
        from tf2bridge.internals.protos import graph_pb2

        self.trace = trace
        self.number = number
        self.whole = graph_pb2.GraphDef.FromString(trace.graph_def(number))
        self.part = without_shapes(known_part(harmless_part(self.whole, ())))

    @cached_property
    def nodes(self) -> Nodes:
        """The nodes that can be run."""
        return by_name(self.part.node)

    @cached_property
    def variables(self) -> dict[str, VariableRecord]:
        """The recorded variables that are nodes of the part."""
        known = variable_nodes(self.part)
        return {
            variable.name: variable for variable in self.trace.graphs[self.number].variables if variable.name in known
        }

    @cached_property
    def unseeded(self) -> set[str]:
        """The random ops without a seed."""
        return {op.name for op in self.trace.graphs[self.number].random_ops if not op.seed and not op.seed2}

    @cached_property
    def drawn_variables(self) -> set[str]:
        """The variables whose values come from random ops without a seed."""
        nodes, drawn = self.nodes, set[str]()
        for node in nodes.values() if self.unseeded else ():
            if node.op in _ASSIGNING and not self.unseeded.isdisjoint(needed(nodes, map(node_of, node.input[1:2]))):
                drawn.add(node_of(node.input[0]))
        return drawn

    def why_left_out(self, names: Sequence[str]) -> str:
        """Returns why the ops behind these names are not run."""
        nodes = by_name(self.whole.node)
        behind = needed(nodes, [node_of(name) for name in names])
        refusals = refused([nodes[name] for name in sorted(behind)], self.whole.library)
        return (
            f"{refusals[0]}"
            if refusals
            else "this TensorFlow has no such op, or it is not in the graph as it was recorded"
        )

    def given_by(self, names: Sequence[str]) -> set[str]:
        """Returns the variables to which a call of these names assigns values."""
        nodes = by_name(self.whole.node)
        behind = needed(nodes, [node_of(name) for name in names])
        assigning = (nodes[name] for name in behind if nodes[name].op in _ASSIGNING)
        return {node_of(node.input[0]) for node in assigning}


class Playing:
    """A session of a recorded graph; its calls are run in their order with `play`, all up to one with `play_until`.

    exact: the graph runs as it is written, without the fusions that change numbers.
    """

    def __init__(self, recorded: Recorded, session: int, exact: bool = False) -> None:
        self.recorded = recorded
        self.number = session
        self._exact = exact
        trace = recorded.trace
        mine = [call for call in trace.calls if (call.graph, call.session) == (recorded.number, session)]
        self.calls = sorted(mine, key=lambda call: call.index)
        self._given: dict[str, tuple[Any, Any]] = {}
        self._reads: dict[str, tuple[Any, Any]] = {}
        self._unknown: set[str] = set()

    def __enter__(self) -> Playing:
        self.graph = tf.Graph()
        self._open = contextlib.ExitStack()
        with self.graph.as_default():
            tf.graph_util.import_graph_def(self.recorded.part, name="")
        self._session = v1.Session(graph=self.graph, config=config_of(self._exact))
        self._runners = RunnerThreads(self.calls, self._run_plainly)
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()
        self._runners.end()

    def play(self, call: CallRecord, more: Sequence[str] = (), given: Mapping[str, Array] | None = None) -> Played:
        """Runs one recorded call with its recorded feeds, and in the same run gets the endpoints `more`.

        `given`: further endpoints that are fed. A call of a queue runner begins its thread. Raises NotPlayableError
        where a call waits for what no thread gives.
        """
        names = list(dict.fromkeys(leaf.name for leaf in call.fetches))
        known = [name for name in names if node_of(name) in self.recorded.nodes]
        unknown = [name for name in names if name not in known]
        if unknown:
            self._unknown |= self.recorded.given_by(unknown)
        left_out = self.recorded.why_left_out(unknown) if unknown else ""
        if is_of_runner(call) and not unknown:
            self._runners.begin(call.thread)
            return Played(error=call.error)
        if not known and not more:
            return Played(left_out=left_out)
        try:
            results = self.run([*known, *more], self.feeds(call) | dict(given or {}))
        except tf.errors.OpError as error:
            if isinstance(error, tf.errors.DeadlineExceededError) and call.error is None:
                why = "it waits for a queue that nothing fills"
                raise NotPlayableError(self.recorded.trace.path, self.number, call.index, why) from error
            return Played(error=f"{type(error).__name__}: {error.message.splitlines()[0]}", left_out=left_out)
        values = dict(zip(known, results[: len(known)], strict=True))
        return Played(values, dict(zip(more, results[len(known) :], strict=True)), None, left_out)

    def run(self, names: Sequence[str], feeds: Mapping[str, Any]) -> list[Any]:
        """Runs endpoints and operations by name, and returns their values; None for an operation."""
        elements = [self.graph.as_graph_element(name) for name in names]
        options = v1.RunOptions(timeout_in_ms=_PATIENCE_MS)
        return [_array(result) for result in self._session.run(elements, dict(feeds), options=options)]

    def feeds(self, call: CallRecord) -> dict[str, Array]:
        """Returns the recorded feeds, and the recorded results of random ops without a seed, that the graph has."""
        drawn = [leaf for leaf in call.intermediate if node_of(leaf.name) in self.recorded.unseeded]
        leaves = [leaf for leaf in (*call.feeds, *drawn) if leaf.value is not None]
        return {leaf.name: self._value(leaf) for leaf in leaves if node_of(leaf.name) in self.recorded.nodes}

    @cached_property
    def of_runners(self) -> set[str]:
        """The variables that queue runners use. Their values are uncertain, because threads run at any time."""
        names = [node_of(leaf.name) for call in self.calls if is_of_runner(call) for leaf in call.fetches]
        return needed(self.recorded.nodes, [name for name in names if name in self.recorded.nodes]) & {
            *variable_nodes(self.recorded.part)
        }

    def _run_plainly(self, call: CallRecord) -> None:
        """Runs a call for its side effects, without a time limit."""
        elements = [self.graph.as_graph_element(leaf.name) for leaf in call.fetches]
        self._session.run(elements, self.feeds(call))

    def inner(self, call: CallRecord) -> list[str]:
        """Returns the inner tensors that were asked for and recorded with a call, as far as the graph has them.

        Those of random ops without a seed are given, and not computed.
        """
        given = self.feeds(call)
        names = [leaf.name for leaf in self.recorded.trace.inner(call) if leaf.value is not None]
        return [name for name in names if node_of(name) in self.recorded.nodes and name not in given]

    def state(self, names: Sequence[str]) -> dict[str, Array | None]:
        """Returns variable -> current value; None for an uninitialized variable."""
        with self.graph.as_default():
            for name in names:
                if name not in self._reads:
                    self._reads[name] = read(self.graph, name), has_value(self.graph, name)
        known = self._session.run([self._reads[name][1] for name in names]) if names else []
        present = [name for name, is_known in zip(names, known, strict=True) if is_known]
        results = self._session.run([self._reads[name][0] for name in present]) if present else []
        values = dict(zip(present, map(_array, results), strict=True))
        return {name: values.get(name) for name in names}

    def give(self, values: Mapping[str, Any]) -> None:
        """Assigns values to variables."""
        if not values:
            return
        with self.graph.as_default():
            for name in values:
                if name not in self._given:
                    feed = v1.placeholder(self.graph.get_operation_by_name(name).get_attr("dtype"))
                    self._given[name] = assign(self.graph, name, feed), feed
        given = [self._given[name] for name in values]
        self._session.run(
            [target for target, _ in given],
            {feed: value for value, (_, feed) in zip(values.values(), given, strict=True)},
        )
        self._unknown -= set(values)

    def first_values(self, call: CallRecord) -> dict[str, Array]:
        """Returns the recorded values of the variables that this call initialized."""
        variables = self.recorded.variables.values()
        fresh = {variable.name: variable.initial for variable in variables if variable.initial_after_call == call.index}
        return {name: self.recorded.trace.value(ref) for name, ref in fresh.items() if ref is not None}

    def check_known(self, call: CallRecord) -> None:
        """Raises NotPlayableError after a call that was left out gave variables values that the trace does not hold."""
        if self._unknown & self.recorded.variables.keys():
            event = f"{call.via or 'the program'} gave {sorted(self._unknown)[0]} a value out of a file"
            raise NotPlayableError(self.recorded.trace.path, self.number, call.index, event)

    def _value(self, leaf: Leaf) -> Array:
        assert leaf.value is not None  # a feed has one
        return self.recorded.trace.value(leaf.value)


def _array(value: Any) -> Any:
    """Returns a value as a trace gives it: a text is an array of objects; None stays."""
    return (
        np.asarray(value, object) if isinstance(value, (bytes, str)) else None if value is None else np.asarray(value)
    )


def sessions_of(trace: Trace, graph: int) -> Iterator[int]:
    """Yields the numbers of the sessions of a graph, in order."""
    yield from sorted({call.session for call in trace.calls if call.graph == graph})
