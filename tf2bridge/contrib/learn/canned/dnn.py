"""The networks of contrib.learn: DNNClassifier, DNNRegressor and DNNEstimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.optimizers.optimize_loss import optimize_loss
from tf2bridge.contrib.learn.canned.network import (
    SLICE,
    by_name,
    embedding_multipliers,
    network_logits,
    optimizer_of,
    partitioner_of,
)
from tf2bridge.contrib.learn.canned.predicting import Classifier, Regressor
from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.heads.functions import multi_class_head, regression_head
from tf2bridge.contrib.learn.preprocessing.text import ModeKeys

v1 = tf.compat.v1
LEARNING_RATE = 0.05
ACTIVATIONS = {"relu": tf.nn.relu, "tanh": tf.nn.tanh, "sigmoid": tf.nn.sigmoid}


def dnn_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> Any:
    """Returns the ModelFnOps of a network; `params` are the arguments of DNNEstimator."""
    head, features = params["head"], by_name(features)
    activation_fn, dropout = activation_of(params.get("activation_fn")), params.get("dropout")
    input_partitioner = partitioner_of(config, params.get("input_layer_min_slice_size") or SLICE)
    with v1.variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner_of(config)):
        logits, input_scope = network_logits(
            features,
            params["feature_columns"],
            params["hidden_units"],
            head.logits_dimension,
            activation_fn,
            dropout if mode == ModeKeys.TRAIN else None,
            input_partitioner,
            _summarize,
        )

        def train_op_fn(loss: Any) -> Any:
            multipliers = params.get("embedding_lr_multipliers", {})
            return optimize_loss(
                loss=loss,
                global_step=v1.train.get_global_step(),
                learning_rate=LEARNING_RATE,
                optimizer=optimizer_of(params.get("optimizer") or "Adagrad"),
                gradient_multipliers=embedding_multipliers(multipliers, "dnn", input_scope),
                clip_gradients=params.get("gradient_clip_norm"),
                name="dnn",
                summaries=[],
            )

        return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


def activation_of(activation_fn: Any) -> Any:
    """Returns the activation function of a name. Raises ValueError if the name is unknown."""
    if not isinstance(activation_fn, str):
        return activation_fn
    if activation_fn not in ACTIVATIONS:
        names = ", ".join(ACTIVATIONS)
        raise ValueError(f"Activation name should be one of [{names}], you provided {activation_fn}.")
    return ACTIVATIONS[activation_fn]


def _summarize(value: Any, tag: str) -> None:
    v1.summary.scalar(f"{tag}_fraction_of_zero_values", v1.nn.zero_fraction(value))
    v1.summary.histogram(f"{tag}_activation", value)


class DNNClassifier(Classifier):
    """A network that classifies: layers of `hidden_units` above `feature_columns`."""

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Any,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None,
        label_keys: Any = None,
    ) -> None:
        head = multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = {
            "head": head,
            "hidden_units": hidden_units,
            "feature_columns": tuple(feature_columns or []),
            "optimizer": optimizer,
            "activation_fn": activation_fn,
            "dropout": dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_min_slice_size": input_layer_min_slice_size,
        }
        super().__init__(dnn_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNRegressor(Regressor):
    """A network that predicts numbers, [batch, label_dimension]."""

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_dimension: int = 1,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None,
    ) -> None:
        head = regression_head(
            label_dimension=label_dimension,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
        )
        params = {
            "head": head,
            "hidden_units": hidden_units,
            "feature_columns": tuple(feature_columns or []),
            "optimizer": optimizer,
            "activation_fn": activation_fn,
            "dropout": dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_min_slice_size": input_layer_min_slice_size,
        }
        super().__init__(dnn_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNEstimator(Estimator):
    """A network with a given head."""

    def __init__(
        self,
        head: Any,
        hidden_units: Sequence[int],
        feature_columns: Any,
        model_dir: str | None = None,
        optimizer: Any = None,
        activation_fn: Any = tf.nn.relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None,
    ) -> None:
        params = {
            "head": head,
            "hidden_units": hidden_units,
            "feature_columns": feature_columns,
            "optimizer": optimizer,
            "activation_fn": activation_fn,
            "dropout": dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_min_slice_size": input_layer_min_slice_size,
        }
        super().__init__(dnn_model_fn, model_dir, config, params, feature_engineering_fn)
