"""The data of a plan: what happens to every tensor of a checkpoint, and the source of every variable of a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.checkpoint.planning.refusals import IncompletePlanError
from tf2bridge.formats.checkpoints.stored import Checkpoint


@dataclass(frozen=True)
class Question:
    """A decision for a person: a variable or a tensor without a certain counterpart, and its candidates."""

    name: str
    """The variable of the target, or the tensor of the checkpoint without a place in the target."""
    about: str
    """ "variable" or "tensor"."""
    why: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanData:
    """The data of a plan.

    A plan is complete if no question is open. Then every tensor of the checkpoint is moved, or dropped by name, and
    every variable of the target is written, or kept by name.
    """

    source: str
    """The checkpoint for which the plan was made."""
    target: str
    """The target: "package.module:factory", a file, or a class."""
    moves: tuple[Move, ...]
    drops: Mapping[str, str]
    """Tensor of the checkpoint -> why the target does not need it."""
    keeps: Mapping[str, str]
    """Variable of the target -> why it keeps its value."""
    questions: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know; for example, that a momentum was scaled by a learning rate."""
    variables: Mapping[str, TargetVariable] = field(default_factory=dict)
    """The variables of the target by name, in the target's order."""
    tensors: Mapping[str, tuple[Shape, str]] = field(default_factory=dict)
    """Tensor that is moved -> its shape and dtype when the plan was made."""
    checkpoint: Checkpoint | None = field(default=None, compare=False, repr=False)
    live: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Name -> variable, if the target is live."""

    @property
    def complete(self) -> bool:
        """Returns whether no question is open."""
        return not self.questions

    def require_complete(self) -> None:
        """Raises IncompletePlanError with the open questions, if there are any."""
        if self.questions:
            raise IncompletePlanError(self.source, [f"{question.name}: {question.why}" for question in self.questions])


AnyPlan = TypeVar("AnyPlan", bound=PlanData)
"""A function of a plan returns a plan of the same class."""
