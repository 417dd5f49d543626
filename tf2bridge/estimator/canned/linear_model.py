"""Computes the logits of a linear model over feature columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.canned.state import ColumnState, flat, names_below
from tf2bridge.internals.columns import feature_column as old_columns
from tf2bridge.internals.columns import feature_column_v2 as columns

v1 = tf.compat.v1


def linear_logit_fn_builder(units: int, feature_columns: Any, sparse_combiner: str = "sum") -> Callable[..., Any]:
    """Returns a function features -> logits [batch, units]; the weights begin at zero."""

    def linear_logit_fn(features: Any) -> Any:
        if columns.is_feature_column_v2(feature_columns):
            logits, weights, bias = _linear_model(features, feature_columns, units, sparse_combiner)
        else:
            model = old_columns._LinearModel(
                feature_columns=feature_columns, units=units, sparse_combiner=sparse_combiner, name="linear_model"
            )
            logits = model(features)
            parts_by_column = model.cols_to_vars()
            bias, weights = (
                parts_by_column.pop("bias"),
                [variable for part in parts_by_column.values() for variable in part],
            )
        if units > 1:
            v1.summary.histogram("bias", bias)
        else:
            v1.summary.scalar("bias", bias[0][0])
        v1.summary.scalar("fraction_of_zero_weights", fraction_of_zero(weights))
        return logits

    return linear_logit_fn


def _linear_model(features: Any, feature_columns: Any, units: int, combiner: str) -> tuple[Any, Any, Any]:
    state, ordered = ColumnState(), checked_columns(feature_columns)
    with v1.name_scope("linear_model"), v1.name_scope("linear_model"):
        bias = _create(state, ordered, units)
        with v1.name_scope("linear_model"):
            logits = weighted(features, state, ordered, combiner, bias)
    return logits, flat(state.created), flat([bias])


def checked_columns(feature_columns: Any) -> Any:
    """Returns the columns in the order of their names. Raises ValueError for others than dense and categorical ones."""
    ordered = columns._normalize_feature_columns(feature_columns)
    for column in ordered:
        if not isinstance(column, (columns.DenseColumn, columns.CategoricalColumn)):
            raise ValueError(
                f"Items of feature_columns must be either a DenseColumn or CategoricalColumn. Given: {column}"
            )
    return ordered


def _create(state: ColumnState, ordered: Any, units: int) -> Any:
    """Returns the weights of each column, [size, units], and the bias, [units]."""
    zeros = v1.zeros_initializer()
    with names_below("linear_model"):
        for column in ordered:
            with names_below(column.name):
                column.create_state(state)
                categorical = isinstance(column, columns.CategoricalColumn)
                size = column.num_buckets if categorical else column.variable_shape.num_elements()
                state.create_variable(column, "weights", (size, units), dtype=tf.float32, initializer=zeros)
        return v1.get_variable("bias_weights", [units], tf.float32, initializer=zeros, use_resource=True)


def weighted(features: Any, state: ColumnState, ordered: Any, combiner: str, bias: Any) -> Any:
    """Returns the sum of the terms of all columns and of the bias: [batch, units]."""
    if not isinstance(features, dict):
        raise ValueError(f"We expected a dictionary here. Instead we got: {features}")
    cache = columns.FeatureTransformationCache(features)
    sums = []
    for column in ordered:
        with v1.name_scope(column.name):
            sums.append(
                columns._create_weighted_sum(
                    column=column,
                    transformation_cache=cache,
                    state_manager=state,
                    sparse_combiner=combiner,
                    weight_var=state.get_variable(column, "weights"),
                )
            )
    columns._verify_static_batch_size_equality(sums, ordered)
    return tf.nn.bias_add(tf.add_n(sums, name="weighted_sum_no_bias"), bias, name="weighted_sum")


def fraction_of_zero(variables: Any) -> Any:
    variables = tf.nest.flatten(variables)
    with v1.name_scope("zero_fraction"):
        with v1.name_scope("total_size"):
            sizes = [tf.size(variable, out_type=tf.int64) for variable in variables]
            total = tf.add_n(sizes)
        with v1.name_scope("total_zero"):
            zeros = tf.add_n([_zeros(variable, size) for variable, size in zip(variables, sizes, strict=True)])
        with v1.name_scope("compute"):
            fraction = zeros / tf.cast(total, tf.float32, name="float32_size")
        return tf.identity(fraction, name="zero_fraction_or_nan")


def _zeros(variable: Any, size: Any) -> Any:
    """Returns the number of zeros. It is 0 for an empty variable, whose fraction of zeros is NaN."""
    return v1.cond(
        tf.equal(size, tf.constant(0, dtype=tf.int64)),
        lambda: tf.constant(0, dtype=tf.float32),
        lambda: tf.math.zero_fraction(variable) * tf.cast(size, tf.float32),
        name="zero_count",
    )
