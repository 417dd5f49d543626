"""Exporters decide when a model in training is written as a SavedModel, and how many SavedModels are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1

LOSS = "loss"


class Exporter:
    """Is called by train_and_evaluate after each evaluation; programs derive their own exporters from it.

    `name`: the directory below model_dir/export.
    """

    name: Any = None

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports the checkpoint to `export_path` and returns the path, or does nothing and returns None."""


class _SavedModelExporter(Exporter):
    """Holds the arguments of Estimator.export_saved_model."""

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Any,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = None,
    ) -> None:
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}")
        self.name = name
        self._receiver_fn = serving_input_receiver_fn
        self._assets_extra, self._as_text = assets_extra, as_text
        self._exports_to_keep = exports_to_keep

    def _write(self, estimator: Any, export_path: str, checkpoint_path: str) -> Any:
        exported = estimator.export_saved_model(
            export_path,
            self._receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        if self._exports_to_keep is not None:
            _remove_old(export_path, self._exports_to_keep)
        return exported


class FinalExporter(_SavedModelExporter):
    """Exports once, after the last evaluation."""

    def __init__(
        self, name: str, serving_input_receiver_fn: Any, assets_extra: Any = None, as_text: bool = False
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports if this is the final one."""
        del eval_result
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return self._write(estimator, export_path, checkpoint_path)


class LatestExporter(_SavedModelExporter):
    """Exports after every evaluation and keeps the latest. Raises ValueError unless it keeps at least one."""

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Any,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports, and removes the oldest."""
        del eval_result, is_the_final_export
        return self._write(estimator, export_path, checkpoint_path)


def _loss_smaller(best_eval_result: Any, current_eval_result: Any) -> bool:
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or LOSS not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return bool(best_eval_result[LOSS] > current_eval_result[LOSS])


class BestExporter(_SavedModelExporter):
    """Exports whenever `compare_fn(best_eval_result, current_eval_result)` says that the current one is better.

    The best one so far is read from the event files of the evaluations before. Raises ValueError for a `compare_fn`
    with other parameters, and unless it keeps at least one.
    """

    def __init__(
        self,
        name: str = "best_exporter",
        serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[..., bool] = _loss_smaller,
        assets_extra: Any = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        _check_compare_fn(compare_fn)
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._model_dir: str | None = None
        self._best: Any = None

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Exports if this evaluation is the best one."""
        del is_the_final_export
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best = self._best_of(f"{self._model_dir}/{self._event_file_pattern}")
        if self._best is not None and not self._compare_fn(
            best_eval_result=self._best, current_eval_result=eval_result
        ):
            return None
        logging.info("Performing best model export.")
        self._best = eval_result
        return self._write(estimator, export_path, checkpoint_path)

    def _best_of(self, pattern: str) -> Any:
        best = None
        for result in _results(pattern):
            if best is None or self._compare_fn(best, result):
                best = result
        return best


def _check_compare_fn(compare_fn: Callable[..., bool]) -> None:
    names = set(fn_args(compare_fn))
    for name in ("best_eval_result", "current_eval_result"):
        if name not in names:
            raise ValueError(f"compare_fn ({compare_fn}) must include {name} argument.")
    if unknown := names - {"best_eval_result", "current_eval_result"}:
        raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {sorted(unknown)}")


def _results(pattern: str) -> Iterator[dict[str, float]]:
    """Yields the scalars of each summary in the event files."""
    for path in v1.gfile.Glob(pattern):
        for event in v1.train.summary_iterator(path):
            scalars = {value.tag: value.simple_value for value in event.summary.value if value.HasField("simple_value")}
            if scalars:
                yield scalars


def _remove_old(directory: str, kept: int) -> None:
    """Removes all but the latest exports; their names are seconds since 1970, ten digits."""
    names = [name.rstrip("/") for name in v1.gfile.ListDirectory(directory)]
    exports = sorted((name for name in names if len(name) == 10 and name.isdigit()), key=int)
    for name in exports[:-kept]:
        try:
            v1.gfile.DeleteRecursively(f"{directory}/{name}")
        except tf.errors.NotFoundError as error:
            logging.warning("Can not delete %s recursively: %s", f"{directory}/{name}", error)
