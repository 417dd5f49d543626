"""`assert_equivalent`: asserts that old and new code compute the same, and says where and how far they differ."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tf2bridge.proof.comparing.evidence import nothing_told
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.testing.computed_arrays import Arrays, computed, is_plain_function
from tf2bridge.proof.testing.refusals import NotEquivalentError

_WIDTH = 118


def assert_equivalent(
    old: Any,
    new: Any,
    inputs: Any = None,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    names: Sequence[str] | None = None,
    plan: Any = None,
    match: str = "",
    subset: bool = False,
    initial: bool = False,
    every_tensor: bool = False,
    starts: Any = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[Comparison, ...]:
    """Asserts that two sides compute the same, and returns a `Comparison` for each tensor.

    Args:
        old: The side with the expected values: a function, a GraphModule (`tf2bridge.wrap(build, inputs)` of code that
            builds a TF 1.x graph), a Keras model, or another side of `proof.compare`: a trace, a path, {name: array}.
        new: The side that is compared with it, of the same kinds.
        inputs: The inputs of both: {name: array}, a tuple or list of arrays, one array, or "random:SEED". With None,
            stored or recorded values are compared, and functions are called without arguments.
        rtol, atol: The tolerance `|new - old| <= atol + rtol * |old|`; None for the default of each type.
        names, plan, match, subset, initial, every_tensor, starts, ranges: As for `proof.compare`.

    If a side is a function, or inputs have no names, outputs are paired by name if both sides have the same names, and
    else in their order. In all other cases the pairing is that of `proof.compare`.

    Raises:
        NotEquivalentError: The sides differ. It is an AssertionError whose message has the first divergence, the
            tolerance that would be needed, and the table.
        NotRunnableError: A side cannot be run.
        BridgeError: As `proof.compare` and the sides raise it.
    """
    __tracebackhide__ = True
    tolerance = Tolerance(rtol, atol)
    functions = is_plain_function(old) or is_plain_function(new)
    named = inputs is None or isinstance(inputs, Mapping | str | Path)
    of_compare = plan is not None or starts is not None or any((names, match, subset, initial, every_tensor, ranges))
    if of_compare or (named and not functions):
        from tf2bridge.proof.comparing.any_two import compare

        result = compare(
            old,
            new,
            inputs=inputs,
            names=names,
            plan=plan,
            match=match,
            tolerance=tolerance,
            subset=subset,
            initial=initial,
            every_tensor=every_tensor,
            starts=starts,
            ranges=ranges,
        )
        check(result.rows, incomplete="; ".join(result.incomplete))
        return result.rows
    given = () if inputs is None else inputs
    rows = compared(computed("old", old, given), computed("new", new, given), tolerance)
    check(rows)
    return tuple(rows)


def compared(old: Arrays, new: Arrays, tolerance: Tolerance) -> list[Comparison]:
    """Compares arrays by name, or in their order if the names differ."""
    pairs = [(name, name) for name in old]
    if old.keys() != new.keys() and len(old) == len(new):
        pairs = list(zip(old, new, strict=True))
    elif old.keys() != new.keys():
        pairs += [("", name) for name in new if name not in old]
    return [_row(old, new, *pair, tolerance) for pair in pairs]


def _row(old: Arrays, new: Arrays, name: str, new_name: str, tolerance: Tolerance) -> Comparison:
    if name not in old or new_name not in new:
        note = "the new side has no such output" if name else "the old side has no such output"
        return Comparison("output", None, name or new_name, "", "", (), Distance(Verdict.MISSING, note=note))
    apart = distance(new[new_name], old[name], tolerance)
    return Comparison("output", None, name, new_name if new_name != name else "", "", old[name].shape, apart)


def check(rows: Sequence[Comparison], about: str = "", incomplete: str = "") -> None:
    """Raises NotEquivalentError unless all rows passed and they prove something.

    Args:
        rows: The rows of the comparison.
        about: A prefix of the message.
        incomplete: What was requested but not compared.
    """
    __tracebackhide__ = True
    if not rows:
        raise NotEquivalentError(f"{about}not equivalent: there is nothing to compare")
    if (first := first_divergence(rows)) is not None:
        raise NotEquivalentError(about + explained(rows, first))
    if why := incomplete or nothing_told(rows):
        raise NotEquivalentError(f"{about}not equivalent: what was compared is equal, but {why}")


def explained(rows: Sequence[Comparison], first: Comparison) -> str:
    """Returns the message of a failing test: the number of differences, the first one, and the table."""
    from rich.console import Console

    from tf2bridge.proof.reporting.comparison_text import describe, table

    printed = io.StringIO()
    Console(file=printed, width=_WIDTH, no_color=True).print(table(rows))
    return "\n".join(
        [
            f"not equivalent: {sum(not row.passed for row in rows)} of {len(rows)} tensors differ",
            f"first divergence: {describe(first)}",
            "A is the old side, B the new one",
            *(line.rstrip() for line in printed.getvalue().strip("\n").splitlines()),
        ]
    ).rstrip()
