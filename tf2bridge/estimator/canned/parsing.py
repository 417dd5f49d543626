"""Specifications for parsing tf.Examples with features, a label and a weight."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.columns import NumericColumn

v1 = tf.compat.v1


def classifier_parse_example_spec(
    feature_columns: Any,
    label_key: str,
    label_dtype: Any = tf.int64,
    label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns the spec for `tf.parse_example` of these columns and a label.

    Raises ValueError if a key is used twice.
    """
    label = tf.io.FixedLenFeature((1,), label_dtype, label_default)
    return _with(v1.feature_column.make_parse_example_spec(feature_columns), label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns: Any,
    label_key: str,
    label_dtype: Any = tf.float32,
    label_default: Any = None,
    label_dimension: int = 1,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns the same for `label_dimension` numbers as label."""
    label = tf.io.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with(v1.feature_column.make_parse_example_spec(feature_columns), label_key, label, weight_column)


def classifier_parse_example_spec_v2(
    feature_columns: Any,
    label_key: str,
    label_dtype: Any = tf.int64,
    label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns the spec of columns of any kind, those of sequences included, and a label."""
    label = tf.io.FixedLenFeature((1,), label_dtype, label_default)
    return _with(tf.feature_column.make_parse_example_spec(feature_columns), label_key, label, weight_column)


def regressor_parse_example_spec_v2(
    feature_columns: Any,
    label_key: str,
    label_dtype: Any = tf.float32,
    label_default: Any = None,
    label_dimension: int = 1,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns the same for `label_dimension` numbers as label."""
    label = tf.io.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with(tf.feature_column.make_parse_example_spec(feature_columns), label_key, label, weight_column)


def _with(spec: dict[str, Any], key: str, label: Any, weights: Any) -> dict[str, Any]:
    if key in spec:
        raise ValueError(f"label should not be used as feature. label_key: {key}, features: {spec.keys()}")
    spec[key] = label
    if weights is None:
        return spec
    column = v1.feature_column.numeric_column(weights) if isinstance(weights, str) else weights
    if not isinstance(column, NumericColumn):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column. "
            f"Given type: {type(column)} value: {column}"
        )
    if column.key in spec:
        raise ValueError(
            f"weight_column should not be used as feature. weight_column: {column.key}, features: {spec.keys()}"
        )
    return {**spec, **column.parse_example_spec}
