"""Metrics of models that are trained eagerly: which they are, and when they are there.

In 1.15 `accuracy` was a metric by the loss of its output: binary with a binary cross-entropy, sparse with a sparse one,
else categorical. tf_keras decides so only for models that train in a graph; if they train eagerly, by the shapes of
labels and outputs, so that a loss of `binary_crossentropy` with several outputs has another accuracy. A model that has
inputs had its metrics after `compile`, and `model.metrics` held no losses. `metrics_names` begins with "loss".
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_state import Derived
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_LOSS = "_loss_of_model"
_SHORT = ("accuracy", "acc", "crossentropy", "ce")
_OF_ALL = ("get_metrics_result", "_validate_and_get_metrics_result", "reset_metrics")
"""The methods of a model that go through its losses, too."""

_with_losses: ContextVar[bool] = ContextVar("_with_losses", default=False)
"""Whether `model.metrics` holds the losses, as in tf_keras."""


def install(model: Any) -> None:
    """Changes the class `model` and its containers of metrics."""
    container: Any = importlib.import_module("tf_keras.src.engine.compile_utils").MetricsContainer
    put(container, "build", _knowing_losses(container.build))
    put(container, "_get_metric_object", _by_loss(container._get_metric_object))
    bar: Any = importlib.import_module("tf_keras.src.callbacks").ProgbarLogger
    for owner, name in (*((model, name) for name in _OF_ALL), (bar, "_maybe_init_progbar")):
        put(owner, name, during(getattr(owner, name), _with_losses, lambda *_, **__: True))
    genuine = model.metrics_names
    put(model, "metrics", property(_without_losses(model.metrics), doc=model.metrics.__doc__))
    put(model, "_compile_metric_functions", Derived(lambda compiled: compiled.compiled_metrics.metrics))
    put(model, "metrics_names", property(_names(genuine), doc=genuine.__doc__))


def of_compiled(model: Any) -> None:
    """Tells the metrics of a compiled model its losses, and makes them if the model has its outputs."""
    container = model.compiled_metrics
    container.__dict__[_LOSS] = model.loss
    if getattr(model, "_is_graph_network", False) and not container.built:
        container.build(model.outputs if len(model.outputs) > 1 else model.outputs[0], None)


def _knowing_losses(build: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `build`, which gets the loss of each output in place of its labels."""

    @functools.wraps(build)
    def changed(self: Any, y_pred: Any, y_true: Any) -> Any:
        utils: Any = importlib.import_module("tf_keras.src.engine.compile_utils")
        if _LOSS in self.__dict__:
            utils.Container.build(self, y_pred)
            losses = _losses(self.__dict__[_LOSS], list(self._output_names))
            y_true = tf.nest.pack_sequence_as(y_pred, losses)
        return build(self, y_pred, y_true)

    return changed


def _losses(loss: Any, names: list[str]) -> list[Any]:
    """Returns the loss of each output, None for an output without one."""
    if loss is None:
        return [None] * len(names)
    return list(importlib.import_module("tf_keras.src.engine.training_utils_v1").prepare_loss_functions(loss, names))


def _by_loss(made: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the method that makes a metric, for which `y_t` may be the loss of the output. None has no metrics."""

    @functools.wraps(made)
    def changed(self: Any, metric: Any, y_t: Any, y_p: Any) -> Any:
        if _LOSS not in self.__dict__:
            return made(self, metric, y_t, y_p)
        if y_t is not None and metric in _SHORT:
            utils: Any = importlib.import_module("tf_keras.src.engine.training_utils_v1")
            metrics: Any = importlib.import_module("tf_keras.src.metrics")
            function = utils.get_metric_function(metric, y_p.shape.as_list(), y_t)
            return metrics.MeanMetricWrapper(function, name=utils.get_metric_name(metric))
        return None if y_t is None else made(self, metric, y_t, y_p)

    return changed


def _without_losses(genuine: property) -> Callable[[Any], list[Any]]:
    def metrics(self: Any) -> list[Any]:
        every: list[Any] = genuine.__get__(self)
        container = getattr(self, "compiled_loss", None)
        if _with_losses.get() or container is None:
            return every
        losses = {id(metric) for metric in container.metrics}
        return [metric for metric in every if id(metric) not in losses]

    return metrics


def _names(genuine: property) -> Callable[[Any], list[str]]:
    def metrics_names(self: Any) -> list[str]:
        container = getattr(self, "compiled_loss", None)
        if type(self).metrics is not _model().metrics:
            return list(genuine.__get__(self))  # the program chooses
        losses = [metric.name for metric in container.metrics] if container is not None else []
        return [*(losses or _names_of_losses(self)), *(metric.name for metric in self.metrics)]

    return metrics_names


def _names_of_losses(model: Any) -> list[str]:
    """Returns the names of the losses of a model that has not been trained yet."""
    names = model.output_names if getattr(model, "_is_graph_network", False) else []
    if len(names) < 2:
        return ["loss"]
    losses = _losses(getattr(model, "loss", None), list(names))
    return ["loss", *(f"{name}_loss" for name, loss in zip(names, losses, strict=True) if loss is not None)]


def _model() -> Any:
    return importlib.import_module("tf_keras.src.engine.training").Model
