"""ExportStrategy: what an Experiment of contrib.learn exports after an evaluation, and where."""

from __future__ import annotations

import collections
import os
import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.layers.feature_column_ops.parsing import create_feature_spec_for_parsing
from tf2bridge.contrib.learn.utils.best_model import BestModelSelector
from tf2bridge.contrib.learn.utils.input_fn_utils import build_parsing_serving_input_fn
from tf2bridge.estimator import gc as versions
from tf2bridge.estimator.estimator import Estimator as CoreEstimator
from tf2bridge.estimator.receivers import build_parsing_serving_input_receiver_fn
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1

_ATTEMPTS = 10
"""The number of attempts to find a free directory that is named by the time in seconds."""


class ExportStrategy(collections.namedtuple("ExportStrategy", ["name", "export_fn", "strip_default_attrs"])):
    """A function that exports, and the name of the directory below `export` that it gets.

    The function takes an estimator and a path, and maybe `checkpoint_path`, `eval_result` and `strip_default_attrs`.
    """

    __slots__ = ()

    def __new__(cls, name: str, export_fn: Callable[..., Any], strip_default_attrs: Any = None) -> ExportStrategy:
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(self, estimator: Any, export_path: Any, checkpoint_path: Any = None, eval_result: Any = None) -> Any:
        """Calls the function. Raises ValueError for one that takes an evaluation but no checkpoint."""
        taken = fn_args(self.export_fn)
        if "eval_result" in taken and "checkpoint_path" not in taken:
            raise ValueError("An export_fn accepting eval_result must also accept checkpoint_path.")
        given = {
            "checkpoint_path": checkpoint_path,
            "eval_result": eval_result,
            "strip_default_attrs": self.strip_default_attrs,
        }
        return self.export_fn(estimator, export_path, **{name: value for name, value in given.items() if name in taken})


def make_export_strategy(
    serving_input_fn: Any,
    default_output_alternative_key: str | None = None,
    assets_extra: Any = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Exports a SavedModel and removes the oldest.

    The export raises ValueError for a default output of an Estimator of tf.estimator.
    """

    def export_fn(
        estimator: Any, export_dir_base: Any, checkpoint_path: Any = None, strip_default_attrs: bool | None = False
    ) -> Any:
        options: dict[str, Any] = {"assets_extra": assets_extra, "as_text": as_text, "checkpoint_path": checkpoint_path}
        options["strip_default_attrs"] = strip_default_attrs
        if not isinstance(estimator, CoreEstimator):
            options["default_output_alternative_key"] = default_output_alternative_key
        elif default_output_alternative_key is not None:
            raise ValueError(
                "default_output_alternative_key is not supported in core Estimator. Given: "
                f"{default_output_alternative_key}"
            )
        exported = estimator.export_savedmodel(export_dir_base, serving_input_fn, **options)
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return exported

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


def make_parsing_export_strategy(
    feature_columns: Any,
    default_output_alternative_key: str | None = None,
    assets_extra: Any = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    target_core: bool = False,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Does the same for a model that reads tf.Examples. `target_core`: the model is one of tf.estimator."""
    spec = create_feature_spec_for_parsing(feature_columns)
    build: Any = build_parsing_serving_input_receiver_fn if target_core else build_parsing_serving_input_fn
    return make_export_strategy(
        build(spec), default_output_alternative_key, assets_extra, as_text, exports_to_keep, strip_default_attrs
    )


def make_best_model_export_strategy(
    serving_input_fn: Any,
    exports_to_keep: int | None = 1,
    model_dir: str | None = None,
    event_file_pattern: str | None = None,
    compare_fn: Any = None,
    default_output_alternative_key: str | None = None,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy that exports checkpoints better than all earlier ones, event files included."""
    strategy = make_export_strategy(
        serving_input_fn,
        exports_to_keep=exports_to_keep,
        default_output_alternative_key=default_output_alternative_key,
        strip_default_attrs=strip_default_attrs,
    )
    pattern = f"{model_dir}/{event_file_pattern}" if model_dir and event_file_pattern else None
    selector = BestModelSelector(pattern, compare_fn)

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: Any, eval_result: Any = None) -> Any:
        path = checkpoint_path or v1.train.latest_checkpoint(estimator.model_dir)
        best, result = selector.update(path, eval_result)
        if not best or result is None:
            return ""
        name = os.path.basename(best)  # noqa: PTH119  # it may be in a bucket
        return strategy.export(estimator, _inside(export_dir_base, name), best, result)

    return ExportStrategy("best_model", export_fn)


def extend_export_strategy(
    base_export_strategy: ExportStrategy, post_export_fn: Callable[[Any, Any], Any], post_export_name: str | None = None
) -> ExportStrategy:
    """Returns a strategy that exports, and keeps the result of `post_export_fn(export, directory)`.

    The export raises ValueError if the result is outside this directory, RuntimeError if a directory already exists.
    """

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: Any = None) -> Any:
        base = _new_directory(export_dir_base, "temp-base-export-", "base export")
        exported = base_export_strategy.export(estimator, base, checkpoint_path)
        temporary = _new_directory(export_dir_base, "temp-post-export-", "temp export")
        made = post_export_fn(exported, temporary)
        if not made.startswith(temporary):
            raise ValueError(f"post_export_fn must return a sub-directory of {temporary}")
        target = _inside(export_dir_base, made.removeprefix(temporary).lstrip(f"/{os.sep}"))
        if v1.gfile.Exists(target):
            raise RuntimeError("Failed to obtain final export directory")
        v1.gfile.Rename(made, target)
        for directory in (base, temporary):
            v1.gfile.DeleteRecursively(directory)
        return target

    return ExportStrategy(post_export_name or base_export_strategy.name, export_fn)


def _new_directory(parent: Any, prefix: str, kind: str) -> str:
    path = _inside(parent, f"{prefix}{int(time.time())}")
    if v1.gfile.Exists(path):
        raise RuntimeError(f"Failed to obtain {kind} directory")
    v1.gfile.MakeDirs(path)
    return path


def _inside(directory: Any, name: str) -> str:
    return f"{tf.compat.as_str_any(directory).rstrip('/')}/{name}"


def get_timestamped_export_dir(export_dir_base: Any) -> bytes:
    """Returns a new path, named by the time in seconds. Raises RuntimeError after some attempts."""
    for attempt in range(_ATTEMPTS):
        path = _inside(export_dir_base, str(int(time.time())))
        if not v1.gfile.Exists(path):
            return path.encode()
        time.sleep(1)
        logging.warning("Export directory %s exists; attempt %d of %d", path, attempt + 1, _ATTEMPTS)
    raise RuntimeError(f"Failed to obtain a unique export directory name after {_ATTEMPTS} attempts.")


def get_temp_export_dir(timestamped_export_dir: Any) -> bytes:
    """Returns the directory where an export is written first. Its name is no number, so servers ignore it."""
    parent, slash, name = tf.compat.as_bytes(timestamped_export_dir).rpartition(b"/")
    return bytes(parent + slash + b"temp-" + name)


def get_most_recent_export(export_dir_base: Any) -> versions.Path | None:
    """Returns the newest export in a directory, or None."""
    exports = versions.largest_export_versions(1)(versions.get_paths(export_dir_base, _by_time))
    return exports[0] if exports else None


def garbage_collect_exports(export_dir_base: Any, exports_to_keep: int | None) -> None:
    """Removes all but the newest exports; none, if `exports_to_keep` is None."""
    if exports_to_keep is None:
        return
    old = versions.negation(versions.largest_export_versions(exports_to_keep))
    for export in old(versions.get_paths(export_dir_base, _by_time)):
        try:
            v1.gfile.DeleteRecursively(export.path)
        except tf.errors.NotFoundError as error:
            logging.warning("Can not delete %s recursively: %s", export.path, error)


def _by_time(path: versions.Path) -> versions.Path | None:
    """Names of exports are seconds since 1970, ten digits."""
    name = path.path.rpartition("/")[2]
    return path._replace(export_version=int(name)) if len(name) == 10 and name.isdigit() else None
