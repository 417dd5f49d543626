"""The gradients of the kernels `LSTMBlockCell` and `GRUBlockCell`: TensorFlow 2 has the kernels, and no gradients."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import ops

v1 = tf.compat.v1


@functools.cache
def register() -> None:
    """Registers the two gradients with TensorFlow, unless somebody has; graphs that are loaded need them too."""
    for kernel, gradient in (("LSTMBlockCell", _lstm_gradient), ("GRUBlockCell", _gru_gradient)):
        try:
            ops.gradient_registry.lookup(kernel)
        except LookupError:
            tf.RegisterGradient(kernel)(gradient)


def _lstm_gradient(op: Any, *gradients: Any) -> tuple[Any, ...]:
    inputs = dict(zip(("x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b"), op.inputs, strict=True))
    outputs = dict(zip(("i", "cs", "f", "o", "ci", "co"), op.outputs[:6], strict=True))
    x, h_prev, w = inputs["x"], inputs["h_prev"], inputs["w"]
    batch = x.get_shape().with_rank(2).dims[0].value
    size, units = _known(x, "x"), _known(inputs["cs_prev"], "cs_prev")
    memory, gates, wci, wcf, wco = tf.raw_ops.LSTMBlockCellGrad(
        **inputs,
        **outputs,
        cs_grad=gradients[1],
        h_grad=gradients[6],
        use_peephole=op.get_attr("use_peephole"),
    )
    both = v1.matmul(gates, w, transpose_b=True)
    rows = -1 if batch is None else batch
    of_x = v1.slice(both, (0, 0), (rows, size))
    of_h = v1.slice(both, (0, size), (rows, units))
    of_w = v1.matmul(v1.concat([x, h_prev], 1), gates, transpose_a=True)
    return of_x, memory, of_h, of_w, wci, wcf, wco, tf.raw_ops.BiasAddGrad(out_backprop=gates)


def _known(tensor: Any, name: str) -> int:
    size = tensor.get_shape().with_rank(2).dims[1].value
    if size is None:
        raise ValueError(f"the gradient of LSTMBlockCell needs the size of `{name}` [batch, size], which is not known")
    return int(size)


def _gru_gradient(op: Any, *gradients: Any) -> tuple[Any, ...]:
    inputs = dict(zip(("x", "h_prev", "w_ru", "w_c", "b_ru", "b_c"), op.inputs, strict=True))
    reset, update, candidate, _ = op.outputs
    of_x, of_h, of_c, of_ru = tf.raw_ops.GRUBlockCellGrad(**inputs, r=reset, u=update, c=candidate, d_h=gradients[3])
    x, h_prev = inputs["x"], inputs["h_prev"]
    of_w_ru = v1.matmul(v1.concat([x, h_prev], 1), of_ru, transpose_a=True)
    of_b_ru = tf.raw_ops.BiasAddGrad(out_backprop=of_ru)
    of_w_c = v1.matmul(v1.concat([x, h_prev * reset], 1), of_c, transpose_a=True)
    return of_x, of_h, of_w_ru, of_w_c, of_b_ru, tf.raw_ops.BiasAddGrad(out_backprop=of_c)
