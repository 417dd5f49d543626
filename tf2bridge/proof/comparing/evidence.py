"""Decides what rows prove: a verdict counts values that both sides have, not rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tf2bridge.errors import some
from tf2bridge.proof.comparing.rows import TAKEN_OVER, Comparison
from tf2bridge.proof.numbers.tolerance import Verdict

_NAMED = 3


def is_hollow(row: Comparison) -> bool:
    """Returns True if a row passed and could not fail: it has no element, or only NaN on both sides."""
    apart = row.distance
    return row.passed and apart.note != TAKEN_OVER and apart.nans[0] == apart.nans[1] == apart.elements


def nothing_told(rows: Iterable[Comparison]) -> str:
    """Returns why rows prove nothing, even if all passed; "" if one row at least proves something."""
    present = [row for row in rows if row.distance.verdict is not Verdict.MISSING]
    if not present:
        return "nothing of both could be compared"
    if any(row.kind != "feed" and row.distance.note != TAKEN_OVER and not is_hollow(row) for row in present):
        return ""
    return f"all that was compared (tensors: {len(present)}) is empty, NaN alone, fed, or {TAKEN_OVER}"


def hollow_note(rows: Sequence[Comparison]) -> list[str]:
    """Returns a note that names the rows that prove nothing; [] if all prove something."""
    names = list(dict.fromkeys(row.tensor for row in rows if is_hollow(row)))
    if not names:
        return []
    return [f"{some(names, _NAMED)}: empty, or NaN alone on both sides, which proves nothing"]
