"""Runs a session of a trace again through functions of a `GraphModule`, one for each form of call.

A random op of a session continues its sequence in each call. A random op of a function starts anew in each function.
Therefore the draws are taken from a v1 session of the same graph, which runs beside the functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.errors import BridgeError
from tf2bridge.formats.graphs.interface import Interface
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, needed, node_of, variable_nodes
from tf2bridge.formats.kinds import Kind
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.passes.frames import frames
from tf2bridge.proof.replaying.playing import Array, Played, Playing, Recorded
from tf2bridge.proof.replaying.refusals import NotPlayableError
from tf2bridge.proof.traces.records import CallRecord


class Functions:
    """As `Playing`, with functions in place of a session."""

    def __init__(self, recorded: Recorded, session: int) -> None:
        self.recorded = recorded
        self.number = session
        self._beside = Playing(recorded, session)
        self.calls = self._beside.calls
        self._drawing = _drawing(recorded)

    def __enter__(self) -> Functions:
        self._beside.__enter__()
        self._module = _module(self.recorded)
        self._live = {variable.name.removesuffix(":0"): variable for variable in self._module.variables}
        return self

    def __exit__(self, *_: object) -> None:
        self._beside.__exit__()

    def play(self, call: CallRecord) -> Played:
        """Runs one recorded call as a function. Raises NotPlayableError if no function can be made of it.

        A call of a helper, such as a Supervisor's check for initialised variables, runs in the session.
        """
        if call.via:
            played = self._beside.play(call)
            for name, value in self._beside.state(list(self._live)).items():
                if value is not None:
                    self._live[name].assign(value)
            return played
        names = [leaf.name for leaf in call.fetches if node_of(leaf.name) in self.recorded.nodes]
        feeds = self._beside.feeds(call)
        behind = needed(self.recorded.nodes, map(node_of, names), list(map(node_of, feeds)))
        drawn = [point for point in self._drawing if node_of(point) in behind and point not in feeds]
        beside = self._beside.play(call, drawn)
        if beside.error is not None or not names:
            return beside
        feeds |= beside.more
        try:
            function = self._module.function(list(feeds), list(dict.fromkeys(names)))
            results = function(*feeds.values())
        except (BridgeError, tf.errors.OpError, ValueError, TypeError) as error:
            why = f"not through a function: {str(error).splitlines()[0]}"
            raise NotPlayableError(self.recorded.trace.path, self.number, call.index, why) from error
        values = zip(dict.fromkeys(names), results, strict=True)
        return Played({n: np.asarray(v) for n, v in values if v is not None}, left_out=beside.left_out)

    def state(self, names: Sequence[str]) -> dict[str, Array | None]:
        """Returns the present values of the live variables."""
        return {name: self._live[name].numpy() for name in names}

    def give(self, values: Mapping[str, Any]) -> None:
        """Assigns these values to the live variables and to those of the session."""
        self._beside.give(values)
        for name, value in values.items():
            self._live[name].assign(value)

    def first_values(self, call: CallRecord) -> dict[str, Array]:
        """Returns the recorded values of the variables that first had one after this call."""
        return self._beside.first_values(call)

    def check_known(self, call: CallRecord) -> None:
        """Does what that of `Playing` does."""
        self._beside.check_known(call)


def _module(recorded: Recorded) -> GraphModule:
    variables = {}
    for name, node in variable_nodes(recorded.part).items():
        record = recorded.variables.get(name)
        dtype = tf.as_dtype(node.attr["dtype"].type)
        if record is not None and record.initial is not None:
            value = tf.convert_to_tensor(recorded.trace.value(record.initial), dtype)
        else:  # one that the program never read before it assigned it
            value = tf.zeros([size or 0 for size in tf.TensorShape(node.attr["shape"].shape).as_list()], dtype)
        trainable = record is not None and record.trainable
        variables[name] = tf.Variable(value, trainable, name=name, dtype=dtype, shape=tf.TensorShape(None))
    graph = LegacyGraph(recorded.trace.path, Kind.GRAPH, recorded.part)
    return GraphModule(graph, variables, Interface({}, {}, "as recorded"), name="recorded")


def _drawing(recorded: Recorded) -> list[str]:
    """Returns the outputs of random ops outside of loops, which can be given to a function."""
    random = {op.name for op in recorded.trace.graphs[recorded.number].random_ops}
    outside = frames(by_name(recorded.part.node))[""].nodes
    return [f"{name}:0" for name in outside if name in random]
