"""The plan that a user holds: its data, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.moves import TargetVariable
from tf2bridge.checkpoint.planning.plan_data import PlanData
from tf2bridge.formats.checkpoints.stored import Checkpoint


@dataclass(frozen=True)
class Plan(PlanData):
    """A mapping that a person can read, change and apply again: total, or refused."""

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
