"""Errors of mapping checkpoints to a target."""

from __future__ import annotations

import difflib
from pathlib import Path

from tf2bridge.errors import BridgeError


class IncompletePlanError(BridgeError):
    """A plan has open questions."""

    def __init__(self, source: str, open_questions: list[str]) -> None:
        shown = "; ".join(open_questions[:5]) + ("; ..." if len(open_questions) > 5 else "")
        super().__init__(
            f"{source}: the plan is not complete, {len(open_questions)} to decide ({shown}); answer them by rules, "
            "drop=, keep= or in the plan's file"
        )


class NoTargetError(BridgeError):
    """A target has no variables, or there is no such target."""

    def __init__(self, target: object, why: str) -> None:
        super().__init__(
            f"{target}: {why}; give a Keras model, a tf.Module, the result of tf2bridge.load, a list of variables, "
            "names with their shapes, or package.module:function that returns one of these"
        )


class PlanFileError(BridgeError):
    """A file is no plan, or an edit broke it."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}; correct it, or write it again with `tf2bridge plan`")


class MissingTensorError(BridgeError):
    """A plan takes tensors that a checkpoint lacks."""

    def __init__(self, path: Path | str, absent: list[str], present: list[str]) -> None:
        near = difflib.get_close_matches(absent[0], present[:5000], 3, 0.5)
        hint = f" (near: {', '.join(near)})" if near else ""
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        super().__init__(
            f"{path}: it does not hold {absent[0]!r}{hint}{more}, which the plan takes; make the plan again for this "
            "checkpoint with `tf2bridge plan`"
        )


class ShapeClashError(BridgeError):
    """A tensor of a checkpoint does not fit its variable."""

    def __init__(self, source: str, given: object, target: str, wanted: object, cause: str = "") -> None:
        super().__init__(
            f"{source} of the checkpoint gives {_shown(given)}, and the variable {target} takes {_shown(wanted)}"
            f"{f' ({cause})' if cause else ''}; build the target like the checkpoint's model, or give the move a step"
        )


def _shown(given: object) -> str:
    return str(list(given)) if isinstance(given, tuple) else str(given)


class NotLiveError(BridgeError):
    """A plan without live variables is applied."""

    def __init__(self, target: str) -> None:
        super().__init__(
            f"{target}: the plan was made for names and shapes, and has no variables to assign; give `plan` the model "
            "itself, or write a file with `tf2bridge.checkpoint.convert`"
        )


class NotAssignedError(BridgeError):
    """A variable does not have the value that it was given."""

    def __init__(self, variable: str) -> None:
        super().__init__(
            f"the variable {variable} does not have the value that it was given; check whether other code assigns it"
        )


class RuleError(BridgeError):
    """A rule, or a pattern of an option, cannot be used."""

    def __init__(self, pattern: str, why: str) -> None:
        super().__init__(f"rule {pattern!r}: {why}; a rule is a regular expression for whole names, as 'old/(.*)'")


class NotComparableError(BridgeError):
    """A target and a legacy graph cannot be run on the same input."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; the two sides cannot be compared: make the plan without the legacy graph")


class NotVerifiedError(BridgeError):
    """A target with a plan's values does not compute what the legacy graph computes."""

    def __init__(self, target: str, layer: str) -> None:
        first = f"the first layer that computes no tensor of the graph is {layer!r}" if layer else "its layers do"
        super().__init__(
            f"{target}: on the same input its outputs are no tensors of the legacy graph; {first}: check the plan, the "
            "activation, padding, epsilon and data format there"
        )


class NotInvertibleError(BridgeError):
    """A plan cannot be inverted."""

    def __init__(self, tensor: str, why: str) -> None:
        super().__init__(
            f"tensor {tensor!r}: {why}, so the plan cannot be inverted for it; drop its moves from a copy of the plan, "
            "or write the tensor by a plan of its own"
        )


class NotANumberError(BridgeError):
    """A plan's values for variables are NaN."""

    def __init__(self, source: str, variables: list[str]) -> None:
        shown = ", ".join(variables[:5]) + (f" and {len(variables) - 5} more" if len(variables) > 5 else "")
        super().__init__(
            f"{source}: NaN in the values for {shown}; the program had diverged when it saved: take an earlier "
            "checkpoint, or give allow_nan=True"
        )


class OtherTargetError(BridgeError):
    """A plan is used for a target for which it was not made."""

    def __init__(self, target: str, why: str) -> None:
        super().__init__(f"{target}: the plan is for another target: {why}; make the plan again for this one")
