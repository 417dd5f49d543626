"""BestModelSelector: whether an evaluation is better than all before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_LOSS = "loss"


class BestModelSelector:
    """Stores the best result, at first that of event files. `compare_fn(best, result)` is True for a better result.

    By default the smaller loss is better.
    """

    def __init__(
        self, event_file_pattern: str | None = None, compare_fn: Callable[[Any, Any], Any] | None = None
    ) -> None:
        self._is_better = compare_fn or _has_smaller_loss
        self._best = self._best_of(event_file_pattern)

    def update(self, checkpoint_path: Any, eval_result: Any) -> tuple[Any, Any]:
        """Returns both if the result is the best, else ("", None). Raises ValueError if an argument is empty."""
        if not checkpoint_path:
            raise ValueError("Checkpoint path is empty.")
        if eval_result is None:
            raise ValueError(f"{checkpoint_path} has empty evaluation results.")
        if self._best is not None and not self._is_better(self._best, eval_result):
            return "", None
        self._best = eval_result
        return checkpoint_path, eval_result

    def _best_of(self, pattern: str | None) -> Any:
        best: Any = None
        for path in v1.gfile.Glob(pattern) if pattern else ():
            for event in v1.train.summary_iterator(path):
                if event.HasField("summary"):
                    values = event.summary.value
                    result = {value.tag: value.simple_value for value in values if value.HasField("simple_value")}
                    if best is None or self._is_better(best, result):
                        best = result
        return best


def _has_smaller_loss(best: Any, candidate: Any) -> bool:
    for name, result in (("curr_best_eval_result", best), ("cand_eval_result", candidate)):
        if not result or _LOSS not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return bool(best[_LOSS] > candidate[_LOSS])
