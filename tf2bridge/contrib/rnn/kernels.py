"""The gradients of the kernels `LSTMBlockCell` and `GRUBlockCell`: TensorFlow 2 has the kernels, and no gradients."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tf2bridge.internals.framework import ops

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


def block_lstm(
    seq_len_max: Any,
    x: list[Any],
    w: Any,
    b: Any,
    cs_prev: Any = None,
    h_prev: Any = None,
    wci: Any = None,
    wcf: Any = None,
    wco: Any = None,
    forget_bias: float | None = None,
    cell_clip: float | None = None,
    use_peephole: bool | None = None,
    name: str | None = None,
) -> tuple[list[Any], ...]:
    """Returns (i, cs, f, o, ci, co, h), lists of [batch, units], of an LSTM in one operation over the steps `x`.

    The steps `x` are [batch, size], `w` is [size + units, 4 units], `b` is [4 units]. Missing states and peepholes are
    zeros.

    Raises:
        ValueError: the size of `b` is unknown.
    """
    first = x[0]
    columns = tf.compat.dimension_value(b.get_shape().with_rank(1)[0])
    if columns is None:
        raise ValueError(f"the shape of b must be known, not {b.get_shape()}; call set_shape")
    units, batch = columns // 4, first.get_shape().with_rank(2)[0]
    if cs_prev is None or h_prev is None:
        start = v1.constant(0, dtype=first.dtype, shape=[tf.compat.dimension_value(batch), units])
        cs_prev = start if cs_prev is None else cs_prev
        h_prev = start if h_prev is None else h_prev
    if wci is None:
        wci = wcf = wco = v1.constant(0, dtype=first.dtype, shape=[units])
    result = tf.raw_ops.BlockLSTM(
        seq_len_max=seq_len_max,
        x=v1.stack(x),
        cs_prev=cs_prev,
        h_prev=h_prev,
        w=w,
        wci=wci,
        wcf=wcf,
        wco=wco,
        b=b,
        forget_bias=1 if forget_bias is None else forget_bias,
        cell_clip=-1 if cell_clip is None else cell_clip,
        use_peephole=bool(use_peephole),
        name=name,
    )
    return tuple(v1.unstack(tensor) for tensor in result)
