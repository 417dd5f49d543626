"""The input of deep models: all columns, concatenated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import in_order, transformed
from tf2bridge.contrib.layers.feature_column.crossed import _CrossedColumn
from tf2bridge.contrib.layers.feature_column.embedded import _EmbeddingColumn, _OneHotColumn, _ScatteredEmbeddingColumn
from tf2bridge.contrib.layers.feature_column.flattening import reshaped_input
from tf2bridge.contrib.layers.feature_column.lookups import embedded
from tf2bridge.contrib.layers.feature_column.numeric import (
    _BucketizedColumn,
    _RealValuedColumn,
    _RealValuedVarLenColumn,
)
from tf2bridge.contrib.layers.feature_column_ops.parsing import check_feature_columns

v1 = tf.compat.v1

_SEQUENCES = (_OneHotColumn, _EmbeddingColumn, _RealValuedColumn, _RealValuedVarLenColumn)
_NO_SEQUENCES = (_ScatteredEmbeddingColumn, _BucketizedColumn, _CrossedColumn)


def input_from_feature_columns(
    columns_to_tensors: Any,
    feature_columns: Any,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    cols_to_outs: dict[Any, Any] | None = None,
) -> Any:
    """Returns the concatenated columns, [batch, sum of sizes], in the order of their keys.

    The dict `cols_to_outs` receives the tensor of each column.

    Raises:
        ValueError: a column is given twice, or cannot be an input of a deep model.
    """
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError(f"cols_to_outs must be a dict unless None, not a {type(cols_to_outs).__name__}")
    settings = (weight_collections, trainable)
    outputs = _inputs(columns_to_tensors, feature_columns, settings, scope, 2, "input_from_feature_columns")
    if cols_to_outs is not None:
        cols_to_outs.update(outputs[1])
    return outputs[0]


def sequence_input_from_feature_columns(
    columns_to_tensors: Any,
    feature_columns: Any,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns the concatenated columns, [batch, length, sum of sizes], in the order of their keys.

    Raises:
        ValueError: a column cannot hold sequences.
    """
    for column in feature_columns:
        if not isinstance(column, _SEQUENCES):
            raise ValueError(
                f"FeatureColumn type {type(column).__name__} is not currently supported for sequence data."
            )
        for part in _with_parents(column):
            if isinstance(part, _NO_SEQUENCES):
                raise ValueError(
                    f"Column {part.name} is of type {type(part).__name__}, "
                    "which is not currently supported for sequences."
                )
    settings = (weight_collections, trainable)
    return _inputs(columns_to_tensors, feature_columns, settings, scope, 3, "sequence_input_from_feature_columns")[0]


def _inputs(tensors: Any, columns: Any, settings: Any, scope: Any, rank: int, name: str) -> tuple[Any, dict[Any, Any]]:
    tensors = dict(tensors)
    check_feature_columns(columns)
    weight_collections, trainable = settings
    with v1.variable_scope(scope, default_name=name, values=tensors.values()):
        collections = with_globals(weight_collections)
        outputs = {}
        for column in in_order(columns):
            with v1.variable_scope(None, default_name=column.name, values=tensors.values()):
                tensor = transformed(tensors, column)
                if rank == 3:
                    parts = tensor if isinstance(tensor, tuple) else (tensor,)
                    parts = tuple(reshaped_input(part, column.name, rank) for part in parts)
                    tensor = parts if isinstance(tensor, tuple) else parts[0]
                outputs[column] = _output(column, tensor, collections, trainable, rank)
        return tf.concat(list(outputs.values()), rank - 1), outputs


def _output(column: Any, tensor: Any, collections: Any, trainable: bool, rank: int) -> Any:
    try:
        return embedded(column, column._deep_embedding_lookup_arguments(tensor), collections, trainable, rank)
    except NotImplementedError as error:
        missing = error
    try:
        return column._to_dnn_input_layer(tensor, collections, trainable, output_rank=rank)
    except ValueError as error:
        raise ValueError(f"Error creating input layer for column: {column.name}.\n{error}, {missing}") from error


def with_globals(weight_collections: Any) -> Any:
    """Returns the collections plus the collection of all variables. An empty argument is returned unchanged."""
    if not weight_collections:
        return weight_collections
    return list(dict.fromkeys([*weight_collections, v1.GraphKeys.GLOBAL_VARIABLES]))


def _with_parents(column: Any) -> Iterator[Any]:
    yield column
    for field in ("sparse_id_column", "source_column", "columns"):
        parents = getattr(column, field, ())
        for parent in parents if field == "columns" else (parents,) if parents else ():
            yield from _with_parents(parent)
