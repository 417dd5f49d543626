"""The sequence-to-sequence decoders of `contrib.legacy_seq2seq` (`nn.seq2seq` in 0.12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
LoopFunction = Callable[[Any, int], Any]


def rnn_decoder(
    decoder_inputs: Iterable[Any],
    initial_state: Any,
    cell: Any,
    loop_function: LoopFunction | None = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Returns (outputs, final state): `cell` over `decoder_inputs`, each [batch, size].

    With `loop_function`, the input of step i > 0 is `loop_function(previous output, i)`.
    """
    with v1.variable_scope(scope or "rnn_decoder"):
        state = initial_state
        outputs: list[Any] = []
        for step, given in enumerate(decoder_inputs):
            current = given
            if loop_function is not None and outputs:
                with v1.variable_scope("loop_function", reuse=True):
                    current = loop_function(outputs[-1], step)
            if step:
                v1.get_variable_scope().reuse_variables()
            output, state = cell(current, state)
            outputs.append(output)
    return outputs, state


def basic_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    dtype: Any = tf.float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Returns (outputs, final state) of an encoder and a decoder with cells of the same kind and own weights."""
    import copy

    with v1.variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = v1.nn.static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Sequence[Any],
    decoder_inputs: Sequence[Any],
    cell: Any,
    loop_function: LoopFunction | None = None,
    dtype: Any = tf.float32,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Returns (outputs, final state) of an encoder and a decoder that share their weights."""
    with v1.variable_scope("combined_tied_rnn_seq2seq"):
        tied = scope or "tied_rnn_seq2seq"
        _, state = v1.nn.static_rnn(cell, encoder_inputs, dtype=dtype, scope=tied)
        v1.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function, tied)


def embedding_rnn_decoder(
    decoder_inputs: Sequence[Any],
    initial_state: Any,
    cell: Any,
    num_symbols: int,
    embedding_size: int,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """Returns (outputs, final state) over `decoder_inputs`, each [batch] of symbols below `num_symbols`.

    `output_projection` is (weights [units, num_symbols], biases [num_symbols]); with `feed_previous` only the first
    input is used, and each later one is the most likely symbol of the step before.
    """
    with v1.variable_scope(scope or "embedding_rnn_decoder") as current:
        if output_projection is not None:
            check_projection(output_projection, num_symbols, current.dtype)
        embedding = v1.get_variable("embedding", [num_symbols, embedding_size])
        loop = most_likely(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        embedded = (v1.nn.embedding_lookup(embedding, step) for step in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop)


def check_projection(projection: tuple[Any, Any], symbols: int, dtype: Any) -> None:
    """Raises ValueError unless these are weights [units, symbols] and biases [symbols]."""
    for given, shape in zip(projection, ([None, symbols], [symbols]), strict=True):
        tf.convert_to_tensor(given, dtype=dtype).shape.assert_is_compatible_with(shape)


def most_likely(embedding: Any, projection: tuple[Any, Any] | None, update: bool) -> LoopFunction:
    """Returns the loop function that embeds the most likely symbol; gradients reach the embedding with `update`."""

    def embed(previous: Any, _: int) -> Any:
        scores = previous if projection is None else v1.nn.xw_plus_b(previous, *projection)
        embedded = v1.nn.embedding_lookup(embedding, v1.argmax(scores, 1))
        return embedded if update else tf.stop_gradient(embedded)

    return embed
