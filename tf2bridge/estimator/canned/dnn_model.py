"""Computes the logits of a fully connected network over feature columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.estimator.canned.state import ColumnState, names_below
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.internals.columns import feature_column as old_columns
from tf2bridge.internals.columns import feature_column_v2 as columns

v1 = tf.compat.v1


def dnn_logit_fn_builder(
    units: int,
    hidden_units: Any,
    feature_columns: Any,
    activation_fn: Any,
    dropout: float | None,
    input_layer_partitioner: Any,
    batch_norm: bool,
) -> Callable[..., Any]:
    """Returns a function (features, mode) -> logits [batch, units]. Raises ValueError if `units` is no integer."""
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features: Any, mode: str) -> Any:
        layers = _Layers(hidden_units, activation_fn, dropout, batch_norm, units)
        with v1.name_scope("dnn"), v1.name_scope(_scope_around()):
            with v1.variable_scope("input_from_feature_columns", partitioner=input_layer_partitioner):
                net = _inputs(features, feature_columns)
            return layers(net, mode)

    return dnn_logit_fn


def _scope_around() -> str:
    """Returns the outer scope: layers of 1.15.5 put their ops outside the scope that the model opens."""
    return str(tf.get_current_name_scope().rpartition("/")[0]) + "/"


class _Layers:
    """The hidden layers and the logits. They are made before their inputs, because their scopes were."""

    def __init__(self, hidden_units: Any, activation_fn: Any, dropout: float | None, batch_norm: bool, units: int):
        core = core_layers()
        glorot = v1.glorot_uniform_initializer
        self._hidden = []
        for place, size in enumerate(hidden_units):
            with v1.variable_scope(f"hiddenlayer_{place}", use_resource=True) as scope:
                dense = core.Dense(
                    size, activation=activation_fn, kernel_initializer=glorot(), name=scope.name, _scope=scope
                )
                drop = None if dropout is None else core.Dropout(rate=dropout)
                name = f"batchnorm_{place}"
                norm = core.BatchNormalization(momentum=0.999, trainable=True, name=name, _scope=name)
                self._hidden.append((scope.name, dense, drop, norm if batch_norm else None))
        with v1.variable_scope("logits", use_resource=True) as scope:
            self._logits_name = scope.name
            self._logits = core.Dense(
                units, activation=None, kernel_initializer=glorot(), name=scope.name, _scope=scope
            )

    def __call__(self, net: Any, mode: str) -> Any:
        training = mode == ModeKeys.TRAIN
        for name, dense, drop, norm in self._hidden:
            net = dense(net)
            if drop is not None and training:
                net = drop(net, training=True)
            if norm is not None:
                net = norm(net, training=training)
            add_layer_summary(net, name)
        logits = self._logits(net)
        add_layer_summary(logits, self._logits_name)
        return logits


def add_layer_summary(value: Any, name: str) -> None:
    """Adds the summaries of TF 1.x for a layer's output: the fraction of zeros and a histogram."""
    v1.summary.scalar(f"{name}/fraction_of_zero_values", tf.math.zero_fraction(value))
    v1.summary.histogram(f"{name}/activation", value)


def _inputs(features: Any, feature_columns: Any) -> Any:
    """Returns the dense columns side by side, in the order of their names: [batch, total size]."""
    if not columns.is_feature_column_v2(feature_columns):
        return old_columns.InputLayer(feature_columns, name="input_layer", create_scope_now=False)(features)
    if not isinstance(features, dict):
        raise ValueError("We expected a dictionary here. Instead we got: ", features)
    state, ordered = ColumnState(), columns._normalize_feature_columns(feature_columns)
    for column in ordered:
        if not isinstance(column, columns.DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a DenseColumn. You can wrap a categorical column with an "
                f"embedding_column or indicator_column. Given: {column}"
            )
    with v1.name_scope("input_layer"):
        for column in ordered:
            with names_below("input_layer"), names_below(column.name):
                column.create_state(state)
        return _side_by_side(features, state, ordered)


def _side_by_side(features: Any, state: ColumnState, ordered: Any) -> Any:
    cache, parts = columns.FeatureTransformationCache(features), []
    for column in ordered:
        with v1.name_scope(column.name):
            tensor = column.get_dense_tensor(cache, state)
            size = column.variable_shape.num_elements()
            parts.append(tf.reshape(tensor, (tf.shape(tensor)[0], size)))
    columns._verify_static_batch_size_equality(parts, ordered)
    return tf.concat(parts, -1)
