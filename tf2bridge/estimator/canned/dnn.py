"""Estimators of fully connected networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.canned.dnn_model import dnn_logit_fn_builder
from tf2bridge.estimator.canned.optimizers import LARGE_SLICE, check_features, optimizer_of, partitioner
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.heads.first import SUM
from tf2bridge.estimator.heads.first_classifiers import binary_or_multi_class
from tf2bridge.estimator.heads.first_regression import RegressionHead

v1 = tf.compat.v1

LEARNING_RATE = 0.05


class DNNEstimator(Estimator):
    """A network with a head of the caller's choice."""

    def __init__(
        self,
        head: Any,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        batch_norm: bool = False,
    ) -> None:
        layers = (hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm)
        super().__init__(dnn_model_fn(head, optimizer, *layers), model_dir, config, warm_start_from=warm_start_from)


class DNNClassifier(Estimator):
    """A network for two classes or more."""

    def __init__(
        self,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: Any = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = SUM,
        batch_norm: bool = False,
    ) -> None:
        head = binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction)
        layers = (hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm)
        super().__init__(dnn_model_fn(head, optimizer, *layers), model_dir, config, warm_start_from=warm_start_from)


class DNNRegressor(Estimator):
    """A network for numbers."""

    def __init__(
        self,
        hidden_units: Any,
        feature_columns: Any,
        model_dir: Any = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Adagrad",
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = SUM,
        batch_norm: bool = False,
    ) -> None:
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        layers = (hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm)
        super().__init__(dnn_model_fn(head, optimizer, *layers), model_dir, config, warm_start_from=warm_start_from)


def dnn_model_fn(
    head: Any,
    optimizer: Any,
    hidden_units: Any,
    feature_columns: Any,
    activation_fn: Any,
    dropout: float | None,
    input_partitioner: Any,
    batch_norm: bool,
) -> Callable[..., Any]:
    """Returns the model_fn of a network; its variables lie in the scope "dnn"."""
    chosen = tuple(feature_columns or [])

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        used = optimizer_of(optimizer, LEARNING_RATE)
        check_features(features)
        with v1.variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner(config)):
            parts = input_partitioner or partitioner(config, LARGE_SLICE)
            logit_fn = dnn_logit_fn_builder(
                head.logits_dimension, hidden_units, chosen, activation_fn, dropout, parts, batch_norm
            )
            logits = logit_fn(features=features, mode=mode)
            return head.create_estimator_spec(
                features=features, mode=mode, labels=labels, optimizer=used, logits=logits
            )

    return model_fn
