"""Layers of Keras add as many operations to the count for op seeds as in 1.15.

The numbers are those of 1.15.5 less those of tf_keras 2.21, measured with the learning phase of the graph fed. Not
measured: dropout of ConvLSTM. Transposed convolutions and what training adds are in the table of measured functions.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.seeds import counter, installation
from tf2bridge.patching import put

Rule = Callable[..., int]
"""(layer, arguments of a call) -> how many operations more the call counts in a release."""

_LAYERS = "tf_keras.src.layers"
_METRICS = {"categorical_accuracy": -1, "sparse_categorical_accuracy": -2}


def install() -> None:
    """Watches the layers, for the whole process."""
    watch(_RULES, "counted", _count)


def watch(rules: dict[str, Rule], mark: str, count: Callable[..., None]) -> None:
    """Makes `count(rule, layer, *arguments)` run after each call of a method "module:Class.method" in a graph.

    A method that has the attribute `mark` is inherited from a class that is watched already.
    """
    for where, rule in rules.items():
        module, _, path = where.partition(":")
        kind, _, method = path.partition(".")
        owner = getattr(importlib.import_module(module), kind)
        if not hasattr(getattr(owner, method), mark):
            put(owner, method, _watched(getattr(owner, method), mark, functools.partial(count, rule)))


def _watched(function: Any, mark: str, count: Callable[..., None]) -> Any:
    @functools.wraps(function)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = function(self, *args, **kwargs)
        if not tf.executing_eagerly():
            count(self, *args, **kwargs)
        return result

    # Keras hands `training` to whatever takes any keyword.
    changed.__dict__.update({mark: True, "__signature__": inspect.signature(function)})
    return changed


def _count(rule: Rule, layer: Any, *args: Any, **kwargs: Any) -> None:
    if installation.family() == "1.15.5":
        counter.of(tf.compat.v1.get_default_graph()).correction += rule(layer, *args, **kwargs)


def _recurrent(layer: Any, *_: Any, **__: Any) -> int:
    """Returns the operations of a recurrent layer: one for the loop, two for each kind of dropout in it."""
    if layer.unroll:
        return 0
    cells = getattr(layer.cell, "cells", [layer.cell])
    rates = [getattr(cell, name, 0.0) for cell in cells for name in ("dropout", "recurrent_dropout")]
    return 1 + 2 * len([rate for rate in rates if 0.0 < rate < 1.0])


def _over_images(layer: Any, inputs: Any, *_: Any, **__: Any) -> int:
    """Returns the operations of a recurrent layer over images: 13 more if the number of steps is known."""
    return _recurrent(layer) + 13 * (inputs.shape[1] is not None)


def _normalized(layer: Any, _: Any, training: Any = None, *_more: Any, **__: Any) -> int:
    """Returns the operations of the fused kernel if it trains or may train.

    Those of tf.layers are in the table of measured functions.
    """
    legacy = isinstance(layer, importlib.import_module("tf_keras.src.legacy_tf_layers.base").Layer)
    infers = isinstance(training, (bool, int)) and not training
    return -2 if layer.fused and not legacy and not infers else 0


def _enlarged(_: Any, inputs: Any) -> int:
    return 4 if inputs.shape[1:3].is_fully_defined() else 0


def _compiled(model: Any, *_: Any, **__: Any) -> int:
    """Returns the operations that `compile` makes for losses and metrics."""
    losses: int = sum(not endpoint.should_skip_target() for endpoint in getattr(model, "_training_endpoints", ()))
    metrics = [getattr(metric, "_fn", None) for metric in getattr(model, "_compile_metric_functions", ())]
    return 9 * losses + sum(_METRICS.get(getattr(function, "__name__", ""), 0) for function in metrics)


_RULES: dict[str, Rule] = {
    f"{_LAYERS}.rnn.time_distributed:TimeDistributed.call": lambda *_, **__: -2,
    f"{_LAYERS}.rnn.base_rnn:RNN.call": _recurrent,
    f"{_LAYERS}.rnn.base_conv_lstm:ConvLSTM.call": _over_images,
    f"{_LAYERS}.normalization.batch_normalization:BatchNormalizationBase.call": _normalized,
    f"{_LAYERS}.reshaping.up_sampling2d:UpSampling2D.call": _enlarged,
    "tf_keras.src.engine.training_v1:Model.compile": _compiled,
}
