"""What rows prove: a verdict counts the values that both sides computed or hold, not the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tf2bridge.errors import some
from tf2bridge.proof.comparing.rows import TAKEN_OVER, Comparison
from tf2bridge.proof.numbers.tolerance import Verdict

_NAMED = 3


def is_hollow(row: Comparison) -> bool:
    """Whether a row that passed holds nothing that could differ: no element, or NaN alone on both sides."""
    apart = row.distance
    return row.passed and apart.note != TAKEN_OVER and apart.nans[0] == apart.nans[1] == apart.elements


def nothing_told(rows: Iterable[Comparison]) -> str:
    """Why rows prove nothing, even where all passed; empty where one at least tells something."""
    present = [row for row in rows if row.distance.verdict is not Verdict.MISSING]
    if not present:
        return "nothing of both could be compared"
    if any(row.kind != "feed" and row.distance.note != TAKEN_OVER and not is_hollow(row) for row in present):
        return ""
    return f"all that was compared (tensors: {len(present)}) is empty, NaN alone, fed, or {TAKEN_OVER}"


def hollow_note(rows: Sequence[Comparison]) -> list[str]:
    """A note that names the rows that prove nothing, beside others that do; none where there are none."""
    names = list(dict.fromkeys(row.tensor for row in rows if is_hollow(row)))
    if not names:
        return []
    return [f"{some(names, _NAMED)}: empty, or NaN alone on both sides, which proves nothing"]
