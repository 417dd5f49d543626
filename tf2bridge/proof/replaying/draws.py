"""What random ops without a seed drew when a program was recorded, given to them again, call by call.

They draw other numbers in every run (python/framework/random_seed.py), as the masks of dropout; so a program with such
ops can be compared only if it is given the recorded ones.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.checkpoint.names import modern
from tf2bridge.proof.recording.hooks import Call
from tf2bridge.proof.recording.recorder import Recorder
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord


class SteeringRecorder(Recorder):
    """Records a program, and feeds its unseeded random ops what they drew in the same call of a trace.

    The calls that the program itself makes in its main thread are matched by their position, ops by their names, those
    that changed between releases by their modern form. What is fed so is left out of the record.

    Attributes:
        given: names of the ops that were given recorded numbers.
    """

    def __init__(self, reference: Trace, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._reference = reference
        self._recorded = {call.position: call for call in reference.program_calls}
        self.given: set[str] = set()

    def steer(self, call: Call, frame: Any) -> None:
        position = self.position(self._places.origin(frame)[0])
        if call.kind == "run" and position in self._recorded:
            drawn = self._drawn(call.session.graph, self._recorded[position])
            call.feed_dict = {**drawn, **(call.feed_dict or {})}
            call.steered = {tensor.name for tensor in drawn}
            self.given |= {tensor.op.name for tensor in drawn}

    def _drawn(self, graph: Any, recorded: CallRecord) -> dict[Any, Any]:
        """Tensors of a graph and what they were in a recorded call, of ops that have no seed there and here."""
        types = {op.name: op.type for op in self._reference.graphs[recorded.graph].random_ops if not op.seed | op.seed2}
        found = {}
        for leaf in (*recorded.intermediate, *recorded.fetches):
            name, _, port = leaf.name.partition(":")
            if leaf.value is None or name not in types:
                continue
            tensor = _unseeded(graph, name, int(port), types[name])
            if tensor is None or not graph.is_feedable(tensor):
                continue
            value = self._reference.value(leaf.value)
            if tensor.shape.is_compatible_with(value.shape):
                found[tensor] = value
        return found


def _unseeded(graph: Any, name: str, port: int, kind: str) -> Any:
    """The result of the op of this name, or of its modern form, if it is of this kind and has no seed; else None."""
    for each in dict.fromkeys((name, modern(name))):
        try:
            op = graph.get_operation_by_name(each)
        except KeyError:
            continue
        if op.type == kind and not op.get_attr("seed") and not op.get_attr("seed2"):
            return op.outputs[port]
    return None
