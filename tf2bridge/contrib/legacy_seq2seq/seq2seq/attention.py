"""Decoders that attend to the outputs of an encoder (Vinyals et al., 2014), in `contrib.legacy_seq2seq`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.legacy_seq2seq.seq2seq.decoders import LoopFunction, most_likely
from tf2bridge.contrib.legacy_seq2seq.seq2seq.parts import PARTS, Parts, either, packed

v1 = tf.compat.v1


class _Attention:
    """Attention, by some heads, to `states`, [batch, time, size]; made once, and asked at every step."""

    def __init__(self, parts: Parts, states: Any, heads: int, dtype: Any) -> None:
        length = states.get_shape()[1]
        self._length = tf.compat.dimension_value(length)
        if self._length is None:
            self._length = v1.shape(states)[1]
        self.size = tf.compat.dimension_value(states.get_shape()[2])
        self._parts = parts
        self._dtype = dtype
        self._hidden = v1.reshape(states, [-1, self._length, 1, self.size])
        self._features, self._directions = [], []
        for head in range(heads):
            filters = v1.get_variable(f"AttnW_{head}", [1, 1, self.size, self.size], dtype=dtype)
            self._features.append(v1.nn.conv2d(self._hidden, filters, [1, 1, 1, 1], "SAME"))
            self._directions.append(v1.get_variable(f"AttnV_{head}", [self.size], dtype=dtype))

    def __call__(self, query: Any) -> list[Any]:
        """Returns the context of each head for this decoder state, [batch, size]."""
        if tf.nest.is_nested(query):
            query = v1.concat(tf.nest.flatten(query), 1)
        heads = zip(self._features, self._directions, strict=True)
        return [self._read(place, query, *head) for place, head in enumerate(heads)]

    def _read(self, place: int, query: Any, features: Any, direction: Any) -> Any:
        with v1.variable_scope(f"Attention_{place}"):
            projected = v1.reshape(self._parts.linear(query, self.size), [-1, 1, 1, self.size])
            scores = v1.reduce_sum(direction * v1.tanh(features + v1.cast(projected, self._dtype)), [2, 3])
            weights = v1.cast(v1.nn.softmax(v1.cast(scores, tf.float32)), self._dtype)
            read = v1.reduce_sum(v1.reshape(weights, [-1, self._length, 1, 1]) * self._hidden, [1, 2])
            return v1.reshape(read, [-1, self.size])


@dataclass(frozen=True)
class Attentive:
    """The three models, made of the parts of a release."""

    parts: Parts

    def attention_decoder(
        self,
        decoder_inputs: Sequence[Any],
        initial_state: Any,
        attention_states: Any,
        cell: Any,
        output_size: int | None = None,
        num_heads: int = 1,
        loop_function: LoopFunction | None = None,
        dtype: Any = None,
        scope: Any = None,
        initial_state_attention: bool = False,
    ) -> tuple[list[Any], Any]:
        """Returns (outputs, final state) of `cell` over `decoder_inputs`, each [batch, size], with attention.

        `attention_states` are [batch, time, attention size]. With `loop_function`, the input of step i > 0 is
        `loop_function(previous output, i)`.

        Raises:
            ValueError: there are no inputs or no heads, or a size is unknown.
        """
        _check(decoder_inputs, num_heads, attention_states)
        size = cell.output_size if output_size is None else output_size
        with v1.variable_scope(scope or "attention_decoder", dtype=dtype) as current:
            dtype = current.dtype
            batch = v1.shape(decoder_inputs[0])[0]
            attention = _Attention(self.parts, attention_states, num_heads, dtype)
            read = _nothing_read(v1.stack([batch, attention.size]), attention.size, num_heads, dtype)
            if initial_state_attention:
                read = attention(initial_state)
            outputs: list[Any] = []
            state = initial_state
            for step, given in enumerate(decoder_inputs):
                if step:
                    v1.get_variable_scope().reuse_variables()
                if loop_function is not None and outputs:
                    with v1.variable_scope("loop_function", reuse=True):
                        given = loop_function(outputs[-1], step)  # noqa: PLW2901  # the input of this step
                entry = self.parts.linear([v1.cast(tensor, dtype) for tensor in [given, *read]], _width(given))
                output, state = cell(entry, state)
                # At the first step its variables exist already where the initial state was attended with.
                reuse = True if step == 0 and initial_state_attention else None
                if reuse:
                    with v1.variable_scope(v1.get_variable_scope(), reuse=True):
                        read = attention(state)
                else:
                    read = attention(state)
                with v1.variable_scope("AttnOutputProjection"):
                    outputs.append(self.parts.linear([v1.cast(output, dtype), *read], size))
        return outputs, state

    def embedding_attention_decoder(
        self,
        decoder_inputs: Sequence[Any],
        initial_state: Any,
        attention_states: Any,
        cell: Any,
        num_symbols: int,
        embedding_size: int,
        num_heads: int = 1,
        output_size: int | None = None,
        output_projection: tuple[Any, Any] | None = None,
        feed_previous: bool = False,
        update_embedding_for_previous: bool = True,
        dtype: Any = None,
        scope: Any = None,
        initial_state_attention: bool = False,
    ) -> tuple[list[Any], Any]:
        """Returns (outputs, final state) over `decoder_inputs`, each [batch] of symbols below `num_symbols`.

        With `feed_previous` only the first input is used, and each later one is the most likely symbol before it.
        """
        size = cell.output_size if output_size is None else output_size
        if output_projection is not None:
            biases = tf.convert_to_tensor(output_projection[1], dtype=dtype)
            biases.shape.assert_is_compatible_with([num_symbols])
        with v1.variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
            embedding = v1.get_variable("embedding", [num_symbols, embedding_size])
            loop = most_likely(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
            return self.attention_decoder(
                [v1.nn.embedding_lookup(embedding, step) for step in decoder_inputs],
                initial_state,
                attention_states,
                cell,
                output_size=size,
                num_heads=num_heads,
                loop_function=loop,
                initial_state_attention=initial_state_attention,
            )

    def embedding_attention_seq2seq(
        self,
        encoder_inputs: Sequence[Any],
        decoder_inputs: Sequence[Any],
        cell: Any,
        num_encoder_symbols: int,
        num_decoder_symbols: int,
        embedding_size: int,
        num_heads: int = 1,
        output_projection: tuple[Any, Any] | None = None,
        feed_previous: Any = False,
        dtype: Any = None,
        scope: Any = None,
        initial_state_attention: bool = False,
    ) -> tuple[list[Any], Any]:
        """Returns (outputs, final state): an encoder over symbols, and a decoder that attends to its outputs.

        Inputs are lists of [batch]; outputs are [batch, num_decoder_symbols], or [batch, cell.output_size] with
        `output_projection`. `feed_previous` may be a tensor.
        """
        parts = self.parts
        with v1.variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as current:
            encoder = parts.embedded(parts.for_encoder(cell), num_encoder_symbols, embedding_size)
            encoded, state = parts.unrolled(encoder, encoder_inputs, dtype=current.dtype)
            attended = v1.concat([v1.reshape(output, [-1, 1, cell.output_size]) for output in encoded], 1)
            size = None
            if output_projection is None:
                cell, size = parts.projected(cell, num_decoder_symbols), num_decoder_symbols

            def decode(feeding: bool, update: bool = False) -> tuple[list[Any], Any]:
                return self.embedding_attention_decoder(
                    decoder_inputs,
                    state,
                    attended,
                    cell,
                    num_decoder_symbols,
                    embedding_size,
                    num_heads=num_heads,
                    output_size=size,
                    output_projection=output_projection,
                    feed_previous=feeding,
                    update_embedding_for_previous=update,
                    initial_state_attention=initial_state_attention,
                )

            if isinstance(feed_previous, bool):
                return decode(feed_previous, update=True)
            outputs, tensors = either(feed_previous, decode, len(decoder_inputs))
            return outputs, packed(state, tensors)


def _check(decoder_inputs: Sequence[Any], heads: int, states: Any) -> None:
    if not decoder_inputs:
        raise ValueError("attention_decoder needs at least one of decoder_inputs")
    if heads < 1:
        raise ValueError("a decoder with less than 1 head does not attend; use rnn_decoder")
    if tf.compat.dimension_value(states.get_shape()[2]) is None:
        raise ValueError(f"attention_states [batch, time, size] of known size are needed, not {states.get_shape()}")


def _width(inputs: Any) -> int:
    size = inputs.get_shape().with_rank(2).dims[1].value
    if size is None:
        raise ValueError(f"attention_decoder needs inputs [batch, size] of known size; {inputs.name} is not")
    return int(size)


def _nothing_read(shape: Any, size: int, heads: int, dtype: Any) -> list[Any]:
    zeros = [v1.zeros(shape, dtype=dtype) for _ in range(heads)]
    for tensor in zeros:
        tensor.set_shape([None, size])
    return zeros


_MODELS = Attentive(PARTS)
attention_decoder = _MODELS.attention_decoder
embedding_attention_decoder = _MODELS.embedding_attention_decoder
embedding_attention_seq2seq = _MODELS.embedding_attention_seq2seq
