"""What `nn.seq2seq` of 0.12.1 did otherwise than contrib.legacy_seq2seq of 1.x."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.legacy_seq2seq.decoders import LoopFunction, rnn_decoder
from tf2bridge.contrib.legacy_seq2seq.losses import by_example, of_batch
from tf2bridge.v1.old_ops.unrolled import rnn

v1 = tf.compat.v1
Loss = Callable[[Any, Any], Any]


def sequence_loss_by_example(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    softmax_loss_function: Loss | None = None,
    name: str | None = None,
) -> Any:
    """As in 1.x, but `softmax_loss_function` is called as f(logits, targets)."""
    return by_example(logits, targets, weights, average_across_timesteps, softmax_loss_function, name)


def sequence_loss(
    logits: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    softmax_loss_function: Loss | None = None,
    name: str | None = None,
) -> Any:
    """As in 1.x, but `softmax_loss_function` is called as f(logits, targets)."""
    options = (average_across_timesteps, average_across_batch, softmax_loss_function, name)
    return of_batch(logits, targets, weights, *options)


def basic_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    dtype: Any = tf.float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """As in 1.x, with the encoder in the scope "RNN"."""
    with v1.variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = rnn(cell, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    loop_function: LoopFunction | None = None,
    dtype: Any = tf.float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """As in 1.x."""
    with v1.variable_scope("combined_tied_rnn_seq2seq"):
        tied = scope or "tied_rnn_seq2seq"
        _, state = rnn(cell, encoder_inputs, dtype=dtype, scope=tied)
        v1.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, tied)
