"""EstimatorSpec, the result of a model_fn; it is checked when it is made."""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.keras_metrics import is_keras_metric
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.outputs import checked_outputs

v1 = tf.compat.v1


class EstimatorSpec(
    collections.namedtuple(
        "EstimatorSpec",
        [
            "mode",
            "predictions",
            "loss",
            "train_op",
            "eval_metric_ops",
            "export_outputs",
            "training_chief_hooks",
            "training_hooks",
            "scaffold",
            "evaluation_hooks",
            "prediction_hooks",
        ],
    )
):
    """The tensors, ops and hooks of one use of a model.

    TRAIN needs `loss` and `train_op`, EVAL needs `loss`, PREDICT needs `predictions`. The loss has one element, and is
    kept as a scalar. Raises ValueError if something is missing or is in another graph, TypeError for a value of another
    type.
    """

    __slots__ = ()

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        export_outputs: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
        evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ) -> EstimatorSpec:
        train_op = checked_train_op(train_op, mode)
        loss = checked_loss(loss, mode)
        predictions = checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = checked_outputs(export_outputs, predictions)
        return super().__new__(
            cls,
            mode=mode,
            predictions=predictions,
            loss=loss,
            train_op=train_op,
            eval_metric_ops=_checked_metrics(eval_metric_ops),
            export_outputs=export_outputs,
            training_chief_hooks=checked_hooks(training_chief_hooks),
            training_hooks=checked_hooks(training_hooks),
            scaffold=_checked_scaffold(scaffold),
            evaluation_hooks=checked_hooks(evaluation_hooks),
            prediction_hooks=checked_hooks(prediction_hooks),
        )

    def _replace(self, **kwds: Any) -> EstimatorSpec:
        """Returns a spec with other values of some fields, checked again. Raises ValueError for another mode."""
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(**{**self._asdict(), **kwds})


def checked_train_op(train_op: Any, mode: str) -> Any:
    """Returns the op of a training step, a variable's op for a variable. Raises ValueError or TypeError."""
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not isinstance(train_op, tf.Operation) and not _is_dense(train_op):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    if isinstance(train_op, tf.Variable):
        train_op = train_op.op
    _check_graph(train_op, "train_op", train_op.name)
    return train_op


def checked_loss(loss: Any, mode: str) -> Any:
    """Returns the loss as a scalar. Raises ValueError if it is missing, or has several elements; TypeError."""
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    _check_tensor(loss, "loss")
    shape = loss.get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not shape.is_compatible_with([]):
        loss = tf.reshape(loss, [])
    _check_graph(loss, "loss", loss.name)
    return loss


def checked_predictions(predictions: Any, mode: str) -> Any:
    """Returns a tensor or a dict of tensors, or {} if nothing is predicted. Raises ValueError or TypeError."""
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(predictions, dict):
        _check_tensor(predictions, "predictions")
        _check_graph(predictions, "prediction values", predictions.name)
        return predictions
    for key, value in predictions.items():
        _check_tensor(value, f"predictions[{key}]")
    for key, value in predictions.items():
        _check_graph(value, "prediction values", f"{key}: {value.name}")
    return dict(predictions)


def checked_hooks(hooks: Any) -> tuple[Any, ...]:
    """Returns the hooks as a tuple. Raises TypeError for what is no SessionRunHook."""
    for hook in (checked := tuple(hooks or ())):
        if not isinstance(hook, v1.train.SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return checked


def _checked_scaffold(scaffold: Any) -> Any:
    scaffold = scaffold or v1.train.Scaffold()
    if not isinstance(scaffold, v1.train.Scaffold):
        raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
    return scaffold


def _checked_metrics(metrics: Any) -> dict[str, Any]:
    """Returns the metrics as (value, update op) pairs.

    Variables of Keras metrics become local variables of the graph.
    """
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    variables: list[Any] = []
    for key, value in metrics.items():
        if is_keras_metric(value):
            if not value.updates:
                raise ValueError(f'Please call update_state(...) on the "{value.name}" metric')
            variables += value.variables
            metrics[key] = (value.result(), value.updates[0])
        elif not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                f"Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {value} for key: {key}"
            )
    for key, value in metrics.items():
        for part in tf.nest.flatten(value):
            _check_graph(part, "eval_metric_ops", f"{key}: {part.name}")
    _collect(variables)
    return metrics


def _collect(variables: list[Any]) -> None:
    for collection in (v1.GraphKeys.LOCAL_VARIABLES, v1.GraphKeys.METRIC_VARIABLES):
        known = {id(variable) for variable in v1.get_collection(collection)}
        for variable in variables:
            if id(variable) not in known:
                v1.add_to_collection(collection, variable)


def _is_dense(value: Any) -> bool:
    return isinstance(value, (tf.Tensor, tf.Variable))


def _check_tensor(value: Any, kind: str) -> None:
    if not _is_dense(value):
        raise TypeError(f"{kind} must be Tensor, given: {value}")


def _check_graph(value: Any, kind: str, name: str) -> None:
    if value.graph is not v1.get_default_graph():
        raise ValueError(
            f'{kind} with "{name}" must be from the default graph. Possible causes of this error include: \n\n'
            f"1) {kind} was created outside the context of the default graph.\n\n"
            "2) The object passed through to EstimatorSpec was not created in the most recent call to "
            '"model_fn".'
        )
