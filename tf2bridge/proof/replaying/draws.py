"""Feeds a program the recorded values that it cannot compute again, call by call.

Random ops without a seed draw other numbers in every run (python/framework/random_seed.py), such as the masks of
dropout. A program with such ops can be compared only if it gets the recorded numbers. The same holds for data that
differ in every run, such as those of a clock or a simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.proof.recording.hooks import Call
from tf2bridge.proof.recording.recorder import Recorder
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_AHEAD = 50
"""The most recorded calls that are skipped if the program does not make them."""


class Course:
    """Finds the recorded call of each call while the program runs: the next one, or the nearest with equal fetches.

    A call with the fetches of the previous recorded call, and not of the next one, is an additional call without a
    recorded one. `comparing.aligning` pairs calls better, after the program has ended.
    """

    def __init__(self, reference: Trace) -> None:
        self._calls = [
            call for call in reference.program_calls if call.kind != "callable"
        ]  # recorded values are not fed to these
        self._fetches = [tuple(sorted(modern(leaf.name) for leaf in call.fetches)) for call in self._calls]
        self._is_part = bool(reference.manifest["left_out"])
        self._by_position = {call.position: call for call in reference.program_calls}
        self._next = 0

    def at(self, position: int, fetches: Sequence[str], graph: Any) -> CallRecord | None:
        """Returns the recorded call for the program's current call, or None. Call it once for each call."""
        if self._is_part:
            return self._by_position.get(position)
        place = self._place(tuple(sorted(map(modern, fetches))), graph)
        if place is None:
            return None
        self._next = place + 1
        return self._calls[place]

    def _place(self, fetches: tuple[str, ...], graph: Any) -> int | None:
        if self._next < len(self._calls) and self._fetches[self._next] == fetches:
            return self._next
        ahead = self._distance(fetches, range(self._next, min(self._next + _AHEAD, len(self._calls))))
        behind = self._distance(fetches, range(self._next - 1, max(self._next - 1 - _AHEAD, -1), -1))
        if ahead is not None and (behind is None or ahead <= behind):
            return self._next + ahead
        if ahead is not None or behind is not None or self._next >= len(self._calls):
            return None
        is_to_come = all(_is_in(graph, name) for name in self._fetches[self._next])
        return None if is_to_come else self._next  # otherwise the call fetches the same tensors under other names

    def _distance(self, fetches: tuple[str, ...], places: Sequence[int]) -> int | None:
        return next((distance for distance, place in enumerate(places) if self._fetches[place] == fetches), None)


def _is_in(graph: Any, name: str) -> bool:
    try:
        graph.as_graph_element(name)
    except (KeyError, ValueError):
        return False
    return True


class SteeringRecorder(Recorder):
    """Records a program, and feeds it recorded values: the results of unseeded random ops, and feeds.

    `Course` matches the calls that the program makes in its main thread. Ops are matched by name, in the spelling of
    the latest release. The fed random values are left out of the record.

    Args:
        reference: The trace.
        drawn: Whether unseeded random ops get their recorded results.
        fed: Whether the program's feeds are replaced by the recorded ones.

    Attributes:
        given: The names of the ops that got recorded results.
        fed: The names of the tensors that were fed recorded values.
    """

    def __init__(self, reference: Trace, drawn: bool, fed: bool, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._is_drawn, self._is_fed = drawn, fed
        self._reference = reference
        self._course = Course(reference)
        self.given: set[str] = set()
        self.fed: set[str] = set()

    def steer(self, call: Call, frame: Any) -> None:
        position = self.position(self._places.origin(frame)[0])
        if position is None:
            return
        recorded = self._course.at(position, call.plan.names if call.plan else (), call.session.graph)
        if call.kind != "run" or recorded is None:
            return
        if self._is_fed:
            call.feed_dict = self._fed(call, recorded)
        if self._is_drawn:
            drawn = self._drawn(call.session.graph, recorded)
            call.feed_dict = {**drawn, **(call.feed_dict or {})}
            call.steered = {tensor.name for tensor in drawn}
            self.given |= {tensor.op.name for tensor in drawn}

    def _fed(self, call: Call, recorded: CallRecord) -> Any:
        """Returns the feeds, with recorded values for tensors that were fed in the recorded call in the same shape."""
        try:
            given = dict(self._hooks.given(call.session.graph, call.feed_dict))
        except Exception:
            return call.feed_dict  # TensorFlow reports the error
        for leaf in recorded.feeds:
            tensor = next((tensor for tensor in given if tensor.name in (leaf.name, modern(leaf.name))), None)
            if tensor is None or leaf.value is None:
                continue
            value = self._reference.value(leaf.value)
            if np.shape(given[tensor]) == value.shape:
                given[tensor] = value
                self.fed.add(tensor.name)
        return given

    def _drawn(self, graph: Any, recorded: CallRecord) -> dict[Any, Any]:
        """Returns tensor -> its recorded value, for results of ops without a seed in both graphs."""
        types = {op.name: op.type for op in self._reference.graphs[recorded.graph].random_ops if not op.seed | op.seed2}
        values = {}
        for leaf in (*recorded.intermediate, *recorded.fetches):
            name, _, port = leaf.name.partition(":")
            if leaf.value is None or name not in types:
                continue
            tensor = _unseeded(graph, name, int(port), types[name])
            if tensor is None or not graph.is_feedable(tensor):
                continue
            value = self._reference.value(leaf.value)
            if tensor.shape.is_compatible_with(value.shape):
                values[tensor] = value
        return values


def _unseeded(graph: Any, name: str, port: int, kind: str) -> Any:
    """Returns the output of the unseeded op of this kind and name, or of its modern name; else None."""
    for spelling in dict.fromkeys((name, modern(name))):
        try:
            op = graph.get_operation_by_name(spelling)
        except KeyError:
            continue
        if op.type == kind and not op.get_attr("seed") and not op.get_attr("seed2"):
            return op.outputs[port]
    return None
