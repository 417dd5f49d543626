"""The linear models of contrib.learn: LinearClassifier, LinearRegressor and LinearEstimator."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.optimizers.optimize_loss import OPTIMIZER_CLS_NAMES
from tf2bridge.contrib.learn.canned.network import SLICE, by_name, linear_logits, optimizer_of, partitioner_of
from tf2bridge.contrib.learn.canned.predicting import Classifier, Regressor
from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.heads.functions import multi_class_head, regression_head

v1 = tf.compat.v1
LEARNING_RATE = 0.2


def linear_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> Any:
    """Returns the ModelFnOps of a linear model; `params` are the arguments of LinearEstimator."""
    head, feature_columns, features = params["head"], params["feature_columns"], by_name(features)
    optimizer = params.get("optimizer") or v1.train.FtrlOptimizer(learning_rate=learning_rate(len(feature_columns)))
    values = tuple(features.values())
    with v1.variable_scope("linear", values=values, partitioner=partitioner_of(config, SLICE)) as scope:
        is_joint = params.get("joint_weights", False)
        logits = linear_logits(features, feature_columns, head.logits_dimension, is_joint, scope)

        def train_op_fn(loss: Any) -> Any:
            variables = v1.get_collection("linear")
            gradients = v1.gradients(loss, variables)
            norm = params.get("gradient_clip_norm")
            if norm:
                gradients, _ = v1.clip_by_global_norm(gradients, norm)
            pairs = zip(gradients, variables, strict=True)
            return _optimizer(optimizer).apply_gradients(pairs, global_step=v1.train.get_global_step())

        return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


def learning_rate(columns: int) -> float:
    """Returns the learning rate of 1.15.5 for a number of columns."""
    return min(LEARNING_RATE, 1.0 / math.sqrt(columns))


def _optimizer(optimizer: Any) -> Any:
    if isinstance(optimizer, str):
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=LEARNING_RATE)
    return optimizer_of(optimizer)


class LinearClassifier(Classifier):
    """A linear classifier. Raises AssertionError without feature columns."""

    def __init__(
        self,
        feature_columns: Any,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        _joint_weight: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        label_keys: Any = None,
    ) -> None:
        assert feature_columns, "a linear model needs feature_columns"
        head = multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = {
            "head": head,
            "feature_columns": feature_columns,
            "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm,
            "joint_weights": _joint_weight,
        }
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)


class LinearRegressor(Regressor):
    """A linear regression. Raises AssertionError without feature columns."""

    def __init__(
        self,
        feature_columns: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        _joint_weights: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        assert feature_columns, "a linear model needs feature_columns"
        head = regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = {
            "head": head,
            "feature_columns": feature_columns,
            "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm,
            "joint_weights": _joint_weights,
        }
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)


class LinearEstimator(Estimator):
    """A linear model with a given head. Raises AssertionError without feature columns."""

    def __init__(
        self,
        feature_columns: Any,
        head: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: Any = None,
        gradient_clip_norm: float | None = None,
        _joint_weights: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:
        del weight_column_name  # 1.15.5 does not use it either: the head has its own
        assert feature_columns, "a linear model needs feature_columns"
        params = {
            "head": head,
            "feature_columns": feature_columns,
            "optimizer": optimizer,
            "gradient_clip_norm": gradient_clip_norm,
            "joint_weights": _joint_weights,
        }
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)
