"""The rows of a comparison: one for each tensor, in the order of the program's life."""

from __future__ import annotations

from dataclasses import dataclass

from tf2bridge.proof.numbers.distance import Distance


@dataclass(frozen=True)
class Comparison:
    """One tensor of both traces.

    Attributes:
        kind: "initial" (a variable's first value), "feed", "fetch" or "final" (a variable's last value).
        call: the position among the program's own calls, from 0; None for variables.
        tensor: its name in the recorded trace.
        renamed: its name in the other, where that differs; empty otherwise.
        where: the line of the legacy program that made the call, "train.py:45".
        shape: its shape in the recorded trace.
    """

    kind: str
    call: int | None
    tensor: str
    renamed: str
    where: str
    shape: tuple[int, ...]
    distance: Distance

    @property
    def passed(self) -> bool:
        return self.distance.verdict.passed

    @property
    def step(self) -> str:
        """Where in the program's life this is: "call 3", "initial value" or "final value"."""
        return f"call {self.call}" if self.call is not None else f"{self.kind} value"


def first_divergence(rows: list[Comparison]) -> Comparison | None:
    """Returns the first row that did not pass, in the order of the program's life; None if all passed."""
    return next((row for row in rows if not row.passed), None)
