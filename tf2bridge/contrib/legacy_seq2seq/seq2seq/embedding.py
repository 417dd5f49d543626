"""Models of `contrib.legacy_seq2seq` that embed the symbols of their inputs, without attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.legacy_seq2seq.seq2seq.decoders import check_projection, embedding_rnn_decoder, most_likely
from tf2bridge.contrib.legacy_seq2seq.seq2seq.parts import PARTS, Parts, either, packed
from tf2bridge.contrib.rnn.cell import RNNCell

v1 = tf.compat.v1
Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Embedding:
    """The models, made of the parts of a release."""

    parts: Parts

    def embedding_rnn_seq2seq(
        self,
        encoder_inputs: Sequence[Any],
        decoder_inputs: Sequence[Any],
        cell: Any,
        num_encoder_symbols: int,
        num_decoder_symbols: int,
        embedding_size: int,
        output_projection: Pair | None = None,
        feed_previous: Any = False,
        dtype: Any = None,
        scope: Any = None,
    ) -> tuple[list[Any], Any]:
        """Returns (outputs, final state) of an encoder and a decoder over symbols: lists of [batch].

        Outputs are [batch, num_decoder_symbols], or [batch, cell.output_size] with `output_projection`.
        `feed_previous` may be a tensor.
        """
        parts = self.parts
        with v1.variable_scope(scope or "embedding_rnn_seq2seq") as current:
            if dtype is not None:
                current.set_dtype(dtype)
            encoder = parts.embedded(parts.for_encoder(cell), num_encoder_symbols, embedding_size)
            _, state = parts.unrolled(encoder, encoder_inputs, dtype=current.dtype)
            if output_projection is None:
                cell = parts.projected(cell, num_decoder_symbols)

            def decode(feeding: bool, update: bool = False) -> tuple[list[Any], Any]:
                options = (output_projection, feeding, update)
                return embedding_rnn_decoder(decoder_inputs, state, cell, num_decoder_symbols, embedding_size, *options)

            if isinstance(feed_previous, bool):
                return decode(feed_previous, update=True)
            outputs, tensors = either(feed_previous, decode, len(decoder_inputs))
            return outputs, packed(state, tensors)

    def embedding_tied_rnn_seq2seq(
        self,
        encoder_inputs: Sequence[Any],
        decoder_inputs: Sequence[Any],
        cell: Any,
        num_symbols: int,
        embedding_size: int,
        num_decoder_symbols: int | None = None,
        output_projection: Pair | None = None,
        feed_previous: Any = False,
        dtype: Any = None,
        scope: Any = None,
    ) -> tuple[list[Any], Any]:
        """Returns what `embedding_rnn_seq2seq` does; encoder and decoder have the same weights."""
        parts = self.parts
        with v1.variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as current:
            dtype = current.dtype
            if output_projection is not None:
                check_projection(output_projection, num_symbols, dtype)
            embedding = v1.get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
            encoded = [v1.nn.embedding_lookup(embedding, step) for step in encoder_inputs]
            decoded = [v1.nn.embedding_lookup(embedding, step) for step in decoder_inputs]
            if output_projection is None:
                cell = parts.projected(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

            def decode(feeding: bool, update: bool = False) -> tuple[list[Any], Any]:
                loop = most_likely(embedding, output_projection, update) if feeding else None
                return parts.tied(encoded, decoded, cell, loop_function=loop, dtype=dtype)

            if isinstance(feed_previous, bool):
                return decode(feed_previous, update=True)
            outputs, tensors = either(feed_previous, decode, len(decoder_inputs))
            return outputs, packed(cell.zero_state(_batch(encoder_inputs), dtype), tensors)

    def one2many(
        self,
        encoder_inputs: Sequence[Any],
        decoder_inputs: Mapping[Any, Sequence[Any]],
        encoder: Any,
        decoders: Mapping[Any, Any],
        encoder_symbols: int,
        decoder_symbols: Mapping[Any, int],
        embedding_size: int,
        feed_previous: Any,
        dtype: Any,
        scope: Any,
    ) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
        """Returns `one2many_rnn_seq2seq`, with a cell for each decoder."""
        outputs, states = {}, {}
        with v1.variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as current:
            encoder = self.parts.embedded(encoder, encoder_symbols, embedding_size)
            _, state = self.parts.unrolled(encoder, encoder_inputs, dtype=current.dtype)
            for name, inputs in decoder_inputs.items():
                with v1.variable_scope(f"one2many_decoder_{name}"):
                    symbols = decoder_symbols[name]
                    cell = self.parts.projected(decoders[name], symbols)
                    decoded = _decoded(inputs, state, cell, symbols, embedding_size, feed_previous)
                    outputs[name], states[name] = decoded
        return outputs, states


def _decoded(
    inputs: Sequence[Any], state: Any, cell: Any, symbols: int, size: int, feed_previous: Any
) -> tuple[list[Any], Any]:
    def decode(feeding: bool) -> tuple[list[Any], Any]:
        return embedding_rnn_decoder(inputs, state, cell, symbols, size, feed_previous=feeding)

    if isinstance(feed_previous, bool):
        return decode(feed_previous)
    outputs, tensors = either(feed_previous, decode, len(inputs))
    return outputs, packed(state, tensors)


def _batch(inputs: Sequence[Any]) -> Any:
    sizes = [tf.compat.dimension_value(tensor.shape[0]) for tensor in inputs]
    return sizes[0] if sizes[0] is not None else v1.shape(inputs[0])[0]


_MODELS = Embedding(PARTS)
embedding_rnn_seq2seq = _MODELS.embedding_rnn_seq2seq
embedding_tied_rnn_seq2seq = _MODELS.embedding_tied_rnn_seq2seq


def one2many_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs_dict: Mapping[Any, Sequence[Any]],
    enc_cell: Any,
    dec_cells_dict: Mapping[Any, Any],
    num_encoder_symbols: int,
    num_decoder_symbols_dict: Mapping[Any, int],
    embedding_size: int,
    feed_previous: Any = False,
    dtype: Any = None,
    scope: Any = None,
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """Returns ({name: outputs}, {name: final state}): one encoder, and a decoder for each name of the dictionaries.

    Raises TypeError for what is no cell, and ValueError for dictionaries with other names.
    """
    for cell in (enc_cell, *dec_cells_dict.values()):
        if not isinstance(cell, RNNCell):
            raise TypeError(f"one2many_rnn_seq2seq takes RNNCells, not {type(cell).__name__}")
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError(f"cells for {sorted(dec_cells_dict)}, but inputs for {sorted(decoder_inputs_dict)}")
    return _MODELS.one2many(
        encoder_inputs,
        decoder_inputs_dict,
        enc_cell,
        dec_cells_dict,
        num_encoder_symbols,
        num_decoder_symbols_dict,
        embedding_size,
        feed_previous,
        dtype,
        scope,
    )
