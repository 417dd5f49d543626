"""The result of a model_fn of contrib.learn, and the enumerations of that time."""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.preprocessing.text import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec

v1 = tf.compat.v1
MODES = (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.INFER)

InputFnOps = collections.namedtuple("InputFnOps", ["features", "labels", "default_inputs"])


class NotFittedError(ValueError, AttributeError):
    """Raised if an estimator is used before it is trained."""


class ProblemType:
    """The problem types of heads."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class PredictionKey:
    """The keys of predictions."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"


class ModelFnOps(
    collections.namedtuple(
        "ModelFnOps",
        [
            "predictions",
            "loss",
            "train_op",
            "eval_metric_ops",
            "output_alternatives",
            "training_chief_hooks",
            "training_hooks",
            "scaffold",
            "mode",
        ],
    )
):
    """The tensors, ops and hooks of a model. Raises ValueError or TypeError if an argument is missing or wrong."""

    __slots__ = ()

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}; it must be one of {MODES}")
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        if predictions is None and mode != ModeKeys.TRAIN:
            raise ValueError("Missing predictions.")
        if not isinstance(eval_metric_ops or {}, dict):
            raise ValueError(f"eval_metric_ops must be a dictionary, not {eval_metric_ops}")
        hooks = [list(training_chief_hooks or ()), list(training_hooks or ())]
        for hook in (hook for group in hooks for hook in group):
            if not isinstance(hook, v1.train.SessionRunHook):
                raise TypeError(f"hooks of a model_fn must be SessionRunHooks, given: {hook}")
        return super().__new__(
            cls,
            _tensors(predictions),
            loss,
            train_op,
            eval_metric_ops or {},
            output_alternatives,
            hooks[0],
            hooks[1],
            scaffold,
            mode,
        )

    def estimator_spec(self, default_serving_output_alternative_key: str | None = None) -> EstimatorSpec:
        """Returns the EstimatorSpec of the same model."""
        return EstimatorSpec(
            mode=self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops={key: value for key, value in self.eval_metric_ops.items() if key != "loss"},
            export_outputs=self._exports(default_serving_output_alternative_key),
            training_chief_hooks=self.training_chief_hooks,
            training_hooks=self.training_hooks,
            scaffold=self.scaffold,
        )

    def _exports(self, default: str | None) -> Any:
        if not self.output_alternatives:
            return None
        known = dict(self.output_alternatives)
        if len(known) > 1 and "serving_default" not in known:
            known["serving_default"] = known[default]
        return {key: _export(*value) for key, value in known.items()}


def _checked_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    return train_op if isinstance(train_op, tf.Operation) else tf.convert_to_tensor(train_op).op


def _checked_loss(loss: Any, mode: str) -> Any:
    if loss is None:
        if mode != ModeKeys.INFER:
            raise ValueError("Missing loss.")
        return None
    loss = tf.convert_to_tensor(loss)
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar: {loss}.")
    return loss if loss.shape.is_compatible_with([]) else tf.reshape(loss, [])


def _tensors(predictions: Any) -> Any:
    convert = v1.convert_to_tensor_or_sparse_tensor
    if isinstance(predictions, dict):
        return {key: convert(value) for key, value in predictions.items()}
    return None if predictions is None else convert(predictions)


def _export(problem: int, tensors: dict[str, Any]) -> Any:
    from tf2bridge.internals.saving import export_output

    scores = tensors.get(PredictionKey.SCORES, tensors.get(PredictionKey.PROBABILITIES))
    if problem == ProblemType.UNSPECIFIED:
        return export_output.PredictOutput(tensors)
    if problem == ProblemType.LINEAR_REGRESSION:
        return export_output.RegressionOutput(scores)
    classes = tensors.get(PredictionKey.CLASSES)
    text = classes if classes is not None and classes.dtype == tf.string else None
    return export_output.ClassificationOutput(scores=scores, classes=text)
