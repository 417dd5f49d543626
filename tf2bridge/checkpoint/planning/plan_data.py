"""What a plan holds: what becomes of every tensor of a checkpoint, and where every variable of a target comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.checkpoint.planning.refusals import IncompletePlanError
from tf2bridge.formats.checkpoints.stored import Checkpoint


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
class PlanData:
    """The data of a plan.

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


AnyPlan = TypeVar("AnyPlan", bound=PlanData)
"""What is made of a plan is of its class."""
