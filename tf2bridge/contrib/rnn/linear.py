"""The linear maps of cells, with the variables `kernel` and `bias`, and weights sharded over several variables."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def _parts(args: Any) -> list[Any]:
    if args is None or (tf.nest.is_nested(args) and not args):
        raise ValueError("`args` must be specified: one tensor at least")
    return list(args) if tf.nest.is_nested(args) else [args]


def _columns(parts: list[Any]) -> int:
    shapes = [part.get_shape() for part in parts]
    if any(shape.ndims != 2 or shape.dims[1].value is None for shape in shapes):
        raise ValueError(f"linear is expecting 2D arguments, and shape[1] to be provided: {shapes}")
    return sum(shape.dims[1].value for shape in shapes)


def _product(parts: list[Any], weights: Any) -> Any:
    return v1.matmul(parts[0] if len(parts) == 1 else v1.concat(parts, 1), weights)


def bias_variable(outer: Any, size: int, dtype: Any, initializer: Any = None) -> Any:
    """Returns the variable `bias`, [size], which is never partitioned; it begins with zeros."""
    with v1.variable_scope(outer) as inner:
        inner.set_partitioner(None)
        start = v1.constant_initializer(0.0, dtype=dtype) if initializer is None else initializer
        return v1.get_variable("bias", [size], dtype=dtype, initializer=start)


class Linear:
    """A linear map of one tensor, or of several side by side; it keeps its variables for every call.

    `args` are tensors [batch, size] like those of the calls. Raises ValueError for tensors of another rank or of an
    unknown size.
    """

    def __init__(
        self,
        args: Any,
        output_size: int,
        build_bias: bool,
        bias_initializer: Any = None,
        kernel_initializer: Any = None,
    ) -> None:
        parts = _parts(args)
        dtype = parts[0].dtype
        shape = [_columns(parts), output_size]
        self._nested = tf.nest.is_nested(args)
        self._biases = None
        with v1.variable_scope(v1.get_variable_scope()) as outer:
            self._weights = v1.get_variable("kernel", shape, dtype=dtype, initializer=kernel_initializer)
            if build_bias:
                self._biases = bias_variable(outer, output_size, dtype, bias_initializer)

    def __call__(self, args: Any) -> Any:
        """Returns [batch, output_size]."""
        product = _product(list(args) if self._nested else [args], self._weights)
        return product if self._biases is None else v1.nn.bias_add(product, self._biases)


def linear(
    args: Any,
    output_size: int,
    bias: bool,
    bias_initializer: Any = None,
    kernel_initializer: Any = None,
    *,
    bias_start: float | None = None,
    scope: Any = None,
) -> Any:
    """Returns the tensors `args`, each [batch, size], side by side, times `kernel`, plus `bias`: [batch, output_size].

    `_linear` of `core_rnn_cell` and `rnn_cell_impl`. TensorFlow 1.0 and 1.1 took a number (`bias_start`) where later
    releases take `bias_initializer`, and a `scope`; both are taken here too. Raises ValueError as `Linear` does.
    """
    parts = _parts(args)
    dtype = parts[0].dtype
    shape = [_columns(parts), output_size]
    start = bias_initializer if bias_start is None else bias_start
    if isinstance(start, (int, float)):
        start = v1.constant_initializer(start, dtype=dtype)
    with v1.variable_scope(scope or v1.get_variable_scope()) as outer:
        weights = v1.get_variable("kernel", shape, dtype=dtype, initializer=kernel_initializer)
        product = _product(parts, weights)
        return v1.nn.bias_add(product, bias_variable(outer, output_size, dtype, start)) if bias else product


def sharded(name: str, shape: list[int], dtype: Any, shards: int) -> Any:
    """Returns the variables name_0, name_1 ..., which share the rows of `shape` as evenly as they can, as one tensor.

    Raises ValueError for more shards than rows.
    """
    if shards > shape[0]:
        raise ValueError(f"Too many shards of {name}: shape={shape}, num_shards={shards}")
    unit, more = divmod(shape[0], shards)
    sizes = [unit + (place < more) for place in range(shards)]
    parts = [v1.get_variable(f"{name}_{place}", [size, *shape[1:]], dtype=dtype) for place, size in enumerate(sizes)]
    if shards == 1:
        return parts[0]
    full = f"{v1.get_variable_scope().name}/{name}/concat:0"
    for known in v1.get_collection(v1.GraphKeys.CONCATENATED_VARIABLES):
        if known.name == full:
            return known
    whole = v1.concat(parts, 0, name=f"{name}/concat")
    v1.add_to_collection(v1.GraphKeys.CONCATENATED_VARIABLES, whole)
    return whole
