"""The parts of models: the logits of a network and of a linear model over feature columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import _FeatureColumn
from tf2bridge.contrib.layers.feature_column.embedded import _EmbeddingColumn
from tf2bridge.contrib.layers.feature_column_ops.inputs import input_from_feature_columns
from tf2bridge.contrib.layers.feature_column_ops.sums import (
    joint_weighted_sum_from_feature_columns,
    weighted_sum_from_feature_columns,
)
from tf2bridge.contrib.layers.layers.activation import dropout as dropout_layer
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected

v1 = tf.compat.v1
SLICE = 64 << 20
"""The least bytes of one part of a variable that parameter servers share."""

Summary = Callable[[Any, str], None]


def network_logits(
    features: dict[str, Any],
    feature_columns: Sequence[Any],
    hidden_units: Sequence[int],
    size: int,
    activation_fn: Any,
    dropout: float | None,
    input_partitioner: Any,
    summarize: Summary,
) -> tuple[Any, str]:
    """Returns the logits of a network, [batch, size], and the name of the scope of its input.

    The variables are in the collection "dnn"; the caller opens the scope "dnn". Without training `dropout` is None.
    """
    tensors = tuple(features.values())
    with v1.variable_scope("input_from_feature_columns", values=tensors, partitioner=input_partitioner) as input_scope:
        net = _inputs(features, feature_columns, input_scope)
    for place, units in enumerate(hidden_units):
        with v1.variable_scope(f"hiddenlayer_{place}", values=(net,)) as scope:
            net = fully_connected(net, units, activation_fn=activation_fn, variables_collections=["dnn"], scope=scope)
            if dropout is not None:
                net = dropout_layer(net, keep_prob=1.0 - dropout)
        summarize(net, scope.name)
    with v1.variable_scope("logits", values=(net,)) as scope:
        logits = fully_connected(net, size, activation_fn=None, variables_collections=["dnn"], scope=scope)
    summarize(logits, scope.name)
    return logits, input_scope.name


def linear_logits(
    features: dict[str, Any], feature_columns: Sequence[Any], size: int, has_joint_weights: bool, scope: Any
) -> Any:
    """Returns the logits of a linear model, [batch, size], whose variables are in the collection "linear"."""
    if not are_of_contrib(feature_columns):
        return v1.feature_column.linear_model(
            features=features, feature_columns=feature_columns, units=size, weight_collections=["linear"]
        )
    weigh = joint_weighted_sum_from_feature_columns if has_joint_weights else weighted_sum_from_feature_columns
    sums: tuple[Any, Any, Any] = weigh(
        columns_to_tensors=features,
        feature_columns=feature_columns,
        num_outputs=size,
        weight_collections=["linear"],
        scope=scope,
    )
    return sums[0]


def _inputs(features: dict[str, Any], feature_columns: Sequence[Any], scope: Any) -> Any:
    if not are_of_contrib(feature_columns):
        return v1.feature_column.input_layer(
            features=features, feature_columns=feature_columns, weight_collections=["dnn"]
        )
    return input_from_feature_columns(
        columns_to_tensors=features, feature_columns=feature_columns, weight_collections=["dnn"], scope=scope
    )


def are_of_contrib(feature_columns: Sequence[Any]) -> bool:
    """Returns True if the columns are those of contrib.layers, not those of tf.feature_column."""
    return all(isinstance(column, _FeatureColumn) for column in feature_columns)


def partitioner_of(config: Any, slice_size: int = 256 << 10) -> Any:
    """Returns the partitioner that distributes variables over the parameter servers of `config`."""
    servers = config.num_ps_replicas if config else 0
    return v1.min_max_variable_partitioner(max_partitions=servers, min_slice_size=slice_size)


def by_name(features: Any) -> dict[str, Any]:
    """Returns features as a dictionary. A single tensor has the name ""."""
    return features if isinstance(features, dict) else {"": features}


def embedding_multipliers(multipliers: dict[Any, float] | None, collection: str, scope: str) -> Any:
    """Returns {variable: multiplier of its gradient}, or None.

    Raises:
        ValueError: a column is not an embedding column, or has no variable.
    """
    if not multipliers:
        return None
    factors = {}
    for column, factor in multipliers.items():
        if not isinstance(column, _EmbeddingColumn):
            raise ValueError(
                f"learning rate multipler can only be defined for embedding columns. It is defined for {column}"
            )
        variables = embedding_variables(column, collection, scope)
        if not variables:
            raise ValueError(f"Couldn't find a variable for column {column}")
        factors.update(dict.fromkeys(variables, factor))
    return factors


def embedding_variables(column: Any, collection: str, scope: str) -> Any:
    """Returns the variables of a column in a collection."""
    return v1.get_collection(collection, f"{scope}/{column.name}")


def optimizer_of(optimizer: Any) -> Any:
    """Returns the optimizer: the result of a function, or the argument itself."""
    return optimizer() if callable(optimizer) else optimizer
