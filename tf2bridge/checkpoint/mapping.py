"""What becomes of every tensor of a checkpoint and where every variable of a target comes from: total, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.checkpoint.planning.refusals import IncompletePlanError
from tf2bridge.checkpoint.stored import Checkpoint


@dataclass(frozen=True)
class Question:
    """What a person must decide: a variable or a tensor that has no certain counterpart, and what it may be."""

    name: str
    """Of a variable of the target, or of a tensor of the checkpoint for which the target has no place."""
    about: str
    """ "variable" or "tensor"."""
    why: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """A mapping that a person can read, change and apply again.

    Complete where no question is open: then every tensor of the checkpoint is moved or dropped by name, and every
    variable of the target is written or kept by name.
    """

    source: str
    """The checkpoint it was made for."""
    target: str
    """What it is mapped into: "package.module:factory", a file, or a class."""
    moves: tuple[Move, ...]
    drops: Mapping[str, str]
    """Tensor of the checkpoint -> why the target does not need it."""
    keeps: Mapping[str, str]
    """Variable of the target -> why it stays as it is."""
    questions: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know, as that a momentum was scaled by a learning rate."""
    variables: Mapping[str, TargetVariable] = field(default_factory=dict)
    """The variables of the target by name, in the target's order."""
    tensors: Mapping[str, tuple[Shape, str]] = field(default_factory=dict)
    """Tensor that is moved -> the shape and dtype that it had when the plan was made."""
    checkpoint: Checkpoint | None = field(default=None, compare=False, repr=False)
    live: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Name -> variable, where the target is live."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to decide."""
        return not self.questions

    def require_complete(self) -> None:
        """Raises IncompletePlanError, with what is open."""
        if self.questions:
            raise IncompletePlanError(self.source, [f"{each.name}: {each.why}" for each in self.questions])

    def values(self, checkpoint: Checkpoint | None = None) -> Iterator[tuple[TargetVariable, Any]]:
        """Yields each variable that is moved, and its value, one at a time; from another checkpoint if one is given.

        Raises IncompletePlanError, MissingTensorError for one that the checkpoint does not hold, StepError,
        DamagedCheckpointError.
        """
        from tf2bridge.checkpoint.planning.applying import values

        return values(self, checkpoint)

    def apply(self, checkpoint: Checkpoint | None = None, allow_nan: bool = False) -> None:
        """Gives the live target its values, and compares what the variables then hold.

        Nothing is assigned before all values are read. Raises what `values` raises, NotLiveError, and NotANumberError
        where a value is NaN and allow_nan does not say that this is known.
        """
        from tf2bridge.checkpoint.planning.applying import apply

        apply(self, checkpoint, allow_nan)

    def onto(self, target: Any) -> Plan:
        """Returns the plan for live variables, as one that was read from a file has none: `load_plan(p).onto(model)`.

        target: as `plan` takes it; its variables are called as those of the plan, or differ in numbers alone, as Keras
        numbers what a process makes. Raises OtherTargetError.
        """
        from tf2bridge.checkpoint.planning.binding import onto

        return onto(self, target)

    def inverse(self) -> Plan:
        """Returns the plan that makes the tensors of the checkpoint of the target's variables: new names back to old.

        What was rearranged comes back bit for bit, what was added or scaled to the rounding of its dtype. Raises
        IncompletePlanError, NotInvertibleError.
        """
        from tf2bridge.checkpoint.planning.inverse import inverted

        return inverted(self)

    def save(self, path: str | Path) -> None:
        """Writes the plan as TOML, to be read, changed and applied again."""
        from tf2bridge.checkpoint.planning.plan_file import save

        save(self, Path(path))

    def __str__(self) -> str:
        from tf2bridge.checkpoint.planning.plan_text import as_text

        return as_text(self)
