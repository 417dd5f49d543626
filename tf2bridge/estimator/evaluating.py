"""Evaluates the checkpoints of a running training."""

from __future__ import annotations

import collections
import time
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1

_Listener: Any = v1.train.CheckpointSaverListener
_SILENT_SECS = 600
"""Seconds between two warnings that there is nothing to evaluate."""


class EvalStatus:
    """The outcome of one attempt to evaluate."""

    EVALUATED = "evaluated"
    MISSING_CHECKPOINT = "missing checkpoint"
    NO_NEW_CHECKPOINT = "no new checkpoint"


class EvalResult(collections.namedtuple("EvalResult", ["status", "metrics", "checkpoint_path"])):
    """One attempt to evaluate. Raises ValueError or TypeError for metrics that do not fit the status."""

    def __new__(cls, status: str, metrics: Any = None, checkpoint_path: str | None = None) -> EvalResult:
        if status == EvalStatus.EVALUATED:
            _check_metrics(metrics)
            if not checkpoint_path:
                raise ValueError("Internal error: `checkpoint_path` should never be empty.")
        elif metrics:
            raise ValueError(f"metrics must be `None` if status is not {EvalStatus.EVALUATED}; got status {status}")
        elif checkpoint_path:
            raise ValueError(f"checkpoint must be `None` if status is not {EvalStatus.EVALUATED}; got status {status}")
        return super().__new__(cls, status, metrics, checkpoint_path)


def _check_metrics(metrics: Any) -> None:
    if not metrics:
        raise ValueError("Internal error: `Estimator.evaluate` should never return empty metrics.")
    if not isinstance(metrics, dict):
        raise TypeError(f"`Estimator.evaluate` should return dict. Given {type(metrics)}.")
    if v1.GraphKeys.GLOBAL_STEP not in metrics:
        raise ValueError(
            f"Internal error: `Estimator.evaluate` result should have `global_step` in result. Given {metrics}"
        )


class ContinuousEvalListener:
    """Decides before and after each evaluation whether to go on; False ends the evaluations."""

    def before_eval(self) -> bool:
        """Returns whether to evaluate."""
        return True

    def after_eval(self, eval_result: EvalResult) -> bool:
        """Returns whether to go on."""
        del eval_result
        return True


class Evaluator:
    """Evaluates the latest checkpoint and calls the exporters of an EvalSpec."""

    def __init__(self, estimator: Any, eval_spec: Any, max_training_steps: int | None) -> None:
        self._estimator = estimator
        self._spec = eval_spec
        self._max_training_steps = max_training_steps
        self._evaluated: str | None = None
        self._warned = 0.0
        self.is_final_export_triggered = False

    def evaluate_and_export(self) -> tuple[EvalResult, list[Any]]:
        """Returns the result of the evaluation, and the results of the exporters."""
        path = self._estimator.latest_checkpoint()
        if not path:
            self._warn("Estimator is not trained yet. Will start an evaluation when a checkpoint is ready.")
            return EvalResult(EvalStatus.MISSING_CHECKPOINT), []
        if path == self._evaluated:
            self._warn("No new checkpoint ready for evaluation: the last one would give the same results.")
            return EvalResult(EvalStatus.NO_NEW_CHECKPOINT), []
        spec = self._spec
        metrics = self._estimator.evaluate(
            input_fn=spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=path, hooks=spec.hooks
        )
        result = EvalResult(EvalStatus.EVALUATED, metrics, path)
        last = bool(self._max_training_steps) and bool(metrics["global_step"] >= self._max_training_steps)
        exported = [self._export(exporter, path, metrics, last) for exporter in spec.exporters]
        self.is_final_export_triggered = self.is_final_export_triggered or last
        self._evaluated, self._warned = path, 0.0
        return result, exported

    def _warn(self, message: str) -> None:
        now = time.time()
        if now - self._warned > _SILENT_SECS:
            logging.warning(message)
            self._warned = now

    def _export(self, exporter: Any, path: str, metrics: Any, last: bool) -> Any:
        return exporter.export(
            estimator=self._estimator,
            export_path=f"{self._estimator.model_dir.rstrip('/')}/export/{exporter.name}",
            checkpoint_path=path,
            eval_result=metrics,
            is_the_final_export=last,
        )


class EvaluationListener(_Listener):  # type: ignore[misc]  # TensorFlow has no types
    """Evaluates after a checkpoint was saved, at most every `throttle_secs`, and once more at the end.

    Raises RuntimeError if there is no new checkpoint then.
    """

    eval_result: Any = None
    export_results: Any = None

    def __init__(
        self, evaluator: Evaluator, eval_throttle_secs: float, continuous_eval_listener: ContinuousEvalListener
    ) -> None:
        self._evaluator = evaluator
        self._throttle_secs = eval_throttle_secs
        self._asked = continuous_eval_listener

    def begin(self) -> None:
        """Starts the clock; the first checkpoint, of step 0 or of the step resumed from, is not evaluated."""
        self._timer = v1.train.SecondOrStepTimer(every_secs=self._throttle_secs)
        self._first = True

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Evaluates if it is time; returns True to stop the training."""
        del session
        if self._first:
            self._first = False
            return None
        if not self._asked.before_eval():
            logging.info("Exiting training and evaluation loop, as requested by the listener before evaluation.")
            return True
        if self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
            if not self._asked.after_eval(self.eval_result):
                logging.info("Exiting evaluation, as requested by the listener after evaluation.")
                return True
        else:
            logging.info(f"Skip the current checkpoint eval due to throttle secs ({self._throttle_secs} secs).")
        return None

    def end(self, session: Any, global_step_value: int) -> None:
        """Evaluates the last checkpoint."""
        del session
        if global_step_value != self._timer.last_triggered_step() and self._asked.before_eval():
            self._evaluate(global_step_value)
            self._asked.after_eval(self.eval_result)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        self.eval_result, self.export_results = self._evaluator.evaluate_and_export()
        status = self.eval_result.status
        if status != EvalStatus.EVALUATED:
            raise RuntimeError(f"There was no new checkpoint after the training. Eval status: {status}")
