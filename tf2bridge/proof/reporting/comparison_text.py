"""Shows a comparison of two sides: a table for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.table import Table

from codemods.printable import printable
from tf2bridge.errors import some
from tf2bridge.printing import OutputConsole
from tf2bridge.proof.comparing.outcome import Compared
from tf2bridge.proof.comparing.rows import CHECKPOINT, WORST, Comparison, first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.reporting import worst_text
from tf2bridge.proof.reporting.figures import figure, row_as_json
from tf2bridge.proof.reporting.replay_text import growth_as_json, growth_lines
from tf2bridge.proof.trajectories.growth import WORST_FIRST, Growth, growths_of_bad
from tf2bridge.proof.worst.outcome import WorstInputs

_EACH = 40
"""Up to this many rows have a line each. If there are more, rows that passed in the same way share a line."""
_NAMED = 5
_MANY_ULPS = 100_000
_HEAD = ("", "A -> B", "shape", "max|B-A|", "ulps", "rtol needed", "verdict")


def print_text(result: Compared) -> None:
    """Prints the sides, the table and the conclusion on standard output."""
    console = OutputConsole()
    console.print(printable(f"A, what is expected: {result.a} ({result.kinds[0]})"))
    console.print(printable(f"B, held against it:  {result.b} ({result.kinds[1]})"))
    console.print(table(result.rows))
    console.print(summary(result))
    over = "steps" if any(row.kind == CHECKPOINT for row in result.rows) else "calls"
    for line in growth_lines(_grown(result), {}, over):
        console.print(line)


def _grown(result: Compared) -> list[Growth]:
    """Returns the growth of the differences that did not pass, over calls or steps, faults first."""
    return sorted(growths_of_bad(result.rows), key=lambda growth: WORST_FIRST.index(growth.reading))


def summary(result: Compared) -> str:
    """Returns the conclusion in a few lines; it names the first difference."""
    notes = (printable(note if note.startswith(" ") else f"note: {note}") for note in result.notes)
    searched = worst_text.lines(result.worst) if result.worst is not None else []
    return "\n".join([*notes, *searched, *_alone(result), *_conclusion(result)])


def _alone(result: Compared) -> Iterable[str]:
    for side, names in (("A", result.only_a), ("B", result.only_b)):
        if names:
            yield printable(f"only in {side}: {some(names, _NAMED)}")


def _conclusion(result: Compared) -> Iterable[str]:
    if result.how:
        yield "matched by " + ", ".join(f"{rule}: {count}" for rule, count in result.how.items())
    rows = [row for row in result.rows if row.distance.verdict is not Verdict.MISSING]
    bad = first_divergence(result.rows)
    if not rows:
        yield "NOT EQUAL: nothing of both could be compared"
        yield from map(printable, result.incomplete)
    elif bad is not None:
        different = sum(not row.passed for row in rows)
        missing = len(result.rows) - len(rows)
        parts = [f"{different} of {len(rows)} tensors differ"] if different else []
        parts += [f"{missing} are on one side only"] if missing else []
        yield f"NOT EQUAL: {', '.join(parts)}"
        yield f"first: {describe(bad)}"
        if result.worst is not None and not _is_told(result.worst, bad):
            yield describe(result.worst.worst.judged.row)
        yield from (printable(f"also: {why}") for why in result.incomplete)
    elif result.unproven:
        yield printable(f"NOT PROVEN: what was compared is equal, but {result.unproven}")
    else:
        yield _equal(rows)


def _is_told(worst: WorstInputs, bad: Comparison) -> bool:
    """Returns True if no further difference has to be shown: the first is the worst, or the search found none worse."""
    judged = worst.worst.judged
    return judged.row is bad or judged.row.passed or judged.run <= worst.starts


def _equal(rows: Sequence[Comparison]) -> str:
    bits = sum(row.distance.verdict is Verdict.EQUAL for row in rows)
    if bits == len(rows):
        return f"EQUAL: {len(rows)} tensors, bit for bit"
    needed = max(row.distance.needed_rtol for row in rows)
    return f"EQUAL within tolerance: {len(rows)} tensors, {bits} bit for bit, the others need rtol {figure(needed)}"


def describe(row: Comparison) -> str:
    """Describes the difference of one tensor, with all figures."""
    apart = row.distance
    kind, line = ("value", "") if row.kind == CHECKPOINT else (row.kind, f" ({row.where or 'no line known'})")
    where = f"{row.step}{line}, " if row.call is not None else ""
    if row.kind == WORST:
        kind, where = "output", f"{row.step}, "
    heading = printable(f"{where}{kind} of {_named(row)}: {apart.note or apart.verdict.value}")
    if apart.values is None:
        return heading
    place = f" at {list(apart.worst)}" if apart.worst else ""
    quantiles = ", ".join(figure(gap) for gap in apart.quantiles)
    lines = [
        f"{heading}; {apart.mismatches} of {apart.elements} elements "
        f"out of rtol {apart.rtol:.3g}, atol {apart.atol:.3g}",
        f"  worst{place}: A {_value(apart.values[1])}, B {_value(apart.values[0])}",
        f"  passes with rtol {_needed(apart.needed_rtol)} and that atol, or atol {_needed(apart.needed_atol)} alone",
        f"  |B-A| of 50, 90, 99, 100 % of the elements: {quantiles}{' (sampled)' if apart.sampled else ''}; "
        f"cosine {apart.cosine:.9g}" + (f"; {apart.ulps:,} ulps" if apart.ulps is not None else ""),
    ]
    for special, (ours, theirs) in (("NaN", apart.nans), ("infinite", apart.infinities)):
        if ours or theirs:
            lines.append(f"  {special}: {theirs} in A, {ours} in B")
    return "\n".join(lines)


def _needed(value: float) -> str:
    return f"{value:.3g}" if value < float("inf") else "none"


def _value(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else repr(value)


def table(rows: Sequence[Comparison]) -> Table:
    """Returns the rows as a table. B is compared with A."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in _HEAD:
        right = name in ("max|B-A|", "ulps", "rtol needed")
        shown.add_column(name, justify="right" if right else "left", no_wrap=right, overflow="fold")
    for group in _groups(rows):
        shown.add_row(*map(printable, _cells(group)), style="" if group[0].passed else "bold red")
    return shown


def _groups(rows: Sequence[Comparison]) -> list[list[Comparison]]:
    """Groups rows that share a line: those missing for one reason, and, of many rows, those that passed."""
    groups: dict[object, list[Comparison]] = {}
    for number, row in enumerate(rows):
        key: object = number
        if row.distance.verdict is Verdict.MISSING:
            key = (row.kind, row.distance.note)
        elif row.passed and len(rows) > _EACH:
            key = (row.kind, row.distance.verdict, row.tensor if row.call is not None else "")
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def _cells(group: Sequence[Comparison]) -> tuple[str, ...]:
    first = max(group, key=lambda row: row.distance.needed_rtol)
    names = list(dict.fromkeys(_named(row) for row in (first, *group)))
    shapes = {row.shape for row in group}
    verdict, note = first.distance.verdict.value, first.distance.note
    missing = first.distance.verdict is Verdict.MISSING
    shown = ", ".join(names[: _NAMED if missing else 1])
    more = len(names) - (_NAMED if missing else 1)
    ulps = [row.distance.ulps for row in group if row.distance.ulps is not None]
    figures = ("", "", "")
    if not missing and first.distance.verdict is not Verdict.SHAPE:
        greatest = max(row.distance.max_abs for row in group)
        figures = figure(greatest), _steps_between(max(ulps)) if ulps else "", figure(first.distance.needed_rtol)
    return (
        _steps(group),
        f"{shown} and {more} more" if more > 0 else shown,
        str(list(first.shape)) if len(shapes) == 1 and not missing else "",
        *figures,
        f"{verdict} ({note})" if note else verdict,
    )


def _steps_between(ulps: int) -> str:
    return f"{ulps:,}" if ulps < _MANY_ULPS else f"{ulps:.1e}"


def _steps(group: Sequence[Comparison]) -> str:
    unit = "step" if group[0].kind == CHECKPOINT else "call"
    calls = sorted({row.call for row in group if row.call is not None})
    if not calls:
        return group[0].kind
    return group[0].step if len(calls) == 1 else f"{len(calls)} {unit}s, {calls[0]} to {calls[-1]}"


def _named(row: Comparison) -> str:
    return f"{row.tensor} -> {row.renamed}" if row.renamed else row.tensor


def as_json(result: Compared) -> dict[str, Any]:
    """Returns the comparison as plain JSON values; a figure that is not finite is a string."""
    bad = first_divergence(result.rows)
    return {
        "equal": result.equal,
        "unproven": result.unproven,
        "a": {"name": result.a, "kind": result.kinds[0], "only": list(result.only_a)},
        "b": {"name": result.b, "kind": result.kinds[1], "only": list(result.only_b)},
        "expected": "a",
        "matched": dict(result.how),
        "notes": list(result.notes),
        "first_divergence": None if bad is None else describe(bad),
        "growth": [growth_as_json(growth) for growth in _grown(result)],
        "worst": None if result.worst is None else worst_text.as_json(result.worst),
        "rows": [row_as_json(row) for row in result.rows],
    }
