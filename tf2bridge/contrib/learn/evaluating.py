"""Hooks and listeners that evaluate while an Experiment trains."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class EvaluateNewCheckpoints(v1.train.SessionRunHook):  # type: ignore[name-defined,misc]  # no types
    """Looks for a new checkpoint every `every_n_steps` steps, at most every `secs` seconds, and evaluates it."""

    def __init__(self, evaluate: Callable[[str], Any], model_dir: str, every_n_steps: int, secs: float) -> None:
        self._evaluate, self._model_dir = evaluate, model_dir
        self._steps, self._secs = every_n_steps, secs
        self._evaluated: str | None = None
        self._looked_at_step = self._looked_at = 0.0

    def begin(self) -> None:
        """Gets the global step of the graph."""
        self._step = v1.train.get_or_create_global_step()

    def before_run(self, run_context: Any) -> Any:
        """Reads the step."""
        del run_context
        return v1.train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates if the interval is over."""
        del run_context
        if run_values.results - self._looked_at_step < self._steps or time.time() - self._looked_at < self._secs:
            return
        self._looked_at_step, self._looked_at = run_values.results, time.time()
        path = v1.train.latest_checkpoint(self._model_dir)
        if path and path != self._evaluated:
            self._evaluated = path
            self._evaluate(path)


class EvaluateAndExport(v1.train.CheckpointSaverListener):  # type: ignore[name-defined,misc]  # no types
    """Evaluates and exports each saved checkpoint, and stores the last results."""

    eval_result: Any = None
    export_results: Any = None

    def __init__(self, evaluate: Callable[[str], Any], export: Callable[[Any, str], Any], model_dir: str) -> None:
        self._evaluate, self._export, self._model_dir = evaluate, export, model_dir
        self._seen: str | None = None

    def after_save(self, session: Any, global_step_value: int) -> None:
        """Evaluates and exports, once for each checkpoint."""
        del session, global_step_value
        path = v1.train.latest_checkpoint(self._model_dir)
        if path and path != self._seen:
            self._seen = path
            self.eval_result = self._evaluate(path)
            self.export_results = self._export(self.eval_result, path)
