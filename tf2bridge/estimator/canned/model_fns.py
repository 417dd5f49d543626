"""The functions below the canned estimators under the signatures of 1.15, for programs that call them in a model_fn.

The signatures are those of `canned/dnn.py`, `canned/dnn_linear_combined.py` and `canned/baseline.py` of
tensorflow_estimator 1.15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.canned import baseline, combined, dnn


def dnn_model_fn(
    features: Any,
    labels: Any,
    mode: str,
    head: Any,
    hidden_units: Any,
    feature_columns: Any,
    optimizer: Any = "Adagrad",
    activation_fn: Any = tf.nn.relu,
    dropout: float | None = None,
    input_layer_partitioner: Any = None,
    config: Any = None,
    use_tpu: bool = False,
    batch_norm: bool = False,
) -> Any:
    """Returns the EstimatorSpec of a network. Raises ValueError for `use_tpu`."""
    if use_tpu:
        raise ValueError("use_tpu=True makes the spec of a TPU, which is not supported: leave use_tpu out")
    layers = (hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm)
    return dnn.dnn_model_fn(head, optimizer, *layers)(features, labels, mode, config)


def combined_model_fn(
    features: Any,
    labels: Any,
    mode: str,
    head: Any,
    linear_feature_columns: Any = None,
    linear_optimizer: Any = "Ftrl",
    dnn_feature_columns: Any = None,
    dnn_optimizer: Any = "Adagrad",
    dnn_hidden_units: Any = None,
    dnn_activation_fn: Any = tf.nn.relu,
    dnn_dropout: float | None = None,
    input_layer_partitioner: Any = None,
    config: Any = None,
    batch_norm: bool = False,
    linear_sparse_combiner: str = "sum",
) -> Any:
    """Returns the EstimatorSpec of a network and a linear model."""
    parts = combined.Parts(
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
    return combined.combined_model_fn(head, parts)(features, labels, mode, config)


def baseline_logit_fn_builder(num_outputs: int, weight_column: Any = None) -> Callable[[Any], Any]:
    """Returns the function features -> logits [batch, num_outputs] of a baseline."""
    return lambda features: baseline.logits(features, num_outputs, baseline.key_of(weight_column))
