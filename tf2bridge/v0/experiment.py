"""Experiment of 0.12: the estimator itself finds the latest checkpoint, and takes no hooks of evaluations."""

from __future__ import annotations

import abc
import time
from typing import Any

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn import experiment, interfaces
from tf2bridge.contrib.learn.estimators.model_fn import NotFittedError
from tf2bridge.contrib.learn.monitors.validation import ValidationMonitor


class Evaluable(abc.ABC):
    """Evaluates a model; in 0.12 it needed no `model_dir`."""

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
    ) -> Any:
        """Returns the values of the metrics."""


Evaluable.register(interfaces.Evaluable)  # type: ignore[type-abstract]  # it stays abstract


class Experiment(experiment.Experiment):
    """Trains and evaluates an estimator of contrib.learn on two inputs. Raises ValueError for another estimator."""

    _interfaces = (Evaluable, interfaces.Trainable)

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Any,
        eval_input_fn: Any,
        eval_metrics: Any = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Any = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = 1,
        delay_workers_by_global_step: bool = False,
    ) -> None:
        super().__init__(
            estimator,
            train_input_fn,
            eval_input_fn,
            eval_metrics,
            train_steps,
            eval_steps,
            train_monitors,
            local_eval_frequency=local_eval_frequency,
            eval_delay_secs=eval_delay_secs,
            continuous_eval_throttle_secs=continuous_eval_throttle_secs,
            min_eval_frequency=min_eval_frequency or 0,
            delay_workers_by_global_step=delay_workers_by_global_step,
        )

    def evaluate(self, delay_secs: float | None = None) -> Any:  # type: ignore[override]  # later releases name it
        """Returns the metrics over the evaluation input, after a delay (`eval_delay_secs` by default)."""
        return super().evaluate(delay_secs)

    def continuous_eval(  # type: ignore[override]  # later releases look for new checkpoints
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None
    ) -> None:
        """Evaluates again and again; does not return. At most one evaluation begins in `throttle_delay_secs`."""
        self._evaluate_for_ever(self._eval_input_fn, "continuous", delay_secs, throttle_delay_secs)

    def continuous_eval_on_train_data(  # type: ignore[override]  # as above
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None
    ) -> None:
        """As `continuous_eval`, over the training input."""
        self._evaluate_for_ever(self._train_input_fn, "continuous_on_train_data", delay_secs, throttle_delay_secs)

    def _evaluate_for_ever(self, input_fn: Any, name: str, delay: float | None, pause: float | None) -> None:
        self._wait(self._eval_delay_secs if delay is None else delay)
        pause = self._throttle_secs if pause is None else pause
        while True:
            start = time.time()
            try:
                self._call_evaluate(input_fn, self._eval_steps, name)
            except NotFittedError:
                logging.warning("Estimator is not fitted yet: it is evaluated when there is a checkpoint.")
            self._wait(max(0, pause - (time.time() - start)))

    def _train_and_evaluate(self, frequency: int | None) -> Any:
        """Trains, with a monitor that evaluates every `frequency` steps; returns the metrics at the end."""
        monitors = self._train_monitors
        if frequency:
            monitor = ValidationMonitor(
                input_fn=self._eval_input_fn,
                eval_steps=self._eval_steps,
                metrics=self._eval_metrics,
                every_n_steps=frequency,
            )
            self._train_monitors = [*monitors, monitor]
        try:
            self.train(delay_secs=0)
        finally:
            self._train_monitors = monitors
        return self._call_evaluate(self._eval_input_fn, self._eval_steps, None)

    def _call_evaluate(self, input_fn: Any, steps: int | None, name: str | None, path: str | None = None) -> Any:
        del path
        return self._estimator.evaluate(input_fn=input_fn, steps=steps, metrics=self._eval_metrics, name=name)
