"""`sparse_feature_cross`: every combination of the values of several features in an example, joined or hashed."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 956888297470

_SEED, _GOLDEN = 0xDECAFCAFFE, 0x9E3779B97F4A7800 - 2**64
"""The constants of contrib/layers/kernels/sparse_feature_cross_kernel.cc (1.x), for crosses without a hash key."""


def sparse_feature_cross(
    inputs: Any, hashed_output: bool = False, num_buckets: int = 0, name: str | None = None, hash_key: int | None = None
) -> Any:
    """Returns the SparseTensor of all combinations, [batch, ...], of the values of each row of `inputs`, [batch, n].

    A combination is a string joined by "_X_", or with `hashed_output` an id below `num_buckets`. The id comes from
    fingerprints with `hash_key`; without a key it is the id that releases before 1.0 computed.

    Raises:
        TypeError: `inputs` is not a list of tensors.
    """
    if not isinstance(inputs, list):
        raise TypeError(f"sparse_feature_cross takes a list of tensors, not a {type(inputs).__name__}")
    if not all(isinstance(tensor, tf.SparseTensor | tf.Tensor) for tensor in inputs):
        raise TypeError("sparse_feature_cross takes SparseTensors and Tensors only")
    sparse = [tensor for tensor in inputs if isinstance(tensor, tf.SparseTensor)]
    dense = [tensor for tensor in inputs if not isinstance(tensor, tf.SparseTensor)]
    if hashed_output and not hash_key:
        return _hashed_as_before(sparse, dense, num_buckets, name)
    return _crossed(sparse, dense, hashed_output, num_buckets, hash_key, name)


def _crossed(sparse: list[Any], dense: list[Any], hashed: bool, buckets: int, key: int | None, name: Any) -> Any:
    values = [_text_or_int(tensor.values) for tensor in sparse]
    dense_values = [_text_or_int(tensor) for tensor in dense]
    texts = all(tensor.dtype == tf.string for tensor in values + dense_values)
    indices, crossed, shape = tf.raw_ops.SparseCross(
        indices=[tensor.indices for tensor in sparse],
        values=values,
        shapes=[tensor.dense_shape for tensor in sparse],
        dense_inputs=dense_values,
        hashed_output=hashed,
        num_buckets=buckets,
        hash_key=key or SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY,
        out_type=tf.int64 if hashed else tf.string,
        internal_type=tf.string if texts else tf.int64,
        name=name,
    )
    return tf.SparseTensor(indices, crossed, shape)


def _hashed_as_before(sparse: list[Any], dense: list[Any], buckets: int, name: Any) -> Any:
    """Crosses the positions of the values, then combines the hashes of the values at these positions."""
    with v1.name_scope(name, "SparseFeatureCross"):
        hashes = [_hashes(tensor.values) for tensor in sparse]
        hashes += [tf.reshape(_hashes(tensor), [-1]) for tensor in dense]
        places = [tf.SparseTensor(tensor.indices, _positions(tensor.values), tensor.dense_shape) for tensor in sparse]
        crossed = _crossed(places, [_positions(tensor) for tensor in dense], False, 0, None, None)
        parts = v1.string_split(crossed.values, "_").values  # "3_X_0" is 3, X, 0
        rows = tf.reshape(parts, [-1, 2 * len(hashes) - 1])
        combined = tf.fill(tf.shape(crossed.values), tf.constant(_SEED, tf.int64))
        for column, hashed in enumerate(hashes):
            place = v1.string_to_number(rows[:, 2 * column], tf.int64)
            combined = _combined(combined, tf.gather(hashed, place))
        modulus = tf.constant(buckets or 2**63 - 1, tf.uint64)
        ids = tf.cast(tf.math.floormod(tf.bitcast(combined, tf.uint64), modulus), tf.int64)
        return tf.SparseTensor(crossed.indices, ids, crossed.dense_shape)


def _combined(combined: Any, hashed: Any) -> Any:
    """Returns combined ^ (hashed + golden + (combined << 10) + (combined >> 4)), in signed 64-bit integers."""
    left = tf.bitwise.left_shift(combined, tf.constant(10, tf.int64))
    right = tf.bitwise.right_shift(combined, tf.constant(4, tf.int64))
    return tf.bitwise.bitwise_xor(combined, hashed + tf.constant(_GOLDEN, tf.int64) + left + right)


def _hashes(values: Any) -> Any:
    """Returns the 64-bit fingerprints of strings. Numbers are returned unchanged."""
    if values.dtype != tf.string:
        return tf.cast(values, tf.int64)
    flat = tf.reshape(values, [-1])
    prints = tf.bitcast(tf.raw_ops.Fingerprint(data=tf.expand_dims(flat, 1), method="farmhash64"), tf.int64)
    return tf.reshape(prints, tf.shape(values))


def _positions(values: Any) -> Any:
    return tf.reshape(tf.as_string(tf.range(tf.size(values))), tf.shape(values))


def _text_or_int(values: Any) -> Any:
    return values if values.dtype == tf.string else tf.cast(values, tf.int64)
