"""Estimator of contrib.learn: fit, evaluate and predict, based on the Estimator of tf.estimator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.learn.array_input import ArrayInput
from tf2bridge.contrib.learn.estimators.model_fn import ModelFnOps, NotFittedError
from tf2bridge.contrib.learn.estimators.run_config import RunConfig
from tf2bridge.contrib.learn.estimators.tensor_signature import create_placeholders_from_signatures, create_signatures
from tf2bridge.contrib.learn.exporting import export
from tf2bridge.contrib.learn.interfaces import Evaluable, Trainable
from tf2bridge.contrib.learn.metric_ops import metric_ops, with_updates
from tf2bridge.contrib.learn.monitors.hooks import replace_monitors_with_hooks
from tf2bridge.contrib.learn.preprocessing.text import ModeKeys
from tf2bridge.contrib.learn.refusals import SessionBundleError
from tf2bridge.estimator.estimator import Estimator as CoreEstimator
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1


class Estimator:
    """Trains, evaluates and uses the model of `model_fn(features, labels, mode, params, config, model_dir)`.

    The model_fn returns ModelFnOps, or (predictions, loss, train_op).

    Raises:
        ValueError: the model_fn returns something else, or the input arguments contradict each other.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any] | None = None,
        model_dir: str | None = None,
        config: Any = None,
        params: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ) -> None:
        if model_fn is not None and params is None and "params" in fn_args(model_fn):
            logging.warning("The model_fn %s takes params, but none are given.", model_fn)
        if model_fn is not None and params is not None and "params" not in fn_args(model_fn):
            raise ValueError(f"params are given, but the model_fn {model_fn} does not take them")
        self._model_fn, self._engineer, self._params = model_fn, feature_engineering_fn, params
        self._metrics: Any = None
        self._label_signatures: Any = None
        self._core = CoreEstimator(self._adapted, model_dir, config or RunConfig())
        self._core._summarizes_loss = False  # contrib.learn leaves that to the model
        self._core._measures_loss = True  # a head divides the loss by the sum of weights, in training by their number

    @property
    def model_dir(self) -> str:
        """The directory of checkpoints and event files."""
        return self._core.model_dir

    @property
    def config(self) -> Any:
        """A copy of the configuration."""
        return self._core.config

    @property
    def params(self) -> Any:
        """The `params` of the model_fn."""
        return self._params

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Returns the settings in the format of scikit-learn: {"params": params of the model_fn}."""
        del deep
        return {"params": self._params}

    def set_params(self, **params: Any) -> Estimator:
        """Sets `params`, and returns this estimator. Raises ValueError for other names."""
        for name in params.keys() - {"params"}:
            raise ValueError(
                f"Invalid parameter {name} for estimator {type(self).__name__}. "
                "Check the list of available parameters with `estimator.get_params().keys()`."
            )
        self._params = params.get("params", self._params)
        return self

    @property
    def model_fn(self) -> Callable[..., Any]:
        """The model_fn as a function (features, labels, mode, config) -> ModelFnOps."""
        return self._called

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int | None = None,
        batch_size: int | None = None,
        monitors: Any = None,
        max_steps: int | None = None,
    ) -> Estimator:
        """Trains `steps` more steps, or up to `max_steps`, on arrays or an input_fn. Returns `self`."""
        input_fn, hooks = _input(x, y, input_fn, batch_size, shuffle=True, epochs=None)
        hooks += replace_monitors_with_hooks(monitors, self)
        self._core.train(input_fn, hooks, steps, max_steps)
        return self

    def partial_fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int | None = 1,
        batch_size: int | None = None,
        monitors: Any = None,
    ) -> Estimator:
        """Trains one more step, and returns `self`."""
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        feed_fn: Any = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Any = None,
        log_progress: bool = True,
    ) -> dict[str, Any]:
        """Returns the loss, the global step, the metrics of the model, and the MetricSpecs by name."""
        del log_progress
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"metrics must be a dictionary of MetricSpecs, not {metrics}")
        checkpoint_path = checkpoint_path or self._latest_checkpoint()
        input_fn, input_hooks = _input(x, y, input_fn, batch_size, shuffle=False, epochs=1)
        if feed_fn is not None:
            input_hooks.append(v1.train.FeedFnHook(feed_fn))
        self._metrics = metrics
        try:
            return self._core.evaluate(input_fn, steps, [*input_hooks, *(hooks or ())], checkpoint_path, name)
        finally:
            self._metrics = None

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """Returns an iterator of predictions of examples or batches. Without `as_iterable` returns all at once."""
        self._latest_checkpoint()
        input_fn, hooks = _input(x, None, input_fn, batch_size, shuffle=False, epochs=1)
        hooks = hooks or [StopWithConstantInput()]
        predictions = self._core.predict(
            input_fn, outputs, hooks, yield_single_examples=as_iterable and not iterate_batches
        )
        return predictions if as_iterable else _joined(predictions)

    def get_variable_value(self, name: str) -> Any:
        """Returns the value of a variable in the latest checkpoint."""
        return v1.train.load_variable(self.model_dir, name)

    def get_variable_names(self) -> list[str]:
        """Returns the names of all variables in the latest checkpoint."""
        return [name for name, _ in v1.train.list_variables(self.model_dir)]

    def export_savedmodel(
        self,
        export_dir_base: Any,
        serving_input_fn: Any,
        default_output_alternative_key: str | None = None,
        assets_extra: Any = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        graph_rewrite_specs: Any = None,
        strip_default_attrs: bool = False,
    ) -> Any:
        """Writes a SavedModel; `serving_input_fn` returns InputFnOps or a ServingInputReceiver. Returns its path.

        Raises NotFittedError without a checkpoint, ValueError for `graph_rewrite_specs`: nothing here rewrites graphs.
        """
        if graph_rewrite_specs is not None:
            raise ValueError("graph_rewrite_specs are not supported: leave them out, and rewrite the export")

        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        checkpoint_path = checkpoint_path or self._latest_checkpoint()
        return export(
            lambda features: self._called(features, None, ModeKeys.INFER, self.config),
            serving_input_fn,
            export_dir_base,
            default_output_alternative_key,
            checkpoint_path,
            assets_extra,
            as_text,
            bool(strip_default_attrs),
        )

    def export(self, *arguments: Any, **keywords: Any) -> Any:
        """Raises SessionBundleError: TensorFlow 2 cannot load the files that `export` wrote."""
        del arguments, keywords
        raise SessionBundleError

    def _latest_checkpoint(self) -> str:
        """Returns the latest checkpoint. Like 1.15.5, raises NotFittedError if there is none."""
        path = v1.train.latest_checkpoint(self.model_dir)
        if not path:
            raise NotFittedError(f"Couldn't find trained model at {self.model_dir}.")
        return str(path)

    def _adapted(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        if mode == ModeKeys.INFER:
            labels = create_placeholders_from_signatures(self._label_signatures)
        elif self._label_signatures is None:
            self._label_signatures = create_signatures(labels)
        made = self._called(features, labels, mode, config)
        made = made._replace(eval_metric_ops=with_updates(made.eval_metric_ops))
        spec = made._replace(output_alternatives=None).estimator_spec()  # exports go their own way
        return spec._replace(eval_metric_ops=made.eval_metric_ops)

    def _called(self, features: Any, labels: Any, mode: str, config: Any = None) -> ModelFnOps:
        if self._model_fn is None:
            raise ValueError("the Estimator has no model_fn")
        if self._engineer is not None:
            features, labels = self._engineer(features, labels)
        given = {"mode": mode, "params": self._params, "config": config, "model_dir": self.model_dir}
        takes = fn_args(self._model_fn)
        result = self._model_fn(features, labels, **{key: value for key, value in given.items() if key in takes})
        made = _model_fn_ops(mode, result)
        if self._metrics and mode == ModeKeys.EVAL:
            made.eval_metric_ops.update(metric_ops(self._metrics, features, labels, made.predictions))
        return made


class StopWithConstantInput(v1.train.SessionRunHook):  # type: ignore[name-defined,misc]  # no types
    """Ends predictions after the first batch if no queue feeds them, as in 1.x: a constant input never ends."""

    def begin(self) -> None:
        """Checks if the graph has queue runners."""
        self._has_queues = bool(v1.get_collection(v1.GraphKeys.QUEUE_RUNNERS))

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Ends the session."""
        del run_values
        if not self._has_queues:
            run_context.request_stop()


def _input(
    x: Any, y: Any, input_fn: Any, batch_size: int | None, shuffle: bool, epochs: int | None
) -> tuple[Any, list[Any]]:
    """Returns the input_fn of arrays and its feeding hook, or the given input_fn."""
    if input_fn is None:
        feeder = ArrayInput(x, y, batch_size, shuffle, epochs)
        return feeder.input_fn, [feeder.hook()]
    for name, given in (("x or y", x is not None or y is not None), ("batch_size", batch_size is not None)):
        if given:
            raise ValueError(f"Can not provide both input_fn and {name}.")
    return input_fn, []


def _model_fn_ops(mode: str, returned: Any) -> ModelFnOps:
    """Returns the result of a model_fn as ModelFnOps. Raises ValueError if it is not ModelFnOps or three parts."""
    if isinstance(returned, ModelFnOps):
        return returned
    if not isinstance(returned, (tuple, list)) or len(returned) != 3:
        raise ValueError(f"the model_fn returned {returned}; return ModelFnOps, or (predictions, loss, train_op)")
    return ModelFnOps(mode, *returned)


def _joined(batches: Iterator[Any]) -> Any:
    predictions = list(batches)
    if predictions and isinstance(predictions[0], dict):
        return {key: np.concatenate([prediction[key] for prediction in predictions]) for key in predictions[0]}
    return np.concatenate(predictions)


Evaluable.register(Estimator)
Trainable.register(Estimator)
