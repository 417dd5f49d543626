"""Evaluates a model over an input, and writes the metrics to events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf
from google.protobuf.message import DecodeError

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.run_config import RunConfig
from tf2bridge.internals.training import Scaffold, evaluation

v1 = tf.compat.v1

LOSS = "loss"
GLOBAL_STEP = "global_step"


@dataclass(frozen=True)
class Evaluation:
    """A graph that can be evaluated: one run of `update` for each batch, then `values` are fetched."""

    scaffold: Any
    update: Any
    values: dict[str, Any]
    hooks: list[Any]

    def __iter__(self) -> Any:
        """As the tuple that `_evaluate_build_graph` of 1.15.5 returned."""
        return iter((self.scaffold, self.update, self.values, self.hooks))


def metrics(spec: Any, measures_loss: bool = False) -> tuple[Any, dict[str, Any]]:
    """Returns (update op, metric values by name) of an EstimatorSpec; the mean loss is one of them.

    Raises ValueError for a metric named "loss", unless the model may measure its own (`measures_loss`).
    """
    pairs = spec.eval_metric_ops
    if LOSS in pairs and not measures_loss:
        raise ValueError(
            'Metric with name "loss" is not allowed, because Estimator already defines a default metric with the '
            "same name."
        )
    if LOSS not in pairs:
        pairs[LOSS] = v1.metrics.mean(spec.loss)
    updates = [pair[1] for _, pair in sorted(pairs.items())]
    return tf.group(*updates), {name: pair[0] for name, pair in sorted(pairs.items())}


def evaluation_of(spec: Any, input_hooks: list[Any], hooks: list[Any], measured: tuple[Any, dict[str, Any]]) -> Any:
    """Returns the Evaluation of a spec with its `metrics`. Raises ValueError for a metric named "global_step"."""
    update, values = measured
    if GLOBAL_STEP in values:
        raise ValueError(
            "Metric with name `global_step` is not allowed, because Estimator already defines a default metric with "
            "the same name."
        )
    values[GLOBAL_STEP] = v1.train.get_global_step()
    scaffold = spec.scaffold
    if scaffold and scaffold.local_init_op:
        # The counter of evaluations is a local variable too: an own local_init_op would leave it unset.
        evaluation._get_or_create_eval_step()
        both = tf.group(scaffold.local_init_op, Scaffold.default_local_init_op())
        scaffold = v1.train.Scaffold(local_init_op=both, copy_from_scaffold=scaffold)
    return Evaluation(scaffold, update, values, [*input_hooks, *hooks, *spec.evaluation_hooks])


def run(ready: Any, config: RunConfig, checkpoint_path: str | None, output_dir: str) -> dict[str, Any]:
    """Evaluates from a checkpoint, or from initial values; writes events to `output_dir` and returns the values."""
    scaffold, update, values, hooks = ready
    results: dict[str, Any] = evaluation._evaluate_once(
        checkpoint_path=checkpoint_path,
        master=config.evaluation_master,
        scaffold=scaffold,
        eval_ops=update,
        final_ops=values,
        hooks=hooks,
        config=config.session_config,
    )
    step = results[GLOBAL_STEP]
    write_metrics(output_dir, results, step)
    if checkpoint_path:
        logging.info("Saving 'checkpoint_path' summary for global step %d: %s", step, checkpoint_path)
        path = v1.make_tensor_proto(checkpoint_path, dtype=tf.string)
        _write(output_dir, v1.Summary(value=[v1.Summary.Value(tag="checkpoint_path", tensor=path)]), step)
    return results


def write_metrics(output_dir: str, dictionary: Mapping[str, Any], current_global_step: int) -> None:
    """Writes the values of an evaluation to the events of `output_dir`."""
    shown = sorted((name, value) for name, value in dictionary.items() if not isinstance(value, bytes))
    text = ", ".join(f"{name} = {value!s}" for name, value in shown)
    logging.info("Saving dict for global step %d: %s", current_global_step, text)
    _write(output_dir, _summary(dictionary), current_global_step)


def _write(directory: str, summary: Any, step: int) -> None:
    writer = v1.summary.FileWriterCache.get(directory)
    writer.add_summary(summary, step)
    writer.flush()


def _summary(values: Mapping[str, Any]) -> Any:
    summary = v1.Summary()
    for name, value in values.items():
        if value is not None and name != GLOBAL_STEP:
            summary.value.extend(_summary_values(name, value))
    return summary


def _summary_values(name: str, value: Any) -> list[Any]:
    if isinstance(value, (np.float32, np.int32, np.int64, float, int)):
        return [v1.Summary.Value(tag=name, simple_value=float(value))]
    if isinstance(value, bytes):
        return _numbered(name, value)
    if isinstance(value, np.ndarray):
        logging.info(
            "Summary for np.ndarray is not visible in Tensorboard by default. Consider using a Tensorboard plugin "
            "for visualization (see https://github.com/tensorflow/tensorboard-plugin-example/blob/master/README.md "
            "for more information)."
        )
        return [v1.Summary.Value(tag=name, node_name=name, tensor=v1.make_tensor_proto(value))]
    logging.warning(
        f"Skipping summary for {name}, must be a float, np.float32, np.int64, np.int32 or int or np.ndarray or a "
        "serialized string of Summary."
    )
    return []


def _numbered(name: str, serialized: bytes) -> list[Any]:
    """Returns the values of a summary op that is a metric, with the tags name/0, name/1, ..."""
    try:
        summary = v1.Summary.FromString(serialized)
    except DecodeError:
        logging.warning("Skipping summary for %s, cannot parse string to Summary.", name)
        return []
    for place, value in enumerate(summary.value):
        value.tag = f"{name}/{place}"
    return list(summary.value)
