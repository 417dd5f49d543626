"""Blocks of matrices: pooled, and expanded again; and new values of variables in one part or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def kronecker_product(mat1: Any, mat2: Any) -> Any:
    """Returns the Kronecker product of two matrices of known shape."""
    rows, columns = mat1.shape.as_list()
    more_rows, more_columns = mat2.shape.as_list()
    first = tf.reshape(mat1, [rows, 1, columns, 1])
    second = tf.reshape(mat2, [1, more_rows, 1, more_columns])
    return tf.reshape(first * second, [rows * more_rows, columns * more_columns])


def expand_tensor(tensor: Any, block_dims: Sequence[int]) -> Any:
    """Returns a matrix with every number repeated over a block. Raises ValueError for another rank."""
    if tensor.shape.rank != 2:
        raise ValueError(f"the tensor has shape {tensor.shape}; give a matrix")
    if len(block_dims) != 2:
        raise ValueError(f"block_dims are {block_dims}; give a height and a width")
    height, width = block_dims
    expanded = _repeated(tensor, height) if height > 1 else tensor
    return tf.transpose(_repeated(tf.transpose(expanded), width)) if width > 1 else expanded


def _repeated(tensor: Any, times: int) -> Any:
    return tf.gather(tensor, np.repeat(np.arange(tensor.shape.as_list()[0], dtype=np.int32), times))


def factorized_pool(
    input_tensor: Any,
    window_shape: Sequence[int],
    pooling_type: str,
    strides: Sequence[int],
    padding: str,
    name: str | None = None,
) -> Any:
    """Returns a matrix pooled over its rows, then over its columns. Raises ValueError for another rank."""
    if input_tensor.shape.rank != 2:
        raise ValueError(f"the tensor has shape {input_tensor.shape}; give a matrix")
    with v1.name_scope(name, "factorized_pool"):
        aligned_name = f"{input_tensor.op.name}_aligned"
        image = tf.reshape(input_tensor, [1, 1, *input_tensor.shape.as_list()], name=aligned_name)
        for size, stride in zip(window_shape, strides, strict=True):
            image = v1.nn.pool(
                image, window_shape=[1, size], pooling_type=pooling_type, strides=[1, stride], padding=padding
            )
            image = tf.transpose(image, perm=[0, 1, 3, 2])
    return tf.squeeze(image, axis=[0, 1])


def assigned(variable: Any, value: Any) -> Any:
    """Returns the op that gives a variable, of one part or of several, its new value."""
    if not hasattr(variable, "as_tensor"):
        return v1.assign(variable, value, name=f"{variable.op.name}_assign")
    parts = list(variable)
    axis = 0 if len(parts) == 1 else partitioned_axis(variable)
    sizes = tf.constant([part.shape.as_list()[axis] for part in parts], dtype=tf.int32)
    ops = [assigned(part, new) for part, new in zip(parts, tf.split(value, sizes, axis=axis), strict=True)]
    return tf.group(*ops, name=f"{variable.name}_group_assign")


def partitioned_axis(partitioned_variable: Any) -> int:
    """Returns the axis along which a variable is partitioned. Raises ValueError if there is not exactly one."""
    full_shape = partitioned_variable.shape.as_list()
    axis = 0
    for part in partitioned_variable:
        cut = [place for place, size in enumerate(part.shape.as_list()) if size < full_shape[place]]
        if len(cut) != 1:
            raise ValueError(f"the variable is cut along {len(cut)} axes; it must be one")
        axis = cut[0]
    return axis
