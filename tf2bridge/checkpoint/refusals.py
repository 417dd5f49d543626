"""Errors of the steps that change the tensors of a checkpoint."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class StepError(BridgeError):
    """A step of a plan does not accept its input: the shapes, the number of arrays, or values that it would lose."""

    def __init__(self, kind: str, why: str, *shapes: tuple[int, ...]) -> None:
        given = ", ".join(str(list(shape)) for shape in shapes) or "no arrays"
        super().__init__(f"step {kind!r} given {given}: {why}; change the step in the plan, or its sources")


class NoSlotsError(BridgeError):
    """A step has no counterpart for optimizer slots."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(
            f"step {kind!r} makes no slots: {why}; pass keep= to keep the slots that the optimizer creates"
        )


class UnknownStepError(BridgeError):
    """A plan names an unknown step, or unknown fields of a step."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"step {kind!r} of a plan: {why}")
