"""Shows a replay: a table for people, JSON for programs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.table import Table

from codemods.printable import printable
from tf2bridge import kernels
from tf2bridge.printing import OutputConsole
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.replaying.outcomes import Outcome, Replay
from tf2bridge.proof.reporting.choices_text import choice_lines, choices_as_json, measured_as_json
from tf2bridge.proof.reporting.figures import figure, row_as_json
from tf2bridge.proof.reporting.first_op import divergence_as_json
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.growth import Growth

# Up to this many tensors get a line each; beyond it a tensor's calls share one.
_EACH = 120
_PRINTED_LINES = 15
_GROWTHS = 5
_OTHERWISE = 12
_FEEDS = "--feeds trace gives it the recorded ones, and proves what it makes of them"
_NATIVE_FEEDS = f"compare the lines that make it, and seeds, and the order of sets, which is new in each run; {_FEEDS}"


@dataclass(frozen=True)
class Line:
    """One line of the table: a tensor in one call, or in several."""

    step: str
    tensor: str
    shape: str
    max_abs: float
    max_rel: float
    needed: float
    verdict: Verdict
    note: str


def print_text(replay: Replay) -> None:
    """Prints the table and the conclusion on standard output."""
    console = OutputConsole()
    console.print(table(replay.rows))
    console.print(summary(replay))
    if replay.divergence is not None or replay.not_searched:
        answer = replay.divergence.text if replay.divergence is not None else replay.not_searched
        for line in answer.splitlines():
            console.print(printable(line))
    for line in (*growth_lines(replay.growths, replay.controls), *final_lines(replay.rows, replay.controls)):
        console.print(line)


def growth_lines(growths: Sequence[Growth], controls: Mapping[str, Control], over: str = "calls") -> list[str]:
    """Lines that say how differences grow over the calls, and whether rounding explains them."""
    lines = []
    for growth in growths[:_GROWTHS]:
        lines.append(f"  {printable(growth.series.name)}: {growth.reading.value}, {printable(growth.why)}")
        if (control := controls.get(growth.series.name)) is not None:
            judgement = "rounding explains it" if control.explained else "NOT explained by rounding"
            lines.append(f"    {judgement}: {printable(control.why)}")
    if len(growths) > _GROWTHS:
        lines.append(f"  and {len(growths) - _GROWTHS} more")
    return [f"differences over the {over}:", *lines] if lines else []


def final_lines(rows: Sequence[Comparison], controls: Mapping[str, Control]) -> list[str]:
    """Lines that say whether rounding explains the last values that differ."""
    by_tensor = {row.tensor: controls[row.tensor] for row in rows if row.kind == "final" and row.tensor in controls}
    explained = [control for control in by_tensor.values() if control.explained]
    lines = []
    if explained:
        worst = max(explained, key=lambda control: control.ratio)
        lines.append(f"  rounding explains {len(explained)} of {len(by_tensor)}: {printable(worst.why)}")
    lines += [
        printable(f"  {name}: NOT explained by rounding: {control.why}")
        for name, control in by_tensor.items()
        if not control.explained
    ]
    return ["last values that differ:", *lines] if lines else []


def table(rows: list[Comparison]) -> Table:
    """Returns the comparison as a table: call, tensor, shape, differences, tolerance needed, verdict."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption="a: computed now; b: recorded", caption_justify="left")
    for name in ("call", "tensor", "shape"):
        shown.add_column(name, overflow="fold")
    for name in ("max|a-b|", "max|a-b|/max|b|", "rtol needed"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("verdict", overflow="fold")
    for line in lines(rows):
        verdict = f"{line.verdict.value} ({line.note})" if line.note else line.verdict.value
        style = "" if line.verdict.passed else "bold red"
        numbers = (figure(x) for x in (line.max_abs, line.max_rel, line.needed))
        shown.add_row(line.step, line.tensor, line.shape, *numbers, verdict, style=style)
    return shown


def lines(rows: list[Comparison], limit: int = _EACH) -> list[Line]:
    """Yields one line for each row; rows that are missing for one reason share a line.

    If there are more than `limit` rows, the rows of one tensor that passed share a line, too.
    """
    groups: dict[object, list[Comparison]] = {}
    for number, row in enumerate(rows):
        key: object = number
        if row.distance.verdict is Verdict.MISSING:
            key = (row.kind, row.distance.note, row.via)
        elif row.passed and len(rows) > limit:
            key = (row.kind, row.tensor, row.shape, row.via)
        groups.setdefault(key, []).append(row)
    return [_line(group) for group in groups.values()]


def summary(replay: Replay) -> str:
    """Returns the conclusion in a few lines; it names the first divergence."""
    rows = replay.rows
    seeds = printable(f"op seeds: {replay.seeds.describe(replay.release)}")
    bad = first_divergence(rows)
    if bad is not None and not replay.rounding:
        failed = sum(not row.passed for row in rows)
        conclusion = (
            f"NOT EQUAL to TensorFlow {printable(replay.release)}: {failed} of {len(rows)} tensors differ\n"
            f"first divergence: {describe(bad, replay.is_native)}"
        )
    elif not rows:
        conclusion = "NOT PROVEN: the trace holds nothing to compare"
    elif replay.unproven:
        conclusion = printable(f"NOT PROVEN: {len(rows)} tensors are equal, but {replay.unproven}")
    else:
        conclusion = _all_equal(replay)
    otherwise = ""
    if replay.otherwise:
        begin = "also" if bad is not None else "NOT PROVEN: what was taken over from the trace hides what differs"
        more = [f"  and {len(replay.otherwise) - _OTHERWISE} more"] if len(replay.otherwise) > _OTHERWISE else []
        otherwise = "\n".join([f"{begin}:", *(f"  {printable(line)}" for line in replay.otherwise[:_OTHERWISE]), *more])
    notes = "\n".join(f"note: {printable(note)}" for note in replay.notes)
    choices = "\n".join(choice_lines(replay))
    parts = (_ended(replay), seeds, kernels_line(), notes, conclusion, otherwise, choices)
    return "\n".join(part for part in parts if part)


def _all_equal(replay: Replay) -> str:
    """Returns the conclusion for tensors that are equal or differ by rounding: how many, and how close they are."""
    rows = replay.rows
    calls = len({(row.call, row.via) for row in rows if row.call is not None})
    equal = sum(row.distance.verdict is Verdict.EQUAL for row in rows)
    counted = f"{len(rows)} tensors of {calls} calls compared with TensorFlow {printable(replay.release)}:"
    if replay.outcome not in (Outcome.EQUAL, Outcome.ROUNDING):
        is_cut = replay.stopped or replay.status != replay.recorded_status
        why = "NOT PROVEN: the program did not end as it had, or its recording is cut\n" if is_cut else ""
        return f"{why}{counted} no difference in what was compared ({equal} bit for bit)"
    if replay.rounding:
        failed = sum(not row.passed for row in rows)
        return (
            f"{counted} EQUAL UP TO ROUNDING ({equal} bit for bit, {failed} beyond the tolerance)\n  {replay.rounding}"
        )
    needed = max(row.distance.needed_rtol for row in rows)
    return f"{counted} all equal ({equal} bit for bit, the others need rtol {figure(needed)})"


def kernels_line() -> str:
    """Returns the line of a report that says which kernels computed the numbers."""
    return f"kernels: {kernels.description()}"


def describe(row: Comparison, is_native: bool = False) -> str:
    """Describes where and how one comparison failed.

    Args:
        row: The comparison.
        is_native: Whether it is of a program without sessions.
    """
    where = f" ({row.where})" if row.where else ""
    difference = printable(row.distance.note) or (
        f"largest absolute difference {figure(row.distance.max_abs)}, relative {figure(row.distance.max_rel)}, "
        f"{row.distance.mismatches} of {math.prod(row.shape)} elements, worst at {list(row.distance.worst)}"
    )
    hint = f"\nthe program fed other data: {_NATIVE_FEEDS if is_native else _FEEDS}"
    place = printable(f"{row.step}{where}, {row.kind} of {row.tensor}")
    return f"{place}: {difference}{hint if row.kind == 'feed' else ''}"


def as_json(replay: Replay) -> dict[str, Any]:
    """Returns the replay as plain JSON values; an infinite figure is the string "inf"."""
    bad = first_divergence(replay.rows)
    finals = {row.tensor for row in replay.rows if row.kind == "final"}
    return {
        "proven": replay.proven,
        "outcome": replay.outcome.value,
        "otherwise": list(replay.otherwise),
        "rounding": replay.rounding,
        "choices": choices_as_json(replay),
        "measured": measured_as_json(replay),
        "release": replay.release,
        "seeds": dataclasses.asdict(replay.seeds),
        "kernels": kernels.description(),
        "status": replay.status,
        "recorded_status": replay.recorded_status,
        "stopped": replay.stopped,
        "first_divergence": None if bad is None else describe(bad, replay.is_native),
        "first_op": None if replay.divergence is None else divergence_as_json(replay.divergence),
        "not_searched": replay.not_searched,
        "notes": list(replay.notes),
        "unproven": replay.unproven,
        "growth": [growth_as_json(growth, replay.controls.get(growth.series.name)) for growth in replay.growths],
        "last_values": {name: _explained(control) for name, control in replay.controls.items() if name in finals},
        "rows": [row_as_json(row) for row in replay.rows],
    }


def growth_as_json(growth: Growth, control: Control | None = None) -> dict[str, Any]:
    """Returns a growth as plain JSON values."""
    explained = None if control is None else _explained(control)
    return {"tensor": growth.series.name, "reading": growth.reading.value, "why": growth.why, "control": explained}


def _explained(control: Control) -> dict[str, Any]:
    return {"explained": control.explained, "why": control.why}


def _line(group: list[Comparison]) -> Line:
    first = group[0]
    worst = max(group, key=lambda row: (not row.passed, row.distance.verdict is not Verdict.EQUAL))
    return Line(
        step=printable(_steps(group)),
        tensor=printable(_tensors(group)),
        shape=str(list(first.shape)) if len({row.shape for row in group}) == 1 else "",
        max_abs=max(row.distance.max_abs for row in group),
        max_rel=max(row.distance.max_rel for row in group),
        needed=max(row.distance.needed_rtol for row in group),
        verdict=worst.distance.verdict,
        note=printable(worst.distance.note),
    )


def _tensors(group: list[Comparison]) -> str:
    first = group[0]
    others = len({row.tensor for row in group}) - 1
    name = f"{first.tensor} -> {first.renamed}" if first.renamed else first.tensor
    return f"{name} and {others} more" if others else name


def _steps(group: list[Comparison]) -> str:
    first = group[0]
    if first.call is None:
        return first.kind
    kind = {"feed": "feed ", "intermediate": "inner "}.get(first.kind, "")
    text = kind + _ranges([row.call for row in group if row.call is not None])
    return f"{text} by {first.via}" if first.via else text


def _ranges(numbers: Iterable[int]) -> str:
    """[1, 2, 3, 7] -> "1-3, 7"; many ranges are cut to the first and the last."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    if len(spans) > 3:
        return f"{spans[0][0]} ... {spans[-1][1]}"
    return ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in spans)


def _ended(replay: Replay) -> str:
    parts = []
    if replay.status != replay.recorded_status:
        last = [line for line in replay.printed.splitlines() if line.strip()][-_PRINTED_LINES:]
        printed = "\n".join(f"  | {printable(line)}" for line in last)
        parts.append(f"the program ended with status {replay.status}, recorded {replay.recorded_status}:\n{printed}")
    if replay.stopped:
        parts.append(printable(f"not all compared: {replay.stopped}"))
    return "\n".join(parts)
