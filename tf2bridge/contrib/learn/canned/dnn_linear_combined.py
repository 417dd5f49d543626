"""DNNLinearCombinedClassifier, DNNLinearCombinedRegressor and DNNLinearCombinedEstimator of contrib.learn."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.canned.dnn_linear_combined_model import NO_COLUMNS, combined_model_fn
from tf2bridge.contrib.learn.canned.network import partitioner_of
from tf2bridge.contrib.learn.canned.predicting import Classifier, Regressor
from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.heads.functions import multi_class_head, regression_head


class DNNLinearCombinedClassifier(Classifier):
    """A combined linear model and network that classifies. Raises ValueError if there are no columns."""

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None,
        label_keys: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        head = multi_class_head(
            n_classes=n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = {
            "head": head,
            "linear_feature_columns": tuple(linear_feature_columns or []),
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": tuple(dnn_feature_columns or []),
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_partitioner": _input_partitioner(config, input_layer_min_slice_size),
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
        }
        _check_columns(params)
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedRegressor(Regressor):
    """A combined linear model and network for regression. Raises ValueError if there are no columns."""

    def __init__(
        self,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: int | None = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        head = regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = {
            "head": head,
            "linear_feature_columns": linear_feature_columns or [],
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": dnn_feature_columns or [],
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_partitioner": _input_partitioner(config, input_layer_min_slice_size),
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
        }
        _check_columns(params)
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedEstimator(Estimator):
    """A combined linear model and network with a given head. Raises ValueError if there are no columns."""

    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = None,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        config: Any = None,
        feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None,
        fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ) -> None:
        params = {
            "head": head,
            "linear_feature_columns": tuple(linear_feature_columns or []),
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": tuple(dnn_feature_columns or []),
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
            "input_layer_partitioner": input_layer_partitioner,
        }
        _check_columns(params)
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


def _input_partitioner(config: Any, slice_size: int | None) -> Any:
    return None if slice_size is None else partitioner_of(config, slice_size)


def _check_columns(params: dict[str, Any]) -> None:
    if not params["linear_feature_columns"] and not params["dnn_feature_columns"]:
        raise ValueError(NO_COLUMNS)
