"""Columns of numbers, as they are or sorted into buckets."""

from __future__ import annotations

import collections
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.feature_column.base import (
    LinearLookup,
    _FeatureColumn,
    _LazyBuilderByColumnsToTensor,
    id_weight_pair,
)
from tf2bridge.contrib.layers.feature_column.flattening import reshaped_numbers
from tf2bridge.internals.columns import feature_column as core

v1 = tf.compat.v1

_VarLen = collections.namedtuple("_VarLen", ("column_name", "default_value", "dtype", "normalizer", "is_sparse"))
_Real = collections.namedtuple("_Real", ("column_name", "dimension", "default_value", "dtype", "normalizer"))
_Buckets = collections.namedtuple("_Buckets", ("source_column", "boundaries"))


class _Numbers(_FeatureColumn):
    """The base class of columns of numbers: they have a name and a normalizing function."""

    column_name: Any
    normalizer: Any

    @property
    def name(self) -> Any:
        return self.column_name

    @property
    def key(self) -> str:
        return self._key_without("normalizer")

    @property
    def normalizer_fn(self) -> Any:
        """The normalizing function, or None."""
        return self.normalizer

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = tf.cast(self._normalized(columns_to_tensors[self.name]), tf.float32)

    def _normalized(self, tensor: Any) -> Any:
        return tensor if self.normalizer is None else self.normalizer(tensor)


class _RealValuedVarLenColumn(_Numbers, _VarLen):
    """Numbers whose count may differ between examples."""

    @property
    def config(self) -> dict[str, Any]:
        if self.is_sparse:
            return {self.column_name: v1.VarLenFeature(self.dtype)}
        feature = v1.FixedLenSequenceFeature([], self.dtype, allow_missing=True, default_value=self.default_value)
        return {self.column_name: feature}

    def _normalized(self, tensor: Any) -> Any:
        if self.normalizer is None or not self.is_sparse:
            return super()._normalized(tensor)
        return tf.SparseTensor(tensor.indices, self.normalizer(tensor.values), tensor.dense_shape)

    def _to_dnn_input_layer(self, input_tensor: Any, *_: Any, output_rank: int = 2) -> Any:
        return reshaped_numbers(self._to_dense_tensor(input_tensor), output_rank, self.name)

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        if self.is_sparse:
            raise ValueError(f"Set is_sparse to False if you want a dense Tensor for column_name: {self.name}")
        return input_tensor


class _RealValuedColumn(_Numbers, core._DenseColumn, _Real):  # type: ignore[misc]  # TensorFlow has no types
    """`dimension` numbers for each example."""

    def __new__(cls, column_name: str, dimension: int, default_value: Any, dtype: Any, normalizer: Any) -> Any:
        default = None if default_value is None else tuple(default_value)
        return super().__new__(cls, column_name, dimension, default, dtype, normalizer)

    @property
    def config(self) -> dict[str, Any]:
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: v1.FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def _parse_example_spec(self) -> Any:
        return self.config

    @property
    def _variable_shape(self) -> Any:
        return tf.TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        del weight_collections, trainable
        return inputs.get(self)

    def _transform_feature(self, inputs: Any) -> Any:
        return tf.cast(self._normalized(inputs.get(self.name)), tf.float32)

    def _to_dnn_input_layer(self, input_tensor: Any, *_: Any, output_rank: int = 2) -> Any:
        if input_tensor.dtype != tf.float32:
            input_tensor = tf.cast(input_tensor, tf.float32)
        return reshaped_numbers(input_tensor, output_rank, self.name)

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        return input_tensor


class _BucketizedColumn(_FeatureColumn, core._CategoricalColumn, core._DenseColumn, _Buckets):  # type: ignore[misc]
    """Numbers sorted into the buckets between `boundaries`."""

    def __new__(cls, source_column: Any, boundaries: Any) -> Any:
        """Makes the column.

        Raises:
            TypeError: the source is not a real valued column.
            ValueError: the boundaries are missing or not sorted.
        """
        if not isinstance(source_column, _RealValuedColumn):
            raise TypeError(f"source_column must be an instance of _RealValuedColumn. source_column: {source_column}")
        if not isinstance(boundaries, list | tuple) or not boundaries:
            raise ValueError(f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}")
        if any(low > high for low, high in pairwise(boundaries)):
            raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
        distinct = [low for low, high in pairwise(boundaries) if low != high]
        return super().__new__(cls, source_column, (*distinct, boundaries[-1]))

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """The number of buckets."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> Any:
        return self.source_column.config

    def to_sparse_tensor(self, input_tensor: Any) -> Any:
        """Returns the buckets as a SparseTensor, [batch, dimension]. Each dimension has its own ids."""
        dimension = self.source_column.dimension
        batch = tf.shape(input_tensor, name="shape")[0]
        if dimension > 1:
            column = tf.expand_dims(tf.range(0, batch), 1, name="expand_dims")
            rows = tf.reshape(tf.tile(column, [1, dimension], name="tile"), [-1], name="reshape")
            places = tf.tile(tf.range(0, dimension), [batch], name="tile")
            ids = tf.reshape(input_tensor, [-1], name="reshape") + self.length * places
        else:
            rows = tf.range(0, batch)
            places = tf.zeros([batch], dtype=tf.int32, name="zeros")
            ids = tf.reshape(input_tensor, [-1], name="reshape")
        indices = tf.cast(tf.transpose(tf.stack((rows, places))), tf.int64)
        return tf.SparseTensor(indices, ids, tf.cast(tf.stack([batch, dimension]), tf.int64))

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = self._transform_feature(_LazyBuilderByColumnsToTensor(columns_to_tensors))

    def _transform_feature(self, inputs: Any) -> Any:
        numbers = inputs.get(self.source_column)
        return tf.raw_ops.Bucketize(input=numbers, boundaries=list(self.boundaries), name="bucketize")

    def _to_dnn_input_layer(self, input_tensor: Any, *_: Any, output_rank: int = 2) -> Any:
        if output_rank != 2:
            raise ValueError(f"BucketizedColumn currently only supports output_rank=2, not {output_rank}")
        hot = tf.one_hot(tf.cast(input_tensor, tf.int64), self.length, 1.0, 0.0, name="one_hot")
        return tf.reshape(hot, [-1, self._num_buckets], name="reshape")

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> LinearLookup:
        ids = self.to_sparse_tensor(input_tensor)
        return LinearLookup(ids, None, self._num_buckets, v1.zeros_initializer(), "sum")

    @property
    def _parse_example_spec(self) -> Any:
        return self.config

    @property
    def _num_buckets(self) -> int:
        return int(self.length * self.source_column.dimension)

    @property
    def _variable_shape(self) -> Any:
        return tf.TensorShape([self._num_buckets])

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        del weight_collections, trainable
        return id_weight_pair(self.to_sparse_tensor(inputs.get(self)), None)

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        del weight_collections, trainable
        return self._to_dnn_input_layer(inputs.get(self))


def real_valued_column(
    column_name: str,
    dimension: int = 1,
    default_value: Any = None,
    dtype: Any = tf.float32,
    normalizer: Callable[[Any], Any] | None = None,
) -> Any:
    """Returns a column of `dimension` numbers. `default_value` is one number for all, or a list.

    Raises:
        TypeError: the dimension is not an integer, or a default does not fit the dtype.
        ValueError: the dimension is below 1, the number of defaults differs from it, or the dtype is not numeric.
    """
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. dimension: {dimension}, column_name: {column_name}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0. dimension: {dimension}, column_name: {column_name}")
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}")
    if isinstance(default_value, list) and len(default_value) != dimension:
        raise ValueError(
            "The length of default_value must be equal to dimension. "
            f"default_value: {default_value}, dimension: {dimension}, column_name: {column_name}"
        )
    if default_value is not None:
        default_value = _defaults(column_name, dimension, default_value, dtype)
    return _RealValuedColumn(column_name, dimension, default_value, dtype, normalizer)


def _defaults(column_name: str, dimension: int, default: Any, dtype: Any) -> list[Any]:
    values = default if isinstance(default, list) else [default] * dimension
    if dtype.is_integer and all(isinstance(value, int) for value in values):
        return values
    if dtype.is_floating and all(isinstance(value, int | float) for value in values):
        return [float(value) for value in values]
    raise TypeError(
        "default_value must be compatible with dtype. "
        f"default_value: {default}, dtype: {dtype}, column_name: {column_name}"
    )


def _real_valued_var_len_column(
    column_name: str,
    default_value: Any = None,
    dtype: Any = tf.float32,
    normalizer: Callable[[Any], Any] | None = None,
    is_sparse: bool = False,
) -> Any:
    """Returns a column of numbers whose count may differ between examples: padded with the default, or sparse.

    Raises:
        TypeError: the dtype is not numeric.
        ValueError: the default is a list, or a needed default is missing.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise TypeError(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}")
    if default_value is None and not is_sparse:
        raise ValueError(
            f"default_value must be provided when is_sparse=False to parse a padded Tensor. column_name: {column_name}"
        )
    if isinstance(default_value, list):
        raise ValueError(f"Only scalar default value. default_value: {default_value}, column_name: {column_name}")
    if default_value is not None:
        default_value = int(default_value) if dtype.is_integer else float(default_value)
    return _RealValuedVarLenColumn(column_name, default_value, dtype, normalizer, is_sparse)


def bucketized_column(source_column: Any, boundaries: Any) -> Any:
    """Returns a column that sorts the numbers of `source_column` into buckets.

    Raises:
        TypeError: the source is not a real valued column.
        ValueError: the boundaries are missing or not sorted.
    """
    return _BucketizedColumn(source_column, boundaries)
