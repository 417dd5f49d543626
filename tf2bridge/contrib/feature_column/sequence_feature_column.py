"""Sequences as inputs: columns of ids and numbers, and the layer that lays them beside each other."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.columns import feature_column as core
from tf2bridge.internals.columns import utils as column_utils

v1 = tf.compat.v1

_Numeric = collections.namedtuple("_Numeric", ("key", "shape", "default_value", "dtype", "normalizer_fn"))


class _SequenceNumericColumn(core._SequenceDenseColumn, _Numeric):  # type: ignore[misc]  # TensorFlow has no types
    """Sequences of numbers, each step of the same shape."""

    @property
    def name(self) -> str:
        return str(self.key)

    @property
    def _parse_example_spec(self) -> Any:
        return {self.key: v1.VarLenFeature(self.dtype)}

    @property
    def _variable_shape(self) -> Any:
        return tf.TensorShape(self.shape)

    def _transform_feature(self, inputs: Any) -> Any:
        tensor = inputs.get(self.key)
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Any:
        del weight_collections, trainable
        sparse = inputs.get(self)
        dense = v1.sparse_tensor_to_dense(sparse, default_value=self.default_value)
        shape = tf.concat([tf.shape(dense)[:1], [-1], self._variable_shape.as_list()], axis=0)
        dense = tf.reshape(dense, shape=shape)
        step = self._variable_shape.num_elements() if sparse.shape.rank == 2 else 1
        lengths = column_utils.sequence_length_from_sparse_tensor
        return self.TensorSequenceLengthPair(dense_tensor=dense, sequence_length=lengths(sparse, num_elements=step))


def sequence_input_layer(
    features: dict[str, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True
) -> tuple[Any, Any]:
    """Returns the inputs, [batch, length, sizes of all columns by name], and the lengths, [batch].

    Raises:
        ValueError: a column is not a dense sequence column.
    """
    columns = core._normalize_feature_columns(feature_columns)
    for column in columns:
        if not isinstance(column, core._SequenceDenseColumn):
            raise ValueError(
                f"the column {column} is not of dense sequences: wrap it in an embedding_column or indicator_column"
            )
    with v1.variable_scope(None, default_name="sequence_input_layer", values=features.values()):
        builder = core._LazyBuilder(features)
        ordered = sorted(columns, key=lambda column: str(column.name))
        outputs, lengths = [], []
        for column in ordered:
            with v1.variable_scope(None, default_name=column._var_scope_name):
                dense, length = column._get_sequence_dense_tensor(
                    builder, weight_collections=weight_collections, trainable=trainable
                )
                shape = tf.shape(dense)
                size = column._variable_shape.num_elements()
                outputs.append(tf.reshape(dense, shape=[shape[0], shape[1], size]))
                lengths.append(length)
        core._verify_static_batch_size_equality(outputs, ordered)
        core._verify_static_batch_size_equality(lengths, ordered)
        length = _all_equal(lengths)
        return tf.concat(outputs, -1), length


def concatenate_context_input(context_input: Any, sequence_input: Any) -> Any:
    """Returns the sequence with the context, [batch, size], appended to each step: [batch, length, sum of sizes].

    Raises:
        ValueError: a rank is wrong.
        TypeError: a dtype is not float32.
    """
    checks = [
        v1.assert_rank(sequence_input, 3, message="sequence_input must have rank 3", data=[tf.shape(sequence_input)]),
        v1.assert_type(
            sequence_input, tf.float32, message=f"sequence_input must have dtype float32, not {sequence_input.dtype}"
        ),
        v1.assert_rank(context_input, 2, message="context_input must have rank 2", data=[tf.shape(context_input)]),
        v1.assert_type(
            context_input, tf.float32, message=f"context_input must have dtype float32, not {context_input.dtype}"
        ),
    ]
    with v1.control_dependencies(checks):
        length = tf.shape(sequence_input)[1]
        repeated = tf.tile(tf.expand_dims(context_input, 1), tf.concat([[1], [length], [1]], 0))
    return tf.concat([sequence_input, repeated], 2)


def sequence_categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None) -> Any:
    """Returns a column of sequences of ids below `num_buckets`."""
    return core._SequenceCategoricalColumn(core._categorical_column_with_identity(key, num_buckets, default_value))


def sequence_categorical_column_with_hash_bucket(key: str, hash_bucket_size: int, dtype: Any = tf.string) -> Any:
    """Returns a column of sequences whose values are hashed to ids."""
    return core._SequenceCategoricalColumn(core._categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


def sequence_categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: str,
    vocabulary_size: int | None = None,
    num_oov_buckets: int = 0,
    default_value: int | None = None,
    dtype: Any = tf.string,
) -> Any:
    """Returns a column of sequences whose ids are the lines of a file."""
    return core._SequenceCategoricalColumn(
        core._categorical_column_with_vocabulary_file(
            key=key,
            vocabulary_file=vocabulary_file,
            vocabulary_size=vocabulary_size,
            num_oov_buckets=num_oov_buckets,
            default_value=default_value,
            dtype=dtype,
        )
    )


def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Sequence[Any], dtype: Any = None, default_value: int = -1, num_oov_buckets: int = 0
) -> Any:
    """Returns a column of sequences whose ids are the places in a list."""
    return core._SequenceCategoricalColumn(
        core._categorical_column_with_vocabulary_list(
            key=key,
            vocabulary_list=vocabulary_list,
            dtype=dtype,
            default_value=default_value,
            num_oov_buckets=num_oov_buckets,
        )
    )


def sequence_numeric_column(
    key: str,
    shape: Any = (1,),
    default_value: float = 0.0,
    dtype: Any = tf.float32,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> Any:
    """Returns a column of sequences of numbers. Raises ValueError for other dtypes, TypeError for a bad normalizer."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn!r} for {key}")
    return _SequenceNumericColumn(key, core._check_shape(shape, key), default_value, dtype, normalizer_fn)


def _all_equal(tensors: list[Any]) -> Any:
    with v1.name_scope(None, "assert_all_equal", values=tensors):
        if len(tensors) == 1:
            return tensors[0]
        checks = [v1.assert_equal(tensors[0], tensor) for tensor in tensors[1:]]
        with v1.control_dependencies(checks):
            return tf.identity(tensors[0])
