"""The interfaces of estimators that an Experiment uses: Evaluable and Trainable."""

from __future__ import annotations

import abc
from typing import Any


class Evaluable(abc.ABC):
    """An object with a directory of checkpoints, which it evaluates."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> Any:
        """The directory where the evaluation looks for checkpoints."""

    @abc.abstractmethod
    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        feed_fn: Any = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Any = None,
    ) -> Any:
        """Returns the values of the metrics, and `global_step`."""


class Trainable(abc.ABC):
    """An object that is trained on inputs and labels."""

    @abc.abstractmethod
    def fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int | None = None,
        batch_size: int | None = None,
        monitors: Any = None,
        max_steps: int | None = None,
    ) -> Any:
        """Trains, and returns `self`."""
