"""StepsExporter: exports at the steps that are named, or at the first evaluation after one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.exporters import _SavedModelExporter

v1 = tf.compat.v1

_STEP = v1.GraphKeys.GLOBAL_STEP


class StepsExporter(_SavedModelExporter):
    """Exports at `steps_to_keep`, and keeps all exports. Steps with an evaluation in event files count as exported.

    Raises:
        ValueError: no step is positive, or an evaluation has no global step.
    """

    def __init__(
        self,
        steps_to_keep: Sequence[Any],
        name: str = "steps_exporter",
        serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        assets_extra: Any = None,
        as_text: bool = False,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._pattern, self._model_dir = event_file_pattern, None
        steps = [step for step in steps_to_keep if isinstance(step, int) and step > 0]
        if not steps:
            raise ValueError("`steps_to_keep` list must have at least one positive integer")
        if steps != list(steps_to_keep):
            logging.warning("Changed `steps_to_keep`, by omitting what is no positive integer, to %s", steps)
        self._wanted = sorted(steps)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports if a named step was reached since the last export."""
        del is_the_final_export
        if not eval_result or _STEP not in eval_result:
            raise ValueError(
                "`eval_result` is empty, or does not have global step, which Estimator.evaluate always sets. Got "
                f"eval_result: {eval_result}"
            )
        if self._model_dir != estimator.model_dir and self._pattern:
            self._model_dir = estimator.model_dir
            last = max(_evaluated_steps(f"{self._model_dir}/{self._pattern}"), default=0)
            self._wanted = [step for step in self._wanted if step > last]
        step = eval_result[_STEP]
        reached = [wanted for wanted in self._wanted if wanted <= step]
        if not reached:
            return None
        self._wanted = [wanted for wanted in self._wanted if wanted > step]
        logging.info("Performing model export at step %d, for the steps %s.", step, reached)
        return self._write(estimator, export_path, checkpoint_path)


def _evaluated_steps(pattern: str) -> set[int]:
    return {event.step for path in v1.gfile.Glob(pattern) for event in v1.train.summary_iterator(path)}
