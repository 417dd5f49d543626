"""Errors of mapping checkpoints into a target."""

from __future__ import annotations

import difflib
from pathlib import Path

from tf2bridge.errors import BridgeError


class IncompletePlanError(BridgeError):
    """A plan leaves something to decide."""

    def __init__(self, source: str, open_questions: list[str]) -> None:
        shown = "; ".join(open_questions[:5]) + ("; ..." if len(open_questions) > 5 else "")
        super().__init__(
            f"{source}: the plan is not complete, {len(open_questions)} to decide ({shown}); answer them by rules, "
            "drop=, keep= or in the plan's file"
        )


class NoTargetError(BridgeError):
    """What a checkpoint should be mapped into has no variables."""

    def __init__(self, target: object, why: str) -> None:
        super().__init__(
            f"{target}: {why}; give a Keras model, a tf.Module, what tf2bridge.load gives, a list of variables, names "
            "with their shapes, or package.module:function that returns one of these"
        )


class PlanFileError(BridgeError):
    """A plan's file is not one, or an edit broke it."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}; `tf2bridge plan` writes it anew")


class MissingTensorError(BridgeError):
    """A plan asks for tensors that a checkpoint does not hold."""

    def __init__(self, path: Path | str, absent: list[str], held: list[str]) -> None:
        near = difflib.get_close_matches(absent[0], held[:5000], 3, 0.5)
        hint = f" (near: {', '.join(near)})" if near else ""
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        super().__init__(
            f"{path}: it does not hold {absent[0]!r}{hint}{more}, which the plan takes; make the plan anew for this "
            "checkpoint with `tf2bridge plan`"
        )


class ShapeClashError(BridgeError):
    """What a checkpoint holds does not fit the variable it is for."""

    def __init__(self, source: str, found: object, target: str, wanted: object, cause: str = "") -> None:
        super().__init__(
            f"{source} of the checkpoint gives {_shown(found)}, and the variable {target} takes {_shown(wanted)}"
            f"{f' ({cause})' if cause else ''}; build the target as the checkpoint was, or give the move a step"
        )


def _shown(found: object) -> str:
    return str(list(found)) if isinstance(found, tuple) else str(found)


class NotLiveError(BridgeError):
    """A plan is applied that has no live variables."""

    def __init__(self, target: str) -> None:
        super().__init__(
            f"{target}: the plan was made for names and shapes, and has no variables to assign; give `plan` the model "
            "itself, or write a file with `tf2bridge.checkpoint.convert`"
        )


class NotAssignedError(BridgeError):
    """A variable does not hold what it was given."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"the variable {variable} does not hold what it was given: does something else assign it?")


class RuleError(BridgeError):
    """A rule of the user's cannot be followed."""

    def __init__(self, pattern: str, why: str) -> None:
        super().__init__(f"rule {pattern!r}: {why}; a rule is a regular expression for whole names, as 'old/(.*)'")


class NotComparableError(BridgeError):
    """A target and a legacy graph cannot be run on the same input."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; the two sides cannot be compared: make the plan without the legacy graph")


class NotVerifiedError(BridgeError):
    """A target with the values that a plan gives it does not compute what the legacy graph does."""

    def __init__(self, target: str, layer: str) -> None:
        first = f"the first layer that computes no tensor of the graph is {layer!r}" if layer else "its layers do"
        super().__init__(
            f"{target}: on the same input its outputs are no tensors of the legacy graph; {first}: the plan, its "
            "activation, padding, epsilon or data format is another"
        )


class NotInvertibleError(BridgeError):
    """A plan cannot be turned round."""

    def __init__(self, tensor: str, why: str) -> None:
        super().__init__(
            f"tensor {tensor!r}: {why}, so that the plan cannot be turned round for it; drop its moves from a copy of "
            "the plan, or write the tensor by a plan of its own"
        )


class NotANumberError(BridgeError):
    """Values that a plan would give to variables are NaN."""

    def __init__(self, source: str, variables: list[str]) -> None:
        shown = ", ".join(variables[:5]) + (f" and {len(variables) - 5} more" if len(variables) > 5 else "")
        super().__init__(
            f"{source}: NaN in what is for: {shown}; the program had diverged when it saved: take an earlier one, or "
            "say allow_nan=True"
        )


class OtherTargetError(BridgeError):
    """A plan is used for another target than it was made for."""

    def __init__(self, target: str, why: str) -> None:
        super().__init__(f"{target}: the plan is for another target: {why}; make the plan again for this one")
