"""Prints a plan as a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codemods.printable import printable
from tf2bridge.checkpoint.moves import Move
from tf2bridge.checkpoint.planning.plan_data import PlanData
from tf2bridge.checkpoint.steps import to_table

_SHOWN = 4


def as_text(plan: PlanData) -> str:
    """Returns the table: each variable and its source; then what is dropped, kept and open; then the sums."""
    return "\n".join(map(printable, _lines(plan)))


def _lines(plan: PlanData) -> Iterator[str]:
    yield f"{plan.source} -> {plan.target}"
    rows = [(move.target, ", ".join(move.sources), steps_text(move), _why(move)) for move in plan.moves]
    yield from _table(("variable", "from", "steps", "why"), rows)
    yield from _by_reason("not moved", plan.drops)
    yield from _by_reason("stays as it is", plan.keeps)
    for question in plan.questions:
        yield ""
        yield f"? {question.about} {question.name}: {question.why}"
        if question.candidates:
            yield f"    {', '.join(question.candidates)}"
    if plan.notes:
        yield ""
    yield from (f"note: {note}" for note in plan.notes)
    yield ""
    yield summary(plan)


def _by_reason(title: str, reasons: Mapping[str, str]) -> Iterator[str]:
    """Yields the names with the same reason on one line: a large model has many slots."""
    grouped: dict[str, list[str]] = {}
    for name, why in reasons.items():
        grouped.setdefault(why, []).append(name)
    if grouped:
        yield ""
    for why, names in grouped.items():
        shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
        yield f"{title}: {shown} ({why})"


def summary(plan: PlanData) -> str:
    """Returns how many variables are filled, and whether questions are open."""
    unsure = sum(not move.certain for move in plan.moves)
    parts = [f"{len(plan.moves)} of {len(plan.variables)} variables filled"]
    parts += [f"{unsure} by shape or order, which names do not confirm"] if unsure else []
    parts += [f"{len(plan.keeps)} kept"] if plan.keeps else []
    parts += [f"{len(plan.drops)} tensors not moved"] if plan.drops else []
    return "; ".join(parts) + ("; complete" if plan.complete else f"; {len(plan.questions)} to decide")


def steps_text(move: Move) -> str:
    """Returns the steps in a few words, such as "rows 0:3, blocks 0 2 1 3"."""
    return ", ".join(" ".join([step.kind, *_fields(to_table(step))]) for step in move.steps)


def _fields(table: dict[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if name != "kind":
            shown = " ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield f"{name}={shown}" if not isinstance(value, list) else shown


def _why(move: Move) -> str:
    return move.reason if move.certain else f"{move.reason} (not certain)"


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yields rows with columns as wide as their widest cell.

    Empty columns are left out; the last column is not padded.
    """
    if not rows:
        return
    places = [at for at in range(len(heads)) if any(row[at] for row in rows)]
    heads, rows = (tuple(heads[at] for at in places), [tuple(row[at] for at in places) for row in rows])
    widths = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads) - 1)]
    for row in (heads, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()
