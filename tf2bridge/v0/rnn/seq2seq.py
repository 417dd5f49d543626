"""The functions of `nn.seq2seq` of 0.12.1 that differ from contrib.legacy_seq2seq of 1.x."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.unrolled import rnn
from tf2bridge.contrib.legacy_seq2seq.seq2seq.attention import Attentive
from tf2bridge.contrib.legacy_seq2seq.seq2seq.buckets import bucketed
from tf2bridge.contrib.legacy_seq2seq.seq2seq.decoders import LoopFunction, rnn_decoder
from tf2bridge.contrib.legacy_seq2seq.seq2seq.embedding import Embedding
from tf2bridge.contrib.legacy_seq2seq.seq2seq.losses import by_example, of_batch
from tf2bridge.contrib.legacy_seq2seq.seq2seq.parts import Parts
from tf2bridge.v0.rnn.linear import linear
from tf2bridge.v0.rnn.wrappers import EmbeddingWrapper, OutputProjectionWrapper

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


def model_with_buckets(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[[Any, Any], tuple[Any, Any]],
    softmax_loss_function: Loss | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """As in 1.x, but `softmax_loss_function` is called as f(logits, targets)."""
    losses = (sequence_loss_by_example if per_example_loss else sequence_loss, softmax_loss_function)
    return bucketed(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, losses, name)


# 0.12 runs one and the same cell in the encoder and in the decoder.
_PARTS = Parts(linear, rnn, EmbeddingWrapper, OutputProjectionWrapper, tied_rnn_seq2seq, lambda cell: cell)
_EMBEDDING = Embedding(_PARTS)
embedding_rnn_seq2seq = _EMBEDDING.embedding_rnn_seq2seq
embedding_tied_rnn_seq2seq = _EMBEDDING.embedding_tied_rnn_seq2seq
attention_decoder = Attentive(_PARTS).attention_decoder
embedding_attention_decoder = Attentive(_PARTS).embedding_attention_decoder
embedding_attention_seq2seq = Attentive(_PARTS).embedding_attention_seq2seq


def one2many_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs_dict: Mapping[Any, Sequence[Any]],
    cell: Any,
    num_encoder_symbols: int,
    num_decoder_symbols_dict: Mapping[Any, int],
    embedding_size: int,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """As in 1.x, with one cell for the encoder and all decoders."""
    return _EMBEDDING.one2many(
        encoder_inputs,
        decoder_inputs_dict,
        cell,
        dict.fromkeys(decoder_inputs_dict, cell),
        num_encoder_symbols,
        num_decoder_symbols_dict,
        embedding_size,
        feed_previous,
        dtype,
        scope,
    )
