"""The rows of a comparison: one for each tensor, in the order in which the program computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.proof.numbers.distance import Distance

CHECKPOINT = "checkpoint"
WORST = "worst"
TAKEN_OVER = "taken over from the trace"
"""The note of a row whose value was given to the new side, and so proves nothing of it."""
_STEPS = {"value": "value", "output": "output", WORST: "worst inputs"}
"""Kinds that stand for themselves, not for a time in a program's life."""


@dataclass(frozen=True)
class Comparison:
    """One tensor of both sides; of two traces, the one side is the recorded trace and the other what is computed now.

    Attributes:
        kind: "initial" (a variable's first value), "feed", "intermediate" (an inner tensor), "fetch" or "final" (a
            variable's last value) of traces; "value" (a stored tensor), "output" (a computed one) or "checkpoint" (one
            of several steps) of others, and "worst" (an output on the worst inputs that were found).
        call: the position among the program's own calls, from 0; of a call by a module of TensorFlow its index among
            all recorded calls; of a checkpoint its step; None for variables.
        tensor: its name on the side that is expected: in the recorded trace.
        renamed: its name on the other side, where that differs; empty otherwise.
        where: the line of the legacy program that made the call, "train.py:45".
        shape: its shape on the side that is expected.
        via: the module of TensorFlow that made the call, "estimator"; empty for the program's own, and for variables.
    """

    kind: str
    call: int | None
    tensor: str
    renamed: str
    where: str
    shape: tuple[int, ...]
    distance: Distance
    via: str = ""

    @property
    def passed(self) -> bool:
        return self.distance.verdict.passed

    @property
    def recurs(self) -> bool:
        """Whether it is one of a series over calls or steps: what was fetched, and checkpoints of several steps."""
        return self.kind in ("fetch", CHECKPOINT) and self.call is not None

    @property
    def step(self) -> str:
        """Where in the program's life this is: "call 3", "call 7 by estimator", "step 100", "initial value"."""
        if self.call is not None:
            by = f" by {self.via}" if self.via else ""
            return f"{'step' if self.kind == CHECKPOINT else 'call'} {self.call}{by}"
        return _STEPS.get(self.kind, f"{self.kind} value")


def first_divergence(rows: Sequence[Comparison]) -> Comparison | None:
    """Returns the first row that did not pass, in the order of the program's life; None if all passed."""
    return next((row for row in rows if not row.passed), None)
