"""The rows of a comparison: one for each tensor, in the order in which the program computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.proof.numbers.distance import Distance

CHECKPOINT = "checkpoint"
WORST = "worst"
SUMMARY = "summary"
PRINTED = "printed"
TAKEN_OVER = "taken over from the trace"
"""The note of a row whose value was given to the new side, so that it proves nothing."""
_STEPS = {"value": "value", "output": "output", WORST: "worst inputs"}
"""Kinds that do not belong to a time in the program's run."""


@dataclass(frozen=True)
class Comparison:
    """The comparison of one tensor. For two traces, the sides are the recorded trace and the new run.

    Attributes:
        kind: For traces "initial" (a variable's first value), "feed", "intermediate" (an inner tensor), "fetch",
            "summary" (what a program without sessions wrote), "printed" (its text) or "final" (a variable's last
            value); for other sides "value" (a stored tensor), "output" (a computed tensor), "checkpoint" (a tensor of
            one of several steps) or "worst" (an output on the worst inputs).
        call: For the program's own calls, the position among them, from 0; for a call by a module of TensorFlow, its
            index among all recorded calls; for a checkpoint, its step; None for variables.
        tensor: The name on the expected side, such as the recorded trace.
        renamed: The name on the other side if it differs; else empty.
        where: The line of the legacy program that made the call, "train.py:45".
        shape: The shape on the expected side.
        distance: The distance of the two values.
        via: The module of TensorFlow that made the call, "estimator"; empty for the program's own calls and variables.
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
        """Whether it belongs to a series: a fetch of several calls, or a checkpoint of several steps."""
        return self.kind in ("fetch", CHECKPOINT) and self.call is not None

    @property
    def step(self) -> str:
        """The time in the program's run: "call 3", "call 7 by estimator", "step 100", "initial value"."""
        if self.call is not None:
            by = f" by {self.via}" if self.via else ""
            return f"{'step' if self.kind == CHECKPOINT else 'call'} {self.call}{by}"
        return _STEPS.get(self.kind, f"{self.kind} value")


def first_divergence(rows: Sequence[Comparison]) -> Comparison | None:
    """Returns the first row that did not pass, in the order of execution; None if all passed."""
    return next((row for row in rows if not row.passed), None)
