"""Errors of reading, mapping and writing checkpoints."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

from tf2bridge.errors import BridgeError


class DamagedCheckpointError(BridgeError):
    """A checkpoint is not what its own checksums and sizes say."""

    def __init__(self, path: Path | str, why: str, tensor: str = "") -> None:
        self.why = why
        where = f"tensor {tensor!r}: " if tensor else ""
        super().__init__(f"{path}: {where}{why}; copy the checkpoint again from where it came from, all its files")


class UnsupportedCheckpointError(BridgeError):
    """A checkpoint is whole, but of a form that is not read."""

    def __init__(self, path: Path | str, why: str, remedy: str, tensor: str = "") -> None:
        where = f"tensor {tensor!r}: " if tensor else ""
        super().__init__(f"{path}: {where}{why}; {remedy}")


class UnsupportedTypeError(BridgeError):
    """Values are of a type that one side has and the other has not."""

    def __init__(self, type_: str, why: str) -> None:
        super().__init__(f"the type {type_!r} {why}; drop the tensor, or save it as a type of numbers, bool or string")


class NoCheckpointError(BridgeError):
    """A path means no checkpoint."""

    def __init__(self, path: Path | str, nearest: Sequence[str] = (), other: str = "") -> None:
        what = f"no checkpoint, but {other}" if other else "no checkpoint of this name"
        near = f"; there is {', '.join(nearest)}" if nearest else ""
        remedy = "" if other else ": name a prefix, as model.ckpt-5, one of its files, or the directory they lie in"
        super().__init__(f"{path}: {what}{near}{remedy}")


class NoIndexError(BridgeError):
    """The data of a V2 checkpoint is there, and its index is not."""

    def __init__(self, path: Path | str, data: str, why: str = "") -> None:
        why = why or f"{data} is there, but not the .index that says what is in it: copy it from where that came from"
        super().__init__(f"{path}: {why}")


class NewestGoneError(BridgeError):
    """The newest checkpoint of a directory, as its state file says, is not there."""

    def __init__(self, path: Path | str, newest: Path, others: Sequence[str]) -> None:
        rest = f"name one of those that are: {', '.join(others)}" if others else "none of the others it names is either"
        super().__init__(f"{path}: the newest checkpoint it names, {newest}, is not there; {rest}")


class SeveralCheckpointsError(BridgeError):
    """A directory holds several checkpoints, and no file that says which is the newest."""

    def __init__(self, path: Path | str, names: Sequence[str]) -> None:
        listed = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        super().__init__(f"{path}: holds {len(names)} checkpoints and no state file: name one of {listed}")


class MissingShardError(BridgeError):
    """A file of a checkpoint of several is not there."""

    def __init__(self, path: Path | str, missing: Sequence[Path], count: int) -> None:
        names = ", ".join(each.name for each in missing[:3])
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        super().__init__(
            f"{path}: {names}{more} of its {count} data files not there; copy all files of the checkpoint to one place"
        )


class MissingSliceError(BridgeError):
    """A checkpoint holds a part of a partitioned variable only."""

    def __init__(self, path: Path | str, tensor: str, why: str) -> None:
        super().__init__(
            f"{path}: tensor {tensor!r}: {why}; save it again with all parts in the Saver's variables, or drop it"
        )


class IncompletePlanError(BridgeError):
    """A plan leaves something to decide."""

    def __init__(self, source: str, open_questions: list[str]) -> None:
        shown = "; ".join(open_questions[:5]) + ("; ..." if len(open_questions) > 5 else "")
        super().__init__(
            f"{source}: the plan is not complete, {len(open_questions)} to decide ({shown}); answer them by rules, "
            "drop=, keep= or in the plan's file"
        )


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


class UnplannedTensorError(BridgeError):
    """A plan was made for another checkpoint, and says nothing of what this one holds."""

    def __init__(self, path: Path | str, names: Sequence[str]) -> None:
        shown = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        super().__init__(f"{path}: the plan says nothing of {shown}; move each in the plan, or name it under [drop]")


class FormatError(BridgeError):
    """A checkpoint cannot be written in the way that was asked for."""

    def __init__(self, destination: Path | str | os.PathLike[str], why: str) -> None:
        super().__init__(f"{os.fspath(destination)}: {why}")


class ExistingDestinationError(BridgeError):
    """Something is where a checkpoint should be written."""

    def __init__(self, destination: Path | str, present: Path) -> None:
        what, remedy = ("is a directory", "") if present.is_dir() else ("exists", ", or pass --force (force=True)")
        super().__init__(f"{destination}: {present.name} {what}: name another destination{remedy}")


class BusyDestinationError(BridgeError):
    """Two processes write to one destination."""

    def __init__(self, destination: Path | str) -> None:
        super().__init__(f"{destination}: another process is writing it: wait for that, or name another destination")


class FullDiskError(BridgeError):
    """There is no room for what is to be written."""

    def __init__(self, destination: Path | str, why: str | None) -> None:
        super().__init__(
            f"{destination}: not written, nothing is left of it, the source is whole ({why or 'no space left'}); "
            "make room, raise the limit, or name a destination on another disk"
        )


class SameFileError(BridgeError):
    """A checkpoint is to be written over itself."""

    def __init__(self, source: Path | str, destination: Path | str) -> None:
        super().__init__(f"{destination}: this is the source, {source}, which is never written to: name another")


class NotLinkedError(BridgeError):
    """Data is to be shared between two checkpoints where it cannot be."""

    def __init__(self, source: Path | str, destination: Path | str, why: str) -> None:
        super().__init__(
            f"{destination}: {source} cannot be linked to there ({why}); leave out --link (link=False), so that it is "
            "copied, or name a destination on the same disk"
        )


class NameClashError(BridgeError):
    """Two tensors would have one name in what is written."""

    def __init__(self, destination: Path | str, name: str, one: str, other: str) -> None:
        super().__init__(
            f"{destination}: {one!r} and {other!r} would both be called {name!r}; name one of them otherwise in a plan"
        )


class UnwritableTypeError(BridgeError):
    """A format has no such type of values."""

    def __init__(self, destination: Path | str, tensor: str, dtype: str, format_: str, remedy: str) -> None:
        super().__init__(f"{destination}: {format_} has no type for {dtype}, of which {tensor!r} is; {remedy}")


class NotWrittenError(BridgeError):
    """What was written reads back otherwise."""

    def __init__(self, destination: Path | str, tensor: str, why: str) -> None:
        super().__init__(
            f"{destination}: tensor {tensor!r} was written and reads back otherwise ({why}): nothing of it is left; "
            "the disk or the memory of this machine may be failing, try another"
        )


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
