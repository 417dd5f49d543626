"""Sparse tensors made from dense tensors, and the lengths of their rows."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> Any:
    """Returns a SparseTensor of the values that are not `ignore_value`, which is "" or 0 by default."""
    with v1.name_scope("DenseToSparseTensor"):
        dense = tf.convert_to_tensor(dense_tensor)
        ignored = _ignored(dense.dtype, ignore_value)
        indices = v1.where(tf.not_equal(dense, ignored), name="indices")
        values = tf.gather_nd(dense, indices, name="values")
        return tf.SparseTensor(indices, values, tf.shape(dense, out_type=tf.int64, name="dense_shape"))


def indicators_to_sparse_ids(indicators: Any, ignore_value: Any = None, dtype: Any = tf.int64) -> Any:
    """Returns the columns in which each row of `indicators` is not `ignore_value`, as a SparseTensor packed left.

    Raises:
        ValueError: the dtype is not an integer type.
    """
    if not dtype.is_integer:
        raise ValueError(f"indicators_to_sparse_ids gives integers, not {dtype.name}")
    with v1.name_scope(None, "indicators_to_sparse_ids", (indicators, ignore_value)):
        indicators = tf.convert_to_tensor(indicators, name="indicators")
        missing = tf.equal(indicators, _ignored(indicators.dtype, ignore_value), name="missing")
        zeros = v1.zeros_like(indicators, dtype=tf.int64, name="zeros")
        ones = v1.ones_like(indicators, dtype=tf.int64, name="ones")
        present = v1.where(missing, zeros, ones, name="binary_indicators")
        places = v1.where(missing, zeros, tf.cumsum(present, axis=-1), "row_index_indicators")
        longest = tf.reshape(tf.reduce_max(places), shape=(1,), name="result_last_dim")
        sparse = dense_to_sparse_tensor(places, ignore_value=0)
        packed = [sparse.indices[:, :-1], tf.reshape(sparse.values - 1, (-1, 1))]
        return tf.SparseTensor(
            indices=tf.concat(packed, axis=1, name="indices"),
            values=tf.cast(sparse.indices[:, -1], dtype=dtype, name="values"),
            dense_shape=tf.concat((sparse.dense_shape[0:-1], longest), axis=0, name="dense_shape"),
        )


def sparse_row_envelope(sparse_input: Any, row_axis: int = 0, col_axis: int = 1, name: str | None = None) -> Any:
    """Returns the length of each row, [rows]: its last column with a value, plus 1. An empty row has length 0.

    Raises:
        ValueError: the axes are not integers, or are equal.
    """
    if not (isinstance(row_axis, int) and isinstance(col_axis, int)):
        raise ValueError(f"row_axis and col_axis must be integers, not {row_axis!r} and {col_axis!r}")
    if row_axis == col_axis:
        raise ValueError(f"row_axis and col_axis are both {row_axis}")
    with v1.name_scope(name, "sparse_row_envelope", [sparse_input]):
        indices = sparse_input.indices
        rows, columns = indices[:, row_axis], indices[:, col_axis]
        count = tf.cast(sparse_input.dense_shape[row_axis], tf.int32)
        envelope = tf.math.unsorted_segment_max(columns + 1, rows, count, name=name)
        zeros = v1.zeros_like(envelope)
        return v1.where(envelope > zeros, envelope, zeros)


def _ignored(dtype: Any, value: Any) -> Any:
    if value is None:
        value = "" if dtype == tf.string else dtype.as_numpy_dtype()
    return tf.cast(value, dtype, name="ignore_value")
