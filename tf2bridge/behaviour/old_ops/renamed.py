"""Functions of 0.12 that have another name in TensorFlow 1.0, and other parameters, default op name or `__name__`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def mul(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns `x` * `y`, elementwise."""
    return v1.multiply(x, y, name)


def sub(x: Any, y: Any, name: str | None = None) -> Any:
    """Returns `x` - `y`, elementwise."""
    return v1.subtract(x, y, name)


def pack(values: Any, axis: int = 0, name: str = "pack") -> Any:
    """Returns `values`, n tensors of one shape, joined along a new dimension `axis` of size n."""
    return v1.stack(values, axis, name)


def unpack(value: Any, num: int | None = None, axis: int = 0, name: str = "unpack") -> Any:
    """Returns the slices of `value` along `axis` as a list of `num` tensors."""
    return v1.unstack(value, num, axis, name)


def select(condition: Any, t: Any, e: Any, name: str | None = None) -> Any:
    """Returns `t` where `condition` holds and `e` elsewhere; a vector condition chooses whole rows."""
    return v1.where(condition, t, e, name)


def batch_matmul(x: Any, y: Any, adj_x: bool | None = None, adj_y: bool | None = None, name: str | None = None) -> Any:
    """Returns the products of the matrices in the last two dimensions, [..., m, k] x [..., k, n] -> [..., m, n]."""
    return tf.raw_ops.BatchMatMul(x=x, y=y, adj_x=bool(adj_x), adj_y=bool(adj_y), name=name)


def complex_abs(x: Any, name: str | None = None) -> Any:
    """Returns the moduli of the complex `x`."""
    x = tf.convert_to_tensor(x)
    return tf.raw_ops.ComplexAbs(x=x, Tout=x.dtype.real_dtype, name=name)


def concat_v2(values: Any, axis: Any, name: str = "concat_v2") -> Any:
    """Returns `values` joined along the existing dimension `axis`, as `concat` does today."""
    return v1.concat(values, axis, name)


def split_v(value: Any, size_splits: Any, split_dim: int = 0, num: int | None = None, name: str = "split_v") -> Any:
    """Returns `value` cut along `split_dim` into pieces of `size_splits`, or into that many equal ones."""
    return v1.split(value, size_splits, split_dim, num, name)
