"""The computations of cuDNN networks from canonical weights, with operations that every device supports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.cudnn_rnn.cudnn_rnn_ops import weights as forms

v1 = tf.compat.v1


@dataclass(frozen=True)
class Steps:
    """Inputs [time, batch, size], and the lengths [batch] of their examples, or None."""

    inputs: Any
    lengths: Any

    def turned(self) -> Steps:
        """Returns the steps reversed, each example within its length."""
        return Steps(turned(self.inputs, self.lengths), self.lengths)


def turned(steps: Any, lengths: Any) -> Any:
    """Returns `steps` in reverse, each example within its own length if lengths are given."""
    return v1.reverse(steps, [0]) if lengths is None else v1.reverse_sequence(steps, lengths, 0, 1)


def layer(mode: str, steps: Steps, weights: Sequence[Any], output: Any, memory: Any) -> tuple[Any, Any, Any]:
    """Returns (outputs [time, batch, units], last output, last memory) of one layer in one direction.

    `weights` are the kernels and then the biases of its cell, as in TensorFlow's canonical form; `output` and `memory`
    are the state it begins with, the latter None but for an LSTM.
    """
    if mode == forms.LSTM:
        return _lstm(steps, weights[0], weights[1], output, memory)
    outputs = _unrolled(_step(mode, weights), steps.inputs, output)
    return (*_ended(outputs, output, steps.lengths), None)


def _lstm(steps: Steps, kernel: Any, bias: Any, output: Any, memory: Any) -> tuple[Any, Any, Any]:
    run = _lstm_by_step if steps.inputs.dtype == tf.float64 else _lstm_at_once
    outputs, memories = run(steps.inputs, kernel, bias, output, memory)
    outputs, last = _ended(outputs, output, steps.lengths)
    return outputs, last, _ended(memories, memory, steps.lengths)[1]


def _lstm_at_once(inputs: Any, kernel: Any, bias: Any, output: Any, memory: Any) -> tuple[Any, Any]:
    """Outputs and memories, each [time, batch, units]."""
    none = v1.zeros([bias.shape[0] // 4], bias.dtype)
    result = tf.raw_ops.BlockLSTM(
        seq_len_max=v1.shape(inputs, out_type=tf.int64)[0],
        x=inputs,
        cs_prev=memory,
        h_prev=output,
        w=kernel,
        wci=none,
        wcf=none,
        wco=none,
        b=bias,
        forget_bias=0.0,
        cell_clip=-1.0,
        use_peephole=False,
    )
    return result.h, result.cs


def _lstm_by_step(inputs: Any, kernel: Any, bias: Any, output: Any, memory: Any) -> tuple[Any, Any]:
    """Computes the same step by step, for dtypes that the kernel `BlockLSTM` lacks."""

    def step(state: tuple[Any, Any], current: Any) -> tuple[Any, Any]:
        gates = v1.nn.xw_plus_b(v1.concat([current, state[0]], 1), kernel, bias)
        enter, new, forget, leave = v1.split(gates, 4, axis=1)
        kept = v1.sigmoid(forget) * state[1] + v1.sigmoid(enter) * v1.tanh(new)
        return v1.sigmoid(leave) * v1.tanh(kept), kept

    outputs, memories = v1.scan(step, inputs, initializer=(output, memory))
    return outputs, memories


def _step(mode: str, weights: Sequence[Any]) -> Callable[[Any, Any], Any]:
    """Returns a step: f(state [batch, units], inputs [batch, size]) -> new state."""
    if mode == forms.GRU:
        gate_kernel, input_kernel, state_kernel, gate_bias, input_bias, state_bias = weights

        def gated(state: Any, inputs: Any) -> Any:
            gates = v1.nn.xw_plus_b(v1.concat([inputs, state], 1), gate_kernel, gate_bias)
            # cuDNN's i is the gate that keeps, its r the one that resets; TensorFlow has r first.
            reset, keep = v1.split(v1.sigmoid(gates), 2, axis=1)
            fresh = v1.nn.xw_plus_b(inputs, input_kernel, input_bias)
            fresh = v1.tanh(fresh + reset * v1.nn.xw_plus_b(state, state_kernel, state_bias))
            return (1 - keep) * fresh + keep * state

        return gated
    kernel, bias = weights
    activation = v1.tanh if mode == forms.TANH else v1.nn.relu
    return lambda state, inputs: activation(v1.nn.xw_plus_b(v1.concat([inputs, state], 1), kernel, bias))


def _unrolled(step: Callable[[Any, Any], Any], inputs: Any, state: Any) -> Any:
    return v1.scan(step, inputs, initializer=state)


def _ended(outputs: Any, begin: Any, lengths: Any) -> tuple[Any, Any]:
    """Returns the outputs, 0 beyond the lengths, and each example's last output, which is `begin` for length 0."""
    if lengths is None:
        return outputs, outputs[-1]
    time, batch = v1.shape(outputs)[0], v1.shape(outputs)[1]
    mask = v1.transpose(v1.sequence_mask(lengths, time, dtype=outputs.dtype), [1, 0])
    outputs *= v1.expand_dims(mask, 2)
    with_begin = v1.concat([v1.expand_dims(begin, 0), outputs], 0)
    places = v1.stack([v1.cast(lengths, tf.int32), v1.range(batch)], axis=1)
    return outputs, v1.gather_nd(with_begin, places)
