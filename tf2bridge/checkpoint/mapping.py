"""`Plan`: the data of a plan, with the methods for users."""

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
    """A mapping that a person can read, change and apply again. An incomplete plan is refused."""

    def values(self, checkpoint: Checkpoint | None = None) -> Iterator[tuple[TargetVariable, Any]]:
        """Yields each moved variable with its value, one at a time.

        Args:
            checkpoint: The checkpoint to read; that of the plan by default.

        Raises:
            IncompletePlanError: Something is left to decide.
            MissingTensorError: The checkpoint lacks a tensor.
            StepError: A step does not accept its input.
            DamagedCheckpointError: The checkpoint cannot be read.
        """
        from tf2bridge.checkpoint.planning.applying import values

        return values(self, checkpoint)

    def apply(self, checkpoint: Checkpoint | None = None, allow_nan: bool = False) -> None:
        """Assigns the values to the live target, and reads them back for comparison.

        Nothing is assigned before all values are read.

        Args:
            checkpoint: The checkpoint to read; that of the plan by default.
            allow_nan: Whether values may be NaN.

        Raises:
            NotLiveError: The target has no live variables.
            NotANumberError: A value is NaN.
            BridgeError: As `values` raises it.
        """
        from tf2bridge.checkpoint.planning.applying import apply

        apply(self, checkpoint, allow_nan)

    def onto(self, target: Any) -> Plan:
        """Returns the plan for live variables: `load_plan(p).onto(model)`. A plan from a file has none.

        Args:
            target: The target, as `plan` takes it. Its variables have the names of the plan. They may differ in
                numbers, because Keras numbers layers by creation in a process.

        Raises:
            OtherTargetError: The variables of the target do not fit the plan.
        """
        from tf2bridge.checkpoint.planning.binding import onto

        return onto(self, target)

    def inverse(self) -> Plan:
        """Returns the plan that computes the checkpoint's tensors from the target's variables: new names to old.

        Rearranged values come back bit for bit; added or scaled values come back up to rounding.

        Raises:
            IncompletePlanError: Something is left to decide.
            NotInvertibleError: A step has no inverse.
        """
        from tf2bridge.checkpoint.planning.inverse import inverted

        return inverted(self)

    def save(self, path: str | Path) -> None:
        """Writes the plan as TOML. A person can read and change the file, and `load_plan` reads it."""
        from tf2bridge.checkpoint.planning.plan_file import save

        save(self, Path(path))

    def __str__(self) -> str:
        from tf2bridge.checkpoint.planning.plan_text import as_text

        return as_text(self)
