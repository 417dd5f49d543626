"""Experiment: an estimator with its inputs, and the schedules that train and evaluate it in one process."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn import serving
from tf2bridge.contrib.learn.evaluating import EvaluateAndExport, EvaluateNewCheckpoints
from tf2bridge.contrib.learn.interfaces import Evaluable, Trainable
from tf2bridge.contrib.learn.utils.saved_model_export_utils import ExportStrategy
from tf2bridge.estimator.estimator import Estimator as CoreEstimator

v1 = tf.compat.v1
STEPS_A_ROUND = 1000


class Experiment:
    """Trains and evaluates `estimator`, of tf.estimator or of contrib.learn, on two inputs.

    Raises:
        ValueError: `estimator` is not an estimator, or `eval_metrics` is given with an estimator of tf.estimator.
    """

    _interfaces: tuple[type, ...] = (Evaluable, Trainable)

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Any,
        eval_input_fn: Any,
        eval_metrics: Any = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Any = None,
        eval_hooks: Any = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Any = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
        check_interval_secs: float = 5,
    ) -> None:
        self._of_core = isinstance(estimator, CoreEstimator)
        for interface in () if self._of_core else self._interfaces:
            if not isinstance(estimator, interface):
                raise ValueError(
                    f"`estimator` must implement `tf.contrib.learn.{interface.__name__}` or `tf.estimator.Estimator`."
                )
        if self._of_core and eval_metrics is not None:
            raise ValueError(
                "`eval_metrics` must be `None` with `tf.estimator.Estimator`. "
                "Use `eval_metric_ops` of its model_fn instead."
            )
        if not self._of_core and saving_listeners is not None:
            raise ValueError("`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`.")
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError(f"`train_steps_per_iteration` must be an integer, not {train_steps_per_iteration}")
        self._estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics, self._train_steps, self._eval_steps = eval_metrics, train_steps, eval_steps
        self._train_monitors, self._eval_hooks = list(train_monitors or ()), list(eval_hooks or ())
        self._eval_delay_secs, self._throttle_secs = eval_delay_secs, continuous_eval_throttle_secs
        self._min_eval_frequency = 1 if min_eval_frequency is None else min_eval_frequency
        self._local_eval_frequency, self._check_secs = local_eval_frequency, check_interval_secs
        self._exports_each_checkpoint = checkpoint_and_export
        self._steps_a_round = train_steps_per_iteration
        self._delays_by_steps = delay_workers_by_global_step
        self._saving_listeners = saving_listeners
        self.reset_export_strategies(export_strategies)

    @property
    def estimator(self) -> Any:
        """The estimator."""
        return self._estimator

    @property
    def eval_metrics(self) -> Any:
        """The metrics, MetricSpecs by name."""
        return self._eval_metrics

    @property
    def train_steps(self) -> int | None:
        """The last step of the training."""
        return self._train_steps

    @property
    def eval_steps(self) -> int | None:
        """The number of evaluated batches."""
        return self._eval_steps

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        """Adds training hooks."""
        self._train_monitors.extend(additional_hooks)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> Any:
        """Replaces the export strategies, and returns the old strategies.

        Raises:
            ValueError: an element is not an ExportStrategy.
        """
        old = getattr(self, "_strategies", ())
        given = new_export_strategies or ()
        strategies = (given,) if isinstance(given, ExportStrategy) else tuple(given)
        for strategy in strategies:
            if not isinstance(strategy, ExportStrategy):
                raise ValueError(
                    "`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, or `None`, found "
                    f"{strategy}."
                )
        self._strategies = strategies
        return old

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains up to `train_steps`, and returns the estimator. In a cluster it starts a server first.

        A worker starts after the previous worker, by a delay in seconds or steps. `delay_secs` overrides the delay.
        """
        config = self._estimator.config
        serving.join_cluster(config)
        task, hooks = config.task_id or 0, []
        if delay_secs is None and self._delays_by_steps and task:
            hooks = [v1.train.GlobalStepWaiterHook(serving.steps_before(task))]
        elif delay_secs is None:
            delay_secs = serving.seconds_before(task)
        self._wait(delay_secs or 0)
        return self._train(max_steps=self._train_steps, hooks=hooks)

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Returns the metrics over the evaluation input, after a delay (`eval_delay_secs` by default)."""
        self._wait(self._eval_delay_secs if delay_secs is None else delay_secs)
        return self._call_evaluate(self._eval_input_fn, self._eval_steps, name or "one_pass")

    def train_and_evaluate(self) -> tuple[Any, list[Any]]:
        """Trains and evaluates each checkpoint, then evaluates once more. Returns (metrics, results of the exports)."""
        return self._train_and_evaluate(self._min_eval_frequency)

    def local_run(self) -> tuple[Any, list[Any]]:
        """Does the same, but evaluates during training only every `local_eval_frequency` steps, if given."""
        return self._train_and_evaluate(self._local_eval_frequency)

    def _train_and_evaluate(self, frequency: int | None) -> tuple[Any, list[Any]]:
        config = self._estimator.config
        serving.join_cluster(config)
        if self._exports_each_checkpoint and (config.save_checkpoints_secs or config.save_checkpoints_steps):
            return self._train_and_export(config)
        self._train(max_steps=self._train_steps, hooks=self._checking(frequency))
        metrics = self._call_evaluate(self._eval_input_fn, self._eval_steps, None)
        return metrics, self._maybe_export(metrics)

    def _checking(self, frequency: int | None) -> list[Any]:
        """Returns the hook that evaluates between training steps."""
        if not frequency:
            return []

        def evaluate(path: str) -> Any:
            return self._call_evaluate(self._eval_input_fn, self._eval_steps, None, path)

        return [EvaluateNewCheckpoints(evaluate, self._estimator.model_dir, frequency, self._check_secs)]

    def _train_and_export(self, config: Any) -> tuple[Any, list[Any]]:
        """Evaluates and exports each checkpoint. Returns the results of the last."""
        directory = self._estimator.model_dir

        def evaluate(path: str) -> Any:
            return self._call_evaluate(self._eval_input_fn, self._eval_steps, "intermediate_export", path)

        listener = EvaluateAndExport(evaluate, self._maybe_export, directory)
        saver = v1.train.CheckpointSaverHook(
            directory, config.save_checkpoints_secs, config.save_checkpoints_steps, listeners=[listener]
        )
        saver._set_steps_per_run(1)  # as tf2bridge.estimator.training says
        self._train(max_steps=self._train_steps, hooks=[saver])
        return listener.eval_result, listener.export_results

    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Callable[..., Any] | None = None) -> Any:
        """Trains and evaluates in turns until `train_steps`, or until the predicate returns False."""
        result: Any = None
        exports: list[Any] = []
        size = self._steps_a_round or (self._train_steps // 10 if self._train_steps else STEPS_A_ROUND)
        goes_on = _predicate(continuous_eval_predicate_fn)
        while goes_on(result, None):
            if self._has_ended(result):
                break
            self._train(steps=size)
            result = self._call_evaluate(self._eval_input_fn, self._eval_steps, None)
            exports = self._maybe_export(result)
        return result, exports

    def continuous_eval(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True,
        continuous_eval_predicate_fn: Callable[..., Any] | None = None,
        name: str = "continuous",
    ) -> None:
        """Evaluates each new checkpoint until `train_steps` is reached, or until the predicate returns False.

        At most one evaluation starts within `throttle_delay_secs`. The predicate takes the metrics, and optionally
        `checkpoint_path`. The metrics are None before the first evaluation, and {} if there is no new checkpoint.
        """
        goes_on = _predicate(continuous_eval_predicate_fn)
        self._wait(self._eval_delay_secs if delay_secs is None else delay_secs)
        pause = self._throttle_secs if throttle_delay_secs is None else throttle_delay_secs
        result: Any = None
        before: str | None = None
        while goes_on(result, before):
            if self._has_ended(result):
                return
            start = time.time()
            path = v1.train.latest_checkpoint(self._estimator.model_dir)
            if path and not (evaluate_checkpoint_only_once and path == before):
                result, before = self._call_evaluate(self._eval_input_fn, self._eval_steps, name, path) or {}, path
                self._maybe_export(result, path)
            else:
                result = {}
            self._wait(max(0, pause - (time.time() - start)))

    def continuous_eval_on_train_data(
        self,
        delay_secs: float | None = None,
        throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Callable[..., Any] | None = None,
        name: str = "continuous_on_train_data",
    ) -> None:
        """Does the same as `continuous_eval` on the training input."""
        self._eval_input_fn, eval_input_fn = self._train_input_fn, self._eval_input_fn
        try:
            self.continuous_eval(delay_secs, throttle_delay_secs, True, continuous_eval_predicate_fn, name)
        finally:
            self._eval_input_fn = eval_input_fn

    def run_std_server(self) -> None:
        """Runs the server of a task, and does not return. Raises ValueError without a cluster."""
        serving.start_server(self._estimator.config).join()

    def test(self) -> Any:
        """Trains and evaluates one step, and returns the metrics."""
        self._train(steps=1)
        metrics = self._call_evaluate(self._eval_input_fn, 1, "one_pass")
        self._maybe_export(metrics)
        return metrics

    def _wait(self, seconds: float) -> None:
        if seconds:
            logging.info("Waiting %d secs.", seconds)
            time.sleep(seconds)

    def _has_ended(self, result: Any) -> bool:
        return bool(result and self._train_steps and result["global_step"] >= self._train_steps)

    def _train(self, steps: int | None = None, max_steps: int | None = None, hooks: Any = ()) -> Any:
        hooks = [*self._train_monitors, *hooks]
        if not self._of_core:
            return self._estimator.fit(input_fn=self._train_input_fn, steps=steps, max_steps=max_steps, monitors=hooks)
        listeners = list(self._saving_listeners or ())
        return self._estimator.train(
            input_fn=self._train_input_fn, hooks=hooks, steps=steps, max_steps=max_steps, saving_listeners=listeners
        )

    def _call_evaluate(self, input_fn: Any, steps: int | None, name: str | None, path: str | None = None) -> Any:
        given = {"input_fn": input_fn, "steps": steps, "name": name, "checkpoint_path": path, "hooks": self._eval_hooks}
        if not self._of_core:
            given["metrics"] = self._eval_metrics
        return self._estimator.evaluate(**given)

    def _maybe_export(self, result: Any, path: str | None = None) -> list[Any]:
        return [
            strategy.export(
                self._estimator,
                f"{self._estimator.model_dir}/export/{strategy.name}",
                checkpoint_path=path,
                eval_result=result,
            )
            for strategy in self._strategies
        ]


def _predicate(given: Callable[..., Any] | None) -> Callable[[Any, Any], Any]:
    """Returns a function of (metrics, checkpoint path). Raises ValueError if `predicate` is not callable."""
    if given is not None and not callable(given):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
    takes_path = given is not None and "checkpoint_path" in inspect.signature(given).parameters

    def goes_on(result: Any, path: Any) -> Any:
        if given is None:
            return True
        return given(result, checkpoint_path=path) if takes_path else given(result)

    return goes_on
