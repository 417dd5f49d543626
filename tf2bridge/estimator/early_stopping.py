"""Hooks that stop a training early: by a function, or by the metrics that evaluations wrote."""

from __future__ import annotations

import collections
import operator
import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.checks import saved_global_step
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.internals.training import training_util

v1 = tf.compat.v1

_Hook: Any = v1.train.SessionRunHook


def make_early_stopping_hook(
    estimator: Any, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60, run_every_steps: Any = None
) -> Any:
    """Returns a hook that calls `should_stop_fn` now and then, and stops all workers once it returns True.

    Raises TypeError for another estimator or function, ValueError for both seconds and steps.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _AskingHook(should_stop_fn, run_every_secs, run_every_steps)
    return _FollowingHook()


def stop_if_higher_hook(
    estimator: Any,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: Any = None,
) -> Any:
    """Returns a hook that stops once the metric was above `threshold` in some evaluation from `min_steps` on."""
    crossed = _crossed(estimator, metric_name, threshold, operator.gt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, crossed, run_every_secs, run_every_steps)


def stop_if_lower_hook(
    estimator: Any,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: Any = None,
) -> Any:
    """Returns a hook that stops once the metric was below `threshold` in some evaluation from `min_steps` on."""
    crossed = _crossed(estimator, metric_name, threshold, operator.lt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, crossed, run_every_secs, run_every_steps)


def stop_if_no_increase_hook(
    estimator: Any,
    metric_name: str,
    max_steps_without_increase: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: Any = None,
) -> Any:
    """Returns a hook that stops when the greatest value of the metric is `max_steps_without_increase` steps old."""
    stale = _stale(estimator, metric_name, max_steps_without_increase, operator.gt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stale, run_every_secs, run_every_steps)


def stop_if_no_decrease_hook(
    estimator: Any,
    metric_name: str,
    max_steps_without_decrease: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: Any = None,
) -> Any:
    """Returns a hook that stops when the smallest value of the metric is `max_steps_without_decrease` steps old."""
    stale = _stale(estimator, metric_name, max_steps_without_decrease, operator.lt, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stale, run_every_secs, run_every_steps)


def read_eval_metrics(eval_dir: str) -> Any:
    """Returns the scalars in the event files of a directory: an ordered dict step -> {tag: value}."""
    metrics: dict[int, dict[str, float]] = collections.defaultdict(dict)
    for path in v1.gfile.Glob(f"{eval_dir}/events.out.tfevents.*"):
        for event in v1.train.summary_iterator(path):
            scalars = {value.tag: value.simple_value for value in event.summary.value if value.HasField("simple_value")}
            if scalars:
                metrics[event.step].update(scalars)
    return collections.OrderedDict(sorted(metrics.items()))


def _values(estimator: Any, metric: str, eval_dir: str | None, min_steps: int) -> list[tuple[int, float]]:
    results = read_eval_metrics(eval_dir or estimator.eval_dir())
    return [(step, metrics[metric]) for step, metrics in results.items() if step >= min_steps]


def _crossed(
    estimator: Any, metric: str, threshold: float, better: Any, eval_dir: str | None, min_steps: int
) -> Callable[[], bool]:
    def crossed() -> bool:
        for step, value in _values(estimator, metric, eval_dir, min_steps):
            if better(value, threshold):
                logging.info(
                    'At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early '
                    "stopping.",
                    step,
                    metric,
                    value,
                    "greater than" if better is operator.gt else "less than",
                    threshold,
                )
                return True
        return False

    return crossed


def _stale(
    estimator: Any, metric: str, most: int, better: Any, eval_dir: str | None, min_steps: int
) -> Callable[[], bool]:
    def stale() -> bool:
        best: tuple[int, float] | None = None
        for step, value in _values(estimator, metric, eval_dir, min_steps):
            if best is None or better(value, best[1]):
                best = (step, value)
            if step - best[0] >= most:
                logging.info(
                    'No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) configured '
                    "for early stopping.",
                    "increase" if better is operator.gt else "decrease",
                    metric,
                    step - best[0],
                    most,
                )
                return True
        return False

    return stale


def _stop_variable() -> Any:
    """Returns the variable with which the chief tells the workers to stop."""
    with v1.variable_scope("signal_early_stopping", values=[], reuse=v1.AUTO_REUSE):
        return v1.get_variable(
            name="STOP",
            shape=[],
            dtype=tf.bool,
            initializer=v1.constant_initializer(False),
            collections=[v1.GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


class _AskingHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types
    """Calls the function, and sets the flag if it returns True."""

    def __init__(
        self,
        should_stop_fn: Callable[[], bool],
        run_every_secs: float | None = 60,
        run_every_steps: int | None = None,
    ) -> None:
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop_fn
        self._timer = v1.train.SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self) -> None:
        self._step = v1.train.get_global_step()
        self._stop_var = _stop_variable()
        self._stop = v1.assign(self._stop_var, True)

    def before_run(self, run_context: Any) -> Any:
        del run_context
        return v1.train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop():
            logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop)
            run_context.request_stop()


class _FollowingHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types
    """Stops a worker once the chief has set the flag."""

    def begin(self) -> None:
        self._flag = _stop_variable()

    def before_run(self, run_context: Any) -> Any:
        del run_context
        return v1.train.SessionRunArgs(self._flag)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results:
            logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()


def make_stop_at_checkpoint_step_hook(estimator: Any, last_step: int, wait_after_file_check_secs: float = 30) -> Any:
    """Returns a hook that stops at `last_step`; a worker first waits until the chief has saved that step."""
    if estimator.config.is_chief:
        return v1.train.StopAtStepHook(last_step=last_step)
    return _WaitingHook(estimator.model_dir, last_step, wait_after_file_check_secs)


class _WaitingHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types
    """Stops once a checkpoint of the step exists. Raises ValueError without a step or a directory."""

    def __init__(self, model_dir: str, last_step: int, wait_after_file_check_secs: float = 30) -> None:
        for name, value in (("last_step", last_step), ("model_dir", model_dir)):
            if value is None:
                raise ValueError(f"{name} must be specified.")
        self._model_dir, self._last_step, self._wait_secs = model_dir, last_step, wait_after_file_check_secs

    def begin(self) -> None:
        self._step = training_util._get_or_create_global_step_read()
        if self._step is None:
            raise RuntimeError("Global step should be created to use StopAtCheckpointStepHook.")

    def before_run(self, run_context: Any) -> Any:
        del run_context
        return v1.train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results + 1 < self._last_step:
            return
        if saved_global_step(self._model_dir) >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_secs)


class StopAtSecsHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types
    """Stops a number of seconds after the beginning of the training."""

    def __init__(self, stop_after_secs: float) -> None:
        self._secs = stop_after_secs

    def begin(self) -> None:
        """Starts the clock."""
        self._began = time.time()

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops if it is time."""
        del run_values
        if time.time() - self._began >= self._secs:
            run_context.request_stop()
