"""The calls that an Estimator made for a program, as if the program had made them itself.

An Estimator runs sessions of its own. The recorder names the line of the program that called `train`, `evaluate` or
`predict` for each of these calls. Some of them compute what the program asked for; their tensors are here those of the
model alone, without those of hooks:

- training: the training op, and the loss behind it (`_train_with_estimator_spec` of 1.15.5).
- evaluation: an op that updates the metrics, for each batch. The values of the metrics are fetched once at the end;
  they are here those of the last batch, since the metrics do not change between.
- prediction: the predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, GraphRecord, Leaf

STEPS, UPDATES, _ENDS = "estimator", "evaluation", "basic_session_run_hooks"
"""The modules of TensorFlow that make these calls."""
_COUNTER = "global_step"


class ProgramTrace(Trace):
    """A trace in which calls of Estimators are calls of the program, if the program made no calls itself.

    Attributes:
        has_estimator: Whether it has such calls.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.has_estimator = not self.program_calls and any(call.via in (STEPS, UPDATES) for call in self.calls)
        if self.has_estimator:
            self.calls = tuple(_positioned(self.calls))
            self.graphs = tuple(_of_one_model(self.graphs))
            del self.program_calls  # it was computed of the calls as they were


def _of_one_model(graphs: Sequence[GraphRecord]) -> Iterator[GraphRecord]:
    """Yields the graphs with each variable once: later graphs got its values from checkpoints of earlier ones."""
    final = {record.name: record.final for graph in graphs for record in graph.variables if record.final is not None}
    seen: set[str] = set()
    for graph in graphs:
        new = [record for record in graph.variables if record.name not in seen]
        seen |= {record.name for record in new}
        yield replace(graph, variables=tuple(replace(record, final=final.get(record.name)) for record in new))


def _positioned(calls: Sequence[CallRecord]) -> Iterator[CallRecord]:
    """Yields the calls; what computes for the program has a position, and what only told that the data end goes."""
    ends = {index: end for end in calls if end.via == _ENDS for index in _last_update(end, calls)}
    position = 0
    for call in calls:
        if not call.where or call.via not in (STEPS, UPDATES):
            yield call
            continue
        if call.error is not None and "OutOfRangeError" in call.error:
            continue
        fetches = _of_model(call) if call.via == STEPS else _of_metrics(ends.get(call.index))
        yield replace(call, via="", position=position, fetches=fetches)
        position += 1


def _last_update(end: CallRecord, calls: Sequence[CallRecord]) -> Iterator[int]:
    """Yields the index of the last update of metrics in the session of a call that ends it."""
    before = [call for call in calls if call.index < end.index and call.session == end.session]
    updates = [call.index for call in before if call.via == UPDATES and call.error is None]
    if updates and end.where:
        yield updates[-1]


def _of_model(call: CallRecord) -> tuple[Leaf, ...]:
    """Returns the training op and the loss behind it, or else the predictions."""
    places = [place for place, leaf in enumerate(call.fetches) if ":" not in leaf.name]
    return call.fetches[places[-1] : places[-1] + 2] if places else call.fetches


def _of_metrics(end: CallRecord | None) -> tuple[Leaf, ...]:
    """Returns the values of the metrics, in the order of their names, without the number of the step."""
    return tuple(leaf for leaf in end.fetches if node_of(leaf.name) != _COUNTER) if end is not None else ()
