"""Errors of the steps that change the tensors of a checkpoint."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class StepError(BridgeError):
    """A step of a plan cannot take what it is given: shapes, a number of arrays, or values that it would lose."""

    def __init__(self, kind: str, why: str, *shapes: tuple[int, ...]) -> None:
        given = ", ".join(str(list(shape)) for shape in shapes) or "no arrays"
        super().__init__(f"step {kind!r} given {given}: {why}; change the step in the plan, or its sources")


class NoSlotsError(BridgeError):
    """What a step makes has no slots of an optimizer, whatever slots its tensors had."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"step {kind!r} makes no slots: {why}; keep= those that the optimizer makes")


class UnknownStepError(BridgeError):
    """A plan names a step that there is not, or fields that it has not."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"step {kind!r} of a plan: {why}")
