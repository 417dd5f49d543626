"""`assert_equivalent`: old and new compute the same, or the failure says where they part and by how much."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance, Verdict
from tf2bridge.proof.testing.refusals import NotEquivalentError
from tf2bridge.proof.testing.values import Arrays, computed

_WIDTH = 118


def assert_equivalent(
    old: Any,
    new: Any,
    inputs: Any = None,
    *,
    rtol: float | None = None,
    atol: float | None = None,
) -> tuple[Comparison, ...]:
    """Asserts that two sides compute the same, and returns a `Comparison` for each tensor.

    Args:
        old: what is right: a function, a GraphModule (`tf2bridge.wrap(build, inputs)` of code that builds a TF 1.x
            graph), a Keras model, the path of a graph; without inputs also a trace, a checkpoint, {name: array}.
        new: what is held against it, likewise.
        inputs: what both are called with: {name: array}, a tuple or list of arrays, or one array. None compares what
            the two sides hold or recorded, as `proof.compare` does.
        rtol, atol: the tolerance `|new - old| <= atol + rtol * |old|`; the default is that of `proof.compare`.

    Outputs are paired by name where both sides have the same names, else one by one.
    Raises NotEquivalentError, an AssertionError whose message holds the table, the first divergence and the tolerance
    that would have been needed; NotRunnableError; and what the two sides raise.
    """
    __tracebackhide__ = True
    tolerance = Tolerance(DEFAULT.rtol if rtol is None else rtol, DEFAULT.atol if atol is None else atol)
    if inputs is None and not (callable(old) and callable(new)):
        rows = _stored(old, new, tolerance)
    else:
        given = () if inputs is None else inputs
        rows = compared(computed("old", old, given), computed("new", new, given), tolerance)
    check(rows, tolerance)
    return tuple(rows)


def compared(old: Arrays, new: Arrays, tolerance: Tolerance) -> list[Comparison]:
    """Compares arrays of the same names, or one by one where the names differ."""
    pairs = [(name, name) for name in old]
    if old.keys() != new.keys() and len(old) == len(new):
        pairs = list(zip(old, new, strict=True))
    elif old.keys() != new.keys():
        pairs += [("", name) for name in new if name not in old]
    return [_row(old, new, *pair, tolerance) for pair in pairs]


def _row(old: Arrays, new: Arrays, name: str, other: str, tolerance: Tolerance) -> Comparison:
    if name not in old or other not in new:
        note = "the new side has no such output" if name else "the old side has no such output"
        return Comparison("fetch", 0, name or other, "", "", (), Distance(Verdict.MISSING, note=note))
    found = distance(new[other], old[name], tolerance)
    return Comparison("fetch", 0, name, other if other != name else "", "", old[name].shape, found)


def check(rows: Sequence[Comparison], tolerance: Tolerance, about: str = "") -> None:
    """Raises NotEquivalentError unless there are rows and all of them passed."""
    __tracebackhide__ = True
    if not rows:
        raise NotEquivalentError(f"{about}not equivalent: there is nothing to compare")
    if (first := first_divergence(list(rows))) is not None:
        raise NotEquivalentError(about + explained(rows, first, tolerance))


def explained(rows: Sequence[Comparison], first: Comparison, tolerance: Tolerance) -> str:
    """What a failing test prints: how many differ, the first of them, the tolerance needed, and the table."""
    from rich.console import Console

    from tf2bridge.proof.reporting.text import describe, table

    failed = [row for row in rows if not row.passed]
    needed = max((row.distance.needed_rtol for row in failed), default=0.0)
    printed = io.StringIO()
    Console(file=printed, width=_WIDTH, no_color=True).print(table(list(rows)))
    lines = [
        f"not equivalent: {len(failed)} of {len(rows)} tensors differ at {_said(tolerance)}",
        f"first divergence: {describe(first)}",
    ]
    if all(row.distance.verdict is Verdict.DIFFERENT for row in failed):
        lines.append(f"the tolerance that would have been needed: rtol={needed:.3g} with this atol")
    return "\n".join([*lines, *(line.rstrip() for line in printed.getvalue().rstrip().splitlines())])


def _said(tolerance: Tolerance) -> str:
    return f"rtol={tolerance.rtol:g}, atol={tolerance.atol:g}"


def _stored(old: Any, new: Any, tolerance: Tolerance) -> list[Comparison]:
    from tf2bridge.proof.comparing.compared import compare

    return list(compare(old, new, tolerance=tolerance).rows)
