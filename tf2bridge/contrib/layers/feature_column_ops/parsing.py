"""The features of columns: parsed from examples, and transformed."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import feature_config, in_order, is_sparse, transformed
from tf2bridge.contrib.layers.feature_column.numeric import real_valued_column

v1 = tf.compat.v1
_log = logging.getLogger(__name__)


def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """Returns {feature: parsing config} for all columns, or for the columns of a dict.

    Raises:
        TypeError: an element is not a column.
    """
    columns = feature_columns.values() if isinstance(feature_columns, Mapping) else feature_columns
    return {name: feature for column in columns for name, feature in feature_config(column).items()}


def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[str, Any]:
    """Returns {feature: placeholder} for all columns. A feature of variable length has a sparse placeholder."""
    placeholders = {}
    for name, feature in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(feature, v1.VarLenFeature):
            placeholders[name] = v1.sparse_placeholder(feature.dtype, name=f"Placeholder_{name}")
        else:
            shape = (None, feature.shape[0])
            placeholders[name] = v1.placeholder(feature.dtype, shape=shape, name=f"Placeholder_{name}")
    return placeholders


def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """Returns {feature or column: tensor} of the Example protocol buffers `serialized`, [batch].

    Raises:
        ValueError: a column is given twice.
    """
    check_feature_columns(feature_columns)
    features = create_feature_spec_for_parsing(feature_columns)
    tensors: dict[Any, Any] = v1.parse_example(
        serialized=serialized, features=features, name=name, example_names=example_names
    )
    for column in in_order(feature_columns):
        transformed(tensors, column)
    return tensors


def parse_feature_columns_from_sequence_examples(
    serialized: Any,
    context_feature_columns: Any,
    sequence_feature_columns: Any,
    name: str | None = None,
    example_name: Any = None,
) -> Any:
    """Returns ({feature: tensor}, {feature: tensor of a sequence}) of one serialized SequenceExample.

    Raises:
        ValueError: there is more than one SequenceExample.
    """
    try:
        serialized = tf.reshape(serialized, [])
    except ValueError as error:
        raise ValueError(
            "serialized must contain as single sequence example. Batching must be done after parsing for sequence "
            f"examples. Error: {error}"
        ) from None
    context, sequence = context_feature_columns or [], sequence_feature_columns or []
    check_feature_columns(context)
    check_feature_columns(sequence)
    return v1.parse_single_sequence_example(
        serialized,
        create_feature_spec_for_parsing(context),
        _create_sequence_feature_spec_for_parsing(sequence),
        example_name,
        name,
    )


def transform_features(features: Mapping[Any, Any], feature_columns: Any) -> dict[Any, Any]:
    """Returns {column: transformed tensor}. Raises ValueError if a column is given twice."""
    check_feature_columns(feature_columns)
    tensors = dict(features)
    for column in in_order(feature_columns):
        transformed(tensors, column)
    return {key: tensor for key, tensor in tensors.items() if key in feature_columns}


def infer_real_valued_columns(features: Any) -> list[Any]:
    """Returns a real valued column for each tensor of a dict, or for one tensor.

    Raises:
        ValueError: a tensor is sparse, or not numeric.
    """
    named = features.items() if isinstance(features, dict) else [("", features)]
    return [_inferred(name, tensor) for name, tensor in named]


def check_feature_columns(feature_columns: Iterable[Any]) -> None:
    """Raises ValueError if the columns are a dict, or if a column is given twice."""
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    seen = set()
    for column in feature_columns:
        if column.key in seen:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. "
                "It is given twice, or nearly so: leave one out."
            )
        seen.add(column.key)


def _create_sequence_feature_spec_for_parsing(
    sequence_feature_columns: Any, allow_missing_by_default: bool = False
) -> dict[str, Any]:
    """Returns the parsing config of sequence features. A default value only means that the feature may be missing."""
    features = {}
    for name, feature in create_feature_spec_for_parsing(sequence_feature_columns).items():
        if isinstance(feature, v1.VarLenFeature):
            features[name] = feature
            continue
        if feature.default_value is not None:
            _log.warning("the default %s of %r is not used; the feature may be missing", feature.default_value, name)
        missing = allow_missing_by_default or feature.default_value is not None
        features[name] = v1.FixedLenSequenceFeature(feature.shape, feature.dtype, allow_missing=missing)
    return features


def _inferred(name: str, tensor: Any) -> Any:
    if is_sparse(tensor) or not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        kind = "SparseTensor is" if is_sparse(tensor) else "Non integer or non floating types are"
        raise ValueError(
            f"{kind} not supported for auto detection. Please define corresponding FeatureColumn for tensor "
            f"{name} {tensor}."
        )
    return real_valued_column(name, dimension=math.prod(tensor.shape.as_list()[1:]), dtype=tensor.dtype)
