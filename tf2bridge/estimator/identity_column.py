"""Feature columns of integers that are their own category: TensorFlow 2.21 no longer refuses those out of range."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.columns import feature_column as old_columns
from tf2bridge.internals.columns import feature_column_v2 as columns

v1 = tf.compat.v1


class IdentityCategoricalColumn(columns.IdentityCategoricalColumn):  # type: ignore[misc]  # TensorFlow has no types
    """Without a default value, a category below 0 or beyond the last one is an InvalidArgumentError when it is run.

    It has the name of TensorFlow's class, by which saved configurations know it.
    """

    __slots__ = ()

    def _transform_input_tensor(self, input_tensor: Any) -> Any:
        if self.default_value is not None or not input_tensor.dtype.is_integer:
            return super()._transform_input_tensor(input_tensor)
        return _checked(self.name, self.num_buckets, input_tensor)


class _FirstIdentityColumn(old_columns._IdentityCategoricalColumn):  # type: ignore[misc]  # as above
    """The same for the columns of 1.5 to 1.12."""

    __slots__ = ()

    def _transform_feature(self, inputs: Any) -> Any:
        if self.default_value is not None:
            return super()._transform_feature(inputs)
        tensor = old_columns._to_sparse_input_and_drop_ignore_values(inputs.get(self.key))
        if not tensor.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {tensor.dtype}")
        return _checked(self.name, self.num_buckets, tensor)


def _checked(name: str, num_buckets: int, tensor: Any) -> Any:
    """Returns the sparse tensor as int64, whose values are checked when it is run."""
    values = tf.cast(tensor.values, tf.int64, name="values")
    buckets = tf.cast(num_buckets, tf.int64, name="num_buckets")
    zero = tf.cast(0, tf.int64, name="zero")
    checks = (
        v1.assert_less(
            values,
            buckets,
            data=(values, buckets),
            message=f'Bucket index for categorical column "{name}" exceeds number of buckets',
            name="assert_less_than_num_buckets",
        ),
        v1.assert_greater_equal(
            values,
            zero,
            data=(values,),
            message=f'Negative bucket index for categorical column "{name}"',
            name="assert_greater_or_equal_0",
        ),
    )
    with tf.control_dependencies(checks):
        return tf.SparseTensor(tensor.indices, tf.identity(values), tensor.dense_shape)


def categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None) -> Any:
    """Returns a column of integers in [0, num_buckets); others become `default_value`, or are an error.

    Raises ValueError for fewer than one bucket, or a default value that is none of them.
    """
    column = v1.feature_column.categorical_column_with_identity(key, num_buckets, default_value)
    return IdentityCategoricalColumn(*column)


def sequence_categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None) -> Any:
    """Returns the same for sequences of such integers."""
    return columns.SequenceCategoricalColumn(categorical_column_with_identity(key, num_buckets, default_value))


def first_identity_column(key: str, num_buckets: int, default_value: int | None = None) -> Any:
    """Returns what `categorical_column_with_identity` does, for functions that take the columns of 1.5 to 1.12."""
    return _FirstIdentityColumn(*old_columns._categorical_column_with_identity(key, num_buckets, default_value))
