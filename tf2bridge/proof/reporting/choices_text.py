"""Says what a native program takes of Keras, and by how much its numbers differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codemods.native.choices import told
from codemods.printable import printable
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.replaying.outcomes import Outcome, Replay
from tf2bridge.proof.reporting.figures import figure, plain

_EACH = 20
_MEASURED = {"fetch": "result", "summary": "summary", "final": "last value"}
"""Kinds of rows that a choice can change -> what they are called."""


def choice_lines(replay: Replay) -> list[str]:
    """Returns lines that list the choices of a program, and the largest differences of what it computes."""
    if not replay.choices:
        return []
    lines = ["choices of --idiomatic:"]
    lines += [f"  {printable(f'{choice.legacy}: {told(choice)}')}" for choice in replay.choices]
    if any(choice.keras for choice in replay.choices):
        lines += [*_measured_lines(replay), *_cause(replay)]
    return lines


def choices_as_json(replay: Replay) -> list[dict[str, Any]]:
    """Returns the choices as plain JSON values."""
    return [
        {"legacy": choice.legacy, "part": choice.part, "keras": choice.keras, "why": choice.why, "slots": choice.slots}
        for choice in replay.choices
    ]


def measured_as_json(replay: Replay) -> list[dict[str, Any]]:
    """Returns the largest differences of each result and last value as plain JSON values."""
    exact = _largest(replay.exact.rows) if replay.exact is not None else {}
    return (
        [
            {
                "kind": kind,
                "tensor": tensor,
                "max_abs": plain(row[0]),
                "max_rel": plain(row[1]),
                "exact": [plain(number) for number in exact[kind, tensor]] if (kind, tensor) in exact else None,
            }
            for (kind, tensor), row in _largest(replay.rows).items()
        ]
        if replay.choices
        else []
    )


def _measured_lines(replay: Replay) -> Iterator[str]:
    sizes = _largest(replay.rows)
    exact = _largest(replay.exact.rows) if replay.exact is not None else {}
    different = {key: size for key, size in sizes.items() if size[0] > 0}
    if len(different) < len(sizes):
        yield f"  {len(sizes) - len(different)} of {len(sizes)} results and last values are equal bit for bit"
    for (kind, tensor), (size, part) in list(different.items())[:_EACH]:
        beside = exact.get((kind, tensor))
        of_exact = f" (exact {figure(beside[0])}, relative {figure(beside[1])})" if beside is not None else ""
        yield printable(f"  {kind} {tensor}: differs by {figure(size)}, relative {figure(part)}{of_exact}")
    if len(different) > _EACH:
        yield f"  and {len(different) - _EACH} more"


def _cause(replay: Replay) -> Iterator[str]:
    """Yields what tells whether the choices are the cause of differences."""
    if replay.outcome in (Outcome.EQUAL, Outcome.ROUNDING):
        return
    if replay.exact is None:
        yield "  whether they are the cause is not known: prove the program of --exact, too"
    elif replay.exact.proven:
        yield "  the program of --exact is proven, so these choices are the cause of what differs"
    else:
        yield f"  the program of --exact is {replay.exact.outcome.value}, too: not all that differs is of these choices"


def _largest(rows: Sequence[Comparison]) -> Mapping[tuple[str, str], tuple[float, float]]:
    """Returns (kind, tensor) -> its largest absolute and relative difference."""
    sizes: dict[tuple[str, str], tuple[float, float]] = {}
    for row in rows:
        if row.kind in _MEASURED and not row.via:
            key = _MEASURED[row.kind], row.tensor
            size, part = sizes.get(key, (0.0, 0.0))
            sizes[key] = max(size, row.distance.max_abs), max(part, row.distance.max_rel)
    return sizes
