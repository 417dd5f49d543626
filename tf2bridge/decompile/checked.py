"""A package that is compared with the old graph."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Checked:
    """A package that is equal on all examples.

    Attributes:
        folder: Where it is until it is put into place.
        differences: Recorded array -> its largest difference; empty if nothing can be compared.
        limits_by_example: The number of an example -> recorded array -> the largest difference that is allowed.
        rounded: The numbers of the examples whose files have what roundings change.
        of_steps: Variable after a training step -> its largest difference.
        recorded_steps: The arrays of `recorded_training.npz`, if steps are compared.
    """

    folder: Path
    differences: dict[str, float] = field(default_factory=dict)
    limits_by_example: dict[int, dict[str, float]] = field(default_factory=dict)
    rounded: set[int] = field(default_factory=set)
    of_steps: Mapping[str, float] = field(default_factory=dict)
    recorded_steps: Mapping[str, Any] | None = None

    @property
    def limits(self) -> dict[str, float]:
        """Recorded array -> the largest difference that is allowed."""
        return dict(ChainMap(*self.limits_by_example.values()))
