"""Compares what a native program did with its trace: first values, calls, last values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tf2bridge.errors import some
from tf2bridge.native.counterparts import Counterparts
from tf2bridge.native.likeness import unlike_draws
from tf2bridge.native.native_trace import NativeTrace
from tf2bridge.native.printed import printed_row
from tf2bridge.native.restarted import restarted
from tf2bridge.native.saved import unlike_checkpoints
from tf2bridge.native.summaries import summary_rows
from tf2bridge.native.wanted import Wanted
from tf2bridge.proof.comparing.by_modules import ByModules
from tf2bridge.proof.comparing.calls import Calls
from tf2bridge.proof.comparing.evidence import hollow_note, nothing_told
from tf2bridge.proof.comparing.rows import TAKEN_OVER, Comparison
from tf2bridge.proof.comparing.two_traces import Found, program_rows
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.traces.reader import Array, Trace
from tf2bridge.proof.traces.records import VariableRecord

_NAMED = 3
_LEAST_ALIKE = 2
"""How many numbers two variables need before it tells that they are the same."""


@dataclass(frozen=True)
class NativeFound(Found):
    """The result of a comparison.

    Attributes:
        otherwise: How initializers differ whose values were taken over.
    """

    otherwise: tuple[str, ...] = ()


def compare(
    actual: NativeTrace,
    recorded: Trace,
    known: Counterparts,
    rows: Sequence[Wanted],
    tolerance: Tolerance,
) -> NativeFound:
    """Compares every call that a function stands for, and every variable of the map.

    Args:
        actual: What the native program did.
        recorded: The trace of genuine TensorFlow.
        known: What stands for the recorded calls.
        rows: The recorded variables with the native ones.
        tolerance: For feeds, results and variables.
    """
    absent = [row.record for row in rows if not row.is_stated and row.name not in actual.own]
    rows = [row for row in rows if row.is_stated or row.name in actual.own]
    calls = Calls(actual, recorded, tolerance)
    by_modules = ByModules(actual, recorded, [(number, None) for number in range(len(recorded.graphs))], calls)
    first = _FirstValues(actual, tolerance)
    again = restarted(recorded, known)
    last = [row for row in rows if row.final is not None and (row.graph, row.record.name) not in again]
    placed = [
        *((row.record.initial_after_call or 0, first.row(row)) for row in rows if row.initial is not None),
        *program_rows(actual.pairs or (), calls),
        *by_modules.rows(),
        *_summary_rows(actual, recorded, known, tolerance),
        *((len(recorded.calls), _last_value(actual, row, tolerance)) for row in last),
    ]
    made = [row for _, row in sorted(placed, key=lambda item: item[0])]
    told, texts = printed_row(actual, recorded, tolerance)
    made += told if nothing_told(made) else []
    of_variables = (*_notes(actual, known, rows, absent), *_of_restarted(sorted(name for _, name in again)))
    notes = (*of_variables, *by_modules.notes(), *calls.notes(), *hollow_note(made), *texts)
    unproven = "; ".join(filter(None, (*_unproven(recorded, known, actual, absent), nothing_told(made))))
    otherwise = (*first.otherwise, *unlike_checkpoints(actual.checkpoints, recorded))
    return NativeFound(made, notes, unproven, tuple(actual.pairs or ()), otherwise)


def _summary_rows(
    actual: NativeTrace, recorded: Trace, known: Counterparts, tolerance: Tolerance
) -> Iterator[tuple[int, Comparison]]:
    written = {tag: [actual.value(ref) for ref in refs] for tag, refs in actual.summaries.items()}
    stood_for = {call.index: call for calls in known.by_function.values() for call, _ in calls}
    yield from summary_rows(written, recorded, [stood_for[index] for index in sorted(stood_for)], tolerance)


class _FirstValues:
    """Compares first values. Those that a program draws at random were taken over; their distributions are compared."""

    def __init__(self, actual: NativeTrace, tolerance: Tolerance) -> None:
        self._actual, self._tolerance = actual, tolerance
        self._drawn: dict[tuple[tuple[int, ...], bytes], Wanted] = {}
        self.otherwise: list[str] = []

    def row(self, wanted: Wanted) -> Comparison:
        """Returns the row of a variable."""
        expected = wanted.initial
        assert expected is not None
        refs = self._actual.own.get(wanted.name, [])[: 1 if wanted.is_drawn else None]  # later it has the recorded one
        own = [self._actual.value(ref) for ref in refs if ref is not None]
        if not own:
            apart = Distance(Verdict.MISSING, note=f"no variable {wanted.row.path} was made")
            return _row("initial", wanted, expected, apart)
        apart = min((distance(value, expected, self._tolerance) for value in own), key=lambda d: not d.verdict.passed)
        if apart.verdict is Verdict.DIFFERENT and wanted.is_drawn:
            unlike = unlike_draws(own[0], expected)
            if unlike:
                self.otherwise.append(f"initializer of {wanted.record.name}: {unlike}")
            self._note_twin(wanted, own[0], expected)
            apart = replace(distance(expected, expected, self._tolerance), note=TAKEN_OVER)
        return _row("initial", wanted, expected, apart)

    def _note_twin(self, wanted: Wanted, value: Array, expected: Array) -> None:
        """Notes two variables that have the same first values, where the recorded ones differ."""
        if value.size < _LEAST_ALIKE:
            return
        twin = self._drawn.setdefault((value.shape, value.tobytes()), wanted)
        if twin.record.name == wanted.record.name or twin.row.path == wanted.row.path:
            return  # variables of several graphs, which one of the native program may stand for
        if twin.initial is not None and twin.initial.tobytes() != expected.tobytes():
            names = f"{twin.record.name} and {wanted.record.name}"
            self.otherwise.append(f"initializers of {names}: the same numbers for both")


def _last_value(actual: NativeTrace, wanted: Wanted, tolerance: Tolerance) -> Comparison:
    expected = wanted.final
    assert expected is not None
    record = next((variable for variable in actual.graphs[0].variables if variable.name == wanted.name), None)
    if record is None or record.final is None:
        apart = Distance(Verdict.MISSING, note=f"no variable {wanted.row.path} was made")
    else:
        apart = distance(actual.value(record.final), expected, tolerance)
    return _row("final", wanted, expected, apart)


def _row(kind: str, wanted: Wanted, expected: Array, apart: Distance) -> Comparison:
    renamed = wanted.row.path if wanted.row.path != wanted.record.name else ""
    return Comparison(kind, None, wanted.record.name, renamed, "", expected.shape, apart)


def _of_restarted(names: Sequence[str]) -> Iterator[str]:
    if names:
        why = "the program initialized them again and did not use them any more"
        yield f"the last values of {some(names, _NAMED)} are not compared: {why}"


def _unproven(
    recorded: Trace, known: Counterparts, actual: NativeTrace, absent: Sequence[VariableRecord]
) -> Iterator[str]:
    """Yields why equal rows prove less than all."""
    silent = [name for name, calls in known.by_function.items() if not calls and name in actual.functions]
    if silent:
        yield f"the recorded program never called what {some(silent, _NAMED)} stands for"
    if known.unmapped:
        places = dict.fromkeys(call.where or call.step for call in known.unmapped)
        yield f"the map has nothing for {len(known.unmapped)} recorded calls ({some(list(places), _NAMED)})"
    gone = [variable.name for variable in absent if _counts(recorded, variable)]
    if gone:
        yield f"the map has nothing for {len(gone)} recorded variables ({some(gone, _NAMED)})"
    if actual.elsewhere:
        yield f"{actual.elsewhere} calls of functions in other threads were not logged"


def _counts(recorded: Trace, variable: VariableRecord) -> bool:
    """Returns whether a variable that the map lacks can hide a difference: no scalar, and it is trained or changes."""
    if variable.initial is None or variable.final is None or not recorded.value(variable.final).shape:
        return False
    return variable.trainable or variable.initial != variable.final


def _notes(
    actual: NativeTrace, known: Counterparts, rows: Sequence[Wanted], absent: Sequence[VariableRecord]
) -> Iterator[str]:
    idle = [name for name in known.by_function if name not in actual.functions]
    if idle:
        yield f"not run, so nothing is proven of them: {some(idle, len(idle))}"
    if actual.unmapped:
        shown = [f"{name} ({times} calls)" for name, times in actual.unmapped.items()]
        yield f"the map does not name {some(shown, len(shown))}: what these return is not compared"
    mapped = {row.name for row in rows}
    others = [item.name for item in actual.graphs[0].variables if item.trainable and item.name not in mapped]
    if others:
        yield f"the map does not name the variables {some(others, _NAMED)}"
    kinds: dict[str, int] = {}
    for _, row in known.dropped:
        kinds[row.kind] = kinds.get(row.kind, 0) + 1
    if kinds:
        shown = [f"{times} {kind}" for kind, times in kinds.items()]
        yield f"{len(known.dropped)} recorded calls became nothing and are not compared: {some(shown, len(shown))}"
    if absent:
        yield f"no variable stands for {some([variable.name for variable in absent], _NAMED)}"
