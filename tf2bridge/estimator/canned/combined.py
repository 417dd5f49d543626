"""Estimators that add a linear model and a network ("wide and deep")."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.canned.dnn_model import add_layer_summary, dnn_logit_fn_builder
from tf2bridge.estimator.canned.linear_model import linear_logit_fn_builder
from tf2bridge.estimator.canned.optimizers import LARGE_SLICE, check_features, optimizer_of, partitioner
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.heads.first import SUM
from tf2bridge.estimator.heads.first_classifiers import binary_or_multi_class
from tf2bridge.estimator.heads.first_regression import RegressionHead
from tf2bridge.train.replicas import optimizer as replicas

v1 = tf.compat.v1

DNN_LEARNING_RATE = 0.001
LINEAR_LEARNING_RATE = 0.005


@dataclass(frozen=True)
class Parts:
    """The parameters of both models. Raises ValueError without any feature column."""

    linear_columns: Any
    linear_optimizer: Any
    dnn_columns: Any
    dnn_optimizer: Any
    hidden_units: Any
    activation_fn: Any
    dropout: float | None
    input_layer_partitioner: Any
    batch_norm: bool
    sparse_combiner: str

    def __post_init__(self) -> None:
        if not self.columns:
            raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")

    @property
    def columns(self) -> list[Any]:
        """The columns of both."""
        return [*(self.linear_columns or ()), *(self.dnn_columns or ())]


class DNNLinearCombinedEstimator(Estimator):
    """Both models with a head of the caller's choice."""

    def __init__(
        self,
        head: Any,
        model_dir: Any = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        parts = Parts(
            linear_feature_columns,
            linear_optimizer,
            dnn_feature_columns,
            dnn_optimizer,
            dnn_hidden_units,
            dnn_activation_fn,
            dnn_dropout,
            input_layer_partitioner,
            False,
            linear_sparse_combiner,
        )
        self._feature_columns = parts.columns
        super().__init__(combined_model_fn(head, parts), model_dir, config)


class DNNLinearCombinedClassifier(Estimator):
    """Both models for two classes or more."""

    def __init__(
        self,
        model_dir: Any = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        parts = Parts(
            linear_feature_columns,
            linear_optimizer,
            dnn_feature_columns,
            dnn_optimizer,
            dnn_hidden_units,
            dnn_activation_fn,
            dnn_dropout,
            input_layer_partitioner,
            batch_norm,
            linear_sparse_combiner,
        )
        self._feature_columns = parts.columns
        head = binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(combined_model_fn(head, parts), model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedRegressor(Estimator):
    """Both models for numbers."""

    def __init__(
        self,
        model_dir: Any = None,
        linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        input_layer_partitioner: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        parts = Parts(
            linear_feature_columns,
            linear_optimizer,
            dnn_feature_columns,
            dnn_optimizer,
            dnn_hidden_units,
            dnn_activation_fn,
            dnn_dropout,
            input_layer_partitioner,
            batch_norm,
            linear_sparse_combiner,
        )
        self._feature_columns = parts.columns
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(combined_model_fn(head, parts), model_dir, config, warm_start_from=warm_start_from)


def combined_model_fn(head: Any, parts: Parts) -> Callable[..., Any]:
    """Returns the model_fn of both models; each optimizer trains the variables of its own scope, "dnn" or "linear"."""

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        check_features(features)
        input_partitioner = parts.input_layer_partitioner or partitioner(config, LARGE_SLICE)
        built = []
        if parts.dnn_columns:
            built.append(_dnn(head, parts, features, mode, config, input_partitioner))
        if parts.linear_columns:
            built.append(_linear(head, parts, features, input_partitioner))
        logits = built[0][0] + built[1][0] if len(built) == 2 else built[0][0]

        def train_op_fn(loss: Any) -> Any:
            step, trained = v1.train.get_global_step(), v1.GraphKeys.TRAINABLE_VARIABLES
            ops = [used.minimize(loss, var_list=v1.get_collection(trained, scope=scope)) for _, used, scope in built]
            with tf.control_dependencies([tf.group(*ops)]):
                return v1.assign_add(step, 1).op

        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )

    return model_fn


def _dnn(head: Any, parts: Parts, features: Any, mode: str, config: Any, input_partitioner: Any) -> Any:
    used = _own_optimizer(parts.dnn_optimizer, DNN_LEARNING_RATE)
    if not parts.hidden_units:
        raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
    values = tuple(features.values())
    with v1.variable_scope("dnn", values=values, partitioner=partitioner(config)) as scope:
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension,
            parts.hidden_units,
            parts.dnn_columns,
            parts.activation_fn,
            parts.dropout,
            input_partitioner,
            parts.batch_norm,
        )
        return logit_fn(features=features, mode=mode), used, scope.name


def _linear(head: Any, parts: Parts, features: Any, input_partitioner: Any) -> Any:
    rate = min(LINEAR_LEARNING_RATE, 1.0 / math.sqrt(len(parts.linear_columns)))
    used = _own_optimizer(parts.linear_optimizer, rate)
    with v1.variable_scope("linear", values=tuple(features.values()), partitioner=input_partitioner) as scope:
        logit_fn = linear_logit_fn_builder(head.logits_dimension, parts.linear_columns, parts.sparse_combiner)
        logits = logit_fn(features=features)
        add_layer_summary(logits, scope.name)
        return logits, used, scope.name


def _own_optimizer(given: Any, learning_rate: float) -> Any:
    optimizer = optimizer_of(given, learning_rate)
    if isinstance(optimizer, replicas.KINDS):
        raise ValueError(
            "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not supported in "
            "DNNLinearCombined model. If you want to use this optimizer, please use either DNN or Linear model."
        )
    return optimizer
