"""Feature columns of integers that are their own category: TensorFlow 2.21 no longer refuses those out of range."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tensorflow.python.feature_column.feature_column_v2 import IdentityCategoricalColumn, SequenceCategoricalColumn

v1 = tf.compat.v1


class CheckedIdentityColumn(IdentityCategoricalColumn):  # type: ignore[misc]  # TensorFlow has no types
    """Without a default value, a category below 0 or beyond the last one is an InvalidArgumentError when it is run."""

    __slots__ = ()

    def _transform_input_tensor(self, input_tensor: Any) -> Any:
        if self.default_value is not None or not input_tensor.dtype.is_integer:
            return super()._transform_input_tensor(input_tensor)
        values = tf.cast(input_tensor.values, tf.int64, name="values")
        buckets = tf.cast(self.num_buckets, tf.int64, name="num_buckets")
        zero = tf.cast(0, tf.int64, name="zero")
        checks = (
            v1.assert_less(
                values,
                buckets,
                data=(values, buckets),
                message=f'Bucket index for categorical column "{self.name}" exceeds number of buckets',
                name="assert_less_than_num_buckets",
            ),
            v1.assert_greater_equal(
                values,
                zero,
                data=(values,),
                message=f'Negative bucket index for categorical column "{self.name}"',
                name="assert_greater_or_equal_0",
            ),
        )
        with tf.control_dependencies(checks):
            return tf.SparseTensor(input_tensor.indices, tf.identity(values), input_tensor.dense_shape)


def categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None) -> Any:
    """Returns a column of integers in [0, num_buckets); others become `default_value`, or are an error.

    Raises ValueError for fewer than one bucket, or a default value that is none of them.
    """
    found = v1.feature_column.categorical_column_with_identity(key, num_buckets, default_value)
    return CheckedIdentityColumn(*found)


def sequence_categorical_column_with_identity(key: str, num_buckets: int, default_value: int | None = None) -> Any:
    """The same for sequences of such integers."""
    return SequenceCategoricalColumn(categorical_column_with_identity(key, num_buckets, default_value))
