"""ValidationMonitor: evaluates while an estimator trains, and ends a training that no longer gains."""

from __future__ import annotations

import copy
import time
from typing import Any

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn.monitors.base import EveryN
from tf2bridge.estimator.estimator import Estimator as CoreEstimator
from tf2bridge.internals.training import checkpoint_management


class ValidationMonitor(EveryN):
    """Evaluates new checkpoints, at most once in `check_interval_secs` seconds.

    With `early_stopping_rounds` the training ends after so many steps without a better `early_stopping_metric`.
    Raises ValueError without inputs.
    """

    def __init__(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        eval_steps: int | None = None,
        every_n_steps: int = 100,
        metrics: Any = None,
        hooks: Any = None,
        early_stopping_rounds: int | None = None,
        early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True,
        name: str | None = None,
        check_interval_secs: float | None = 5,
    ) -> None:
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self.x, self.y, self.input_fn, self.batch_size = x, y, input_fn, batch_size
        self.eval_steps, self.metrics, self.hooks, self.name = eval_steps, metrics, hooks, name
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_metric = early_stopping_metric
        self.early_stopping_metric_minimize = early_stopping_metric_minimize
        self._best_value_step: int | None = None
        self._best_value: Any = None
        self._best_metrics: Any = None
        self._early_stopped = False
        self._latest_path: str | None = None
        self._latest_path_step: int | None = None
        self._checked: float | None = None
        self._check_interval_secs = check_interval_secs

    @property
    def early_stopped(self) -> bool:
        """True if this monitor ended the training."""
        return self._early_stopped

    @property
    def best_step(self) -> int | None:
        """The step of the best evaluation."""
        return self._best_value_step

    @property
    def best_value(self) -> Any:
        """The best value of the metric."""
        return self._best_value

    @property
    def best_metrics(self) -> Any:
        """All metrics of the best evaluation."""
        return self._best_metrics

    def every_n_step_end(self, step: int, outputs: Any) -> Any:
        """Evaluates the latest checkpoint, if it is new; returns True to end the training."""
        super().every_n_step_end(step, outputs)
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        if not self._is_time() or not self._has_new_checkpoint(step):
            return False
        metrics = self._evaluate()
        rows = ", ".join(f"{name} = {value}" for name, value in metrics.items())
        logging.info("Validation (step %d): %s", step, rows)
        return self.early_stopping_rounds is not None and self._gains_no_more(step, metrics)

    def _is_time(self) -> bool:
        now, interval = time.time(), self._check_interval_secs
        if interval is not None and self._checked is not None and now - self._checked <= interval:
            logging.debug("Skipping evaluation: the last check for a checkpoint was under %d s ago.", interval)
            return False
        self._checked = now
        return True

    def _has_new_checkpoint(self, step: int) -> bool:
        path = checkpoint_management.latest_checkpoint(self._estimator.model_dir)
        if path is None:
            logging.debug("Skipping evaluation: no checkpoint is saved yet at step %d.", step)
            return False
        if path == self._latest_path:
            logging.debug("Skipping evaluation of %s: it is that of step %d.", path, self._latest_path_step)
            return False
        self._latest_path, self._latest_path_step = path, step
        return True

    def _evaluate(self) -> dict[str, Any]:
        given = {"input_fn": self.input_fn, "steps": self.eval_steps, "hooks": self.hooks, "name": self.name}
        arrays = {"x": self.x, "y": self.y, "batch_size": self.batch_size, "metrics": self.metrics}
        if not isinstance(self._estimator, CoreEstimator):
            return dict(self._estimator.evaluate(**arrays, **given))
        if any(value is not None for value in arrays.values()):
            raise ValueError(
                "tf.estimator.Estimator does not support following arguments: x, y, batch_size, metrics. "
                "Should set as `None` in ValidationMonitor"
            )
        return dict(self._estimator.evaluate(**given))

    def _gains_no_more(self, step: int, metrics: dict[str, Any]) -> bool:
        metric = self.early_stopping_metric
        if metric not in metrics:
            raise ValueError(f"Metric {metric} missing from outputs {set(metrics)}.")
        value, best = metrics[metric], self._best_value
        if best is None or (value < best if self.early_stopping_metric_minimize else value > best):
            self._best_value, self._best_value_step = value, step
            self._best_metrics = copy.deepcopy(metrics)
        if step - (self._best_value_step or 0) < (self.early_stopping_rounds or 0):
            return False
        logging.info("Stopping. Best step: %s with %s = %s.", self._best_value_step, metric, self._best_value)
        self._early_stopped = True
        return True
