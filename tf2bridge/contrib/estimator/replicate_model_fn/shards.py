"""The inputs of the towers of a replicated model_fn, and the combination of their results."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.estimator.replicate_model_fn.towers import summed
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.estimator.outputs import ClassificationOutput, PredictOutput, RegressionOutput

v1 = tf.compat.v1

Tensors = dict[str, Any]


def split_batch(features: Any, labels: Any, number_of_shards: int, device: Any) -> tuple[Any, Any]:
    """Returns the parts of features and of labels. Raises ValueError if the batch cannot be divided evenly."""
    with v1.name_scope("split_inputs"), tf.device(device):
        return _split(features, number_of_shards), None if labels is None else _split(labels, number_of_shards)


def _split(values: Any, count: int) -> Any:
    if isinstance(values, dict):
        parts = {name: _split(value, count) for name, value in values.items()}
        return [{name: part[place] for name, part in parts.items()} for place in range(count)]
    if isinstance(values, tf.SparseTensor):
        return v1.sparse_split(sp_input=values, num_split=count, axis=0)
    size = tf.compat.dimension_value(tf.convert_to_tensor(values).shape[0])
    if size is not None and size % count:
        raise ValueError(f"Batch size {size} needs to be divisible by the number of GPUs, which is {count}.")
    return tf.split(values, count)


def train_spec(
    tower_specs: list[Any], train_op: Any, aggregation_device: Any, aggregated_loss_name: str | None = "loss"
) -> EstimatorSpec:
    """Returns the spec of the last tower with the loss of all towers."""
    loss = summed([spec.loss for spec in tower_specs], aggregation_device, aggregated_loss_name)
    return _changed(tower_specs[-1], mode=ModeKeys.TRAIN, train_op=train_op, loss=loss)


def eval_spec(
    tower_specs: list[Any], aggregation_device: Any, aggregated_loss_name: str | None = "loss"
) -> EstimatorSpec:
    """Returns the spec of the first tower with the loss of all. Metric variables are summed into its variables."""
    loss = summed([spec.loss for spec in tower_specs], aggregation_device, aggregated_loss_name)
    updates = [update for spec in tower_specs for _, update in spec.eval_metric_ops.values()]
    with tf.control_dependencies(updates):
        update = reduce_metric_variables(len(tower_specs))
    metrics = {name: (value, update) for name, (value, _) in tower_specs[0].eval_metric_ops.items()}
    return _changed(tower_specs[0], mode=ModeKeys.EVAL, loss=loss, eval_metric_ops=metrics)


def predict_spec(tower_specs: list[Any], aggregation_device: Any) -> EstimatorSpec:
    """Returns the spec of the first tower with the concatenated predictions of all towers."""
    with tf.device(aggregation_device):
        predictions = concat_tensor_dicts(*[spec.predictions for spec in tower_specs])
        outputs = {
            name: _joined(parts) for name, parts in _by_name([spec.export_outputs for spec in tower_specs]).items()
        }
    return _changed(tower_specs[0], mode=ModeKeys.PREDICT, predictions=predictions, export_outputs=outputs)


def reduce_metric_variables(number_of_towers: int) -> Any:
    """Adds the metric variables of the other towers to those of the first tower, and sets them to 0.

    Raises:
        ValueError: towers have different numbers of metric variables.
    """
    if number_of_towers == 1:
        return tf.no_op(name="no_eval_metric_reduction")
    variables = v1.get_collection(v1.GraphKeys.METRIC_VARIABLES)
    size, rest = divmod(len(variables), number_of_towers)
    if rest:
        raise ValueError(
            "Different `EstimatorSpec.eval_metric_ops` across `model_fn()` calls. Expected "
            f"{size * number_of_towers} local variables, but got {len(variables)} instead."
        )
    resets = []
    for place in range(size):
        copies = variables[place + size :: size]
        added = v1.assign_add(variables[place], tf.add_n(copies))
        with tf.control_dependencies([added]):
            resets += [v1.assign(copy, tf.zeros(tf.shape(copy), dtype=copy.dtype.base_dtype)) for copy in copies]
    return tf.group(*resets)


def concat_tensor_dicts(*tensor_dicts: Any) -> Tensors:
    """Returns one dictionary, with the tensors of the same name concatenated."""
    return {name: tf.concat(tensors, axis=0, name=name) for name, tensors in _by_name(list(tensor_dicts)).items()}


def _by_name(dictionaries: list[Any]) -> dict[str, list[Any]]:
    by_name: dict[str, list[Any]] = {}
    for dictionary in dictionaries:
        for name, value in (dictionary or {}).items():
            by_name.setdefault(name, []).append(value)
    return by_name


def _joined(outputs: list[Any]) -> Any:
    """Returns one output, joined from the outputs of all towers."""
    first = outputs[0]
    if isinstance(first, PredictOutput):
        return PredictOutput(outputs=concat_tensor_dicts(*[output.outputs for output in outputs]))
    if isinstance(first, RegressionOutput):
        return RegressionOutput(value=tf.concat([output.value for output in outputs], axis=0))
    if not isinstance(first, ClassificationOutput):
        return first
    scores = None if first.scores is None else tf.concat([output.scores for output in outputs], axis=0)
    classes = None if first.classes is None else tf.stack([output.classes for output in outputs], axis=0)
    return ClassificationOutput(scores=scores, classes=classes)


def _changed(spec: Any, **fields: Any) -> EstimatorSpec:
    return EstimatorSpec(**{**{name: getattr(spec, name) for name in spec._fields}, **fields})
