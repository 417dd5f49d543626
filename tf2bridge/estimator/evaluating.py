"""Evaluation between the checkpoints of a training that goes on."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_Listener: Any = v1.train.CheckpointSaverListener


class Evaluator:
    """Evaluates the latest checkpoint and calls the exporters of an EvalSpec."""

    def __init__(self, estimator: Any, eval_spec: Any, max_training_steps: int | None) -> None:
        self._estimator = estimator
        self._spec = eval_spec
        self._max_training_steps = max_training_steps
        self._evaluated: str | None = None

    def has_new(self) -> bool:
        """Whether there is a checkpoint that was not evaluated yet."""
        path = self._estimator.latest_checkpoint()
        return bool(path) and path != self._evaluated

    def evaluate_and_export(self) -> tuple[Any, list[Any]]:
        """Returns (metrics, what each exporter returned) of the latest checkpoint.

        Raises RuntimeError if there is none, or if it was evaluated before.
        """
        path = self._estimator.latest_checkpoint()
        if not path or path == self._evaluated:
            status = "no new checkpoint" if path else "missing checkpoint"
            raise RuntimeError(f"There was no new checkpoint after the training. Eval status: {status}")
        spec = self._spec
        metrics = self._estimator.evaluate(
            input_fn=spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=path, hooks=spec.hooks
        )
        last = bool(self._max_training_steps) and bool(metrics["global_step"] >= self._max_training_steps)
        exported = [self._export(exporter, path, metrics, last) for exporter in spec.exporters]
        self._evaluated = path
        return metrics, exported

    def _export(self, exporter: Any, path: str, metrics: Any, last: bool) -> Any:
        return exporter.export(
            estimator=self._estimator,
            export_path=f"{self._estimator.model_dir}/export/{exporter.name}",
            checkpoint_path=path,
            eval_result=metrics,
            is_the_final_export=last,
        )


class EvaluationListener(_Listener):  # type: ignore[misc]  # TensorFlow has no types
    """Evaluates after a checkpoint was saved, at most every `throttle_secs`, and once more at the end."""

    metrics: Any = None
    export_results: Any = None

    def __init__(self, evaluator: Evaluator, throttle_secs: float) -> None:
        self._evaluator = evaluator
        self._throttle_secs = throttle_secs

    def begin(self) -> None:
        """Starts the clock; the first checkpoint, of step 0 or of the step resumed from, is not evaluated."""
        self._timer = v1.train.SecondOrStepTimer(every_secs=self._throttle_secs)
        self._first = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        """Evaluates if it is time."""
        del session
        if self._first:
            self._first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            v1.logging.info(f"Skip the current checkpoint eval due to throttle secs ({self._throttle_secs} secs).")

    def end(self, session: Any, global_step_value: int) -> None:
        """Evaluates the last checkpoint."""
        del session
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        self.metrics, self.export_results = self._evaluator.evaluate_and_export()
