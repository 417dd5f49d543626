"""The linear map of 0.12's cells: variables Linear/Matrix and Linear/Bias."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def linear(args: Any, output_size: int, bias_start: float = 0.0) -> Any:
    """Returns the tensors `args`, each [batch, size], side by side, times Matrix plus Bias: [batch, output_size].

    Raises ValueError for a tensor whose shape is not known to be [batch, size].
    """
    return _linear(args, output_size, True, bias_start)


def _linear(args: Any, output_size: int, bias: bool, bias_start: float = 0.0, scope: Any = None) -> Any:
    """Computes `linear` as `rnn_cell._linear` of 0.12, where the bias may be left out, and the scope be another."""
    parts = list(args) if isinstance(args, list | tuple) else [args]
    if not parts or args is None:
        raise ValueError("a linear map needs at least one tensor")
    shapes = [part.get_shape().as_list() for part in parts]
    if any(len(shape) != 2 or not shape[1] for shape in shapes):
        raise ValueError(f"a cell needs inputs and states of known shape [batch, size], not {shapes}")
    dtype = parts[0].dtype
    with v1.variable_scope(scope or "Linear"):
        matrix = v1.get_variable("Matrix", [sum(shape[1] for shape in shapes), output_size], dtype=dtype)
        product = v1.matmul(parts[0] if len(parts) == 1 else v1.concat(parts, 1), matrix)
        if not bias:
            return product
        start = v1.constant_initializer(bias_start, dtype=dtype)
        added = v1.get_variable("Bias", [output_size], dtype=dtype, initializer=start)
    return product + added
