"""Linear estimators."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.canned.linear_model import linear_logit_fn_builder
from tf2bridge.estimator.canned.optimizers import LARGE_SLICE, check_features, optimizer_of, partitioner
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.heads.first import SUM
from tf2bridge.estimator.heads.first_classifiers import binary_or_multi_class
from tf2bridge.estimator.heads.first_regression import RegressionHead

v1 = tf.compat.v1

LEARNING_RATE = 0.2


class LinearEstimator(Estimator):
    """A linear model with a head of the caller's choice."""

    def __init__(
        self,
        head: Any,
        feature_columns: Any,
        model_dir: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        partitioner: Any = None,
        sparse_combiner: str = "sum",
    ) -> None:
        model_fn = linear_model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn, model_dir, config)


class LinearClassifier(Estimator):
    """A linear model for two classes or more."""

    def __init__(
        self,
        feature_columns: Any,
        model_dir: Any = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        head = binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = linear_model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class LinearRegressor(Estimator):
    """A linear model for numbers."""

    def __init__(
        self,
        feature_columns: Any,
        model_dir: Any = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        optimizer: Any = "Ftrl",
        config: Any = None,
        partitioner: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = SUM,
        sparse_combiner: str = "sum",
    ) -> None:
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        model_fn = linear_model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


def linear_model_fn(
    head: Any, feature_columns: Any, optimizer: Any, own_partitioner: Any, combiner: str
) -> Callable[..., Any]:
    """Returns the model_fn of a linear estimator; its variables lie in the scope "linear"."""
    chosen = tuple(feature_columns or [])

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        check_features(features)
        parts = own_partitioner or partitioner(config, LARGE_SLICE)
        with v1.variable_scope("linear", values=tuple(features.values()), partitioner=parts):
            logits = linear_logit_fn_builder(head.logits_dimension, chosen, combiner)(features=features)
            used = optimizer_of(optimizer or _default_optimizer(chosen), LEARNING_RATE)
            return head.create_estimator_spec(
                features=features, mode=mode, labels=labels, optimizer=used, logits=logits
            )

    return model_fn


def _default_optimizer(chosen: tuple[Any, ...]) -> Any:
    return v1.train.FtrlOptimizer(learning_rate=min(LEARNING_RATE, 1.0 / math.sqrt(len(chosen))))
