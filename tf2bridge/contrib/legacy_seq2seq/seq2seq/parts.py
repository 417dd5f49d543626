"""Parts of the sequence-to-sequence models, and the choice between fed and own outputs when the graph runs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.legacy_seq2seq.seq2seq.decoders import tied_rnn_seq2seq
from tf2bridge.contrib.rnn.core_rnn_cell import EmbeddingWrapper, Linear, OutputProjectionWrapper

v1 = tf.compat.v1


@dataclass(frozen=True)
class Parts:
    """The parts that differ between releases.

    They are the linear map f(tensors, size), the unrolled network, the wrappers of cells, the tied model, and the
    function that returns the encoder's cell for the decoder's cell.
    """

    linear: Callable[[Any, int], Any]
    unrolled: Callable[..., tuple[Any, Any]]
    embedded: Callable[[Any, int, int], Any]
    projected: Callable[[Any, int], Any]
    tied: Callable[..., tuple[Any, Any]]
    for_encoder: Callable[[Any], Any]


PARTS = Parts(
    linear=lambda args, size: Linear(args, size, True)(args),
    unrolled=v1.nn.static_rnn,
    embedded=EmbeddingWrapper,
    projected=OutputProjectionWrapper,
    tied=tied_rnn_seq2seq,
    for_encoder=copy.deepcopy,
)
"""The parts of 1.15."""


def either(
    feed_previous: Any, decode: Callable[[bool], tuple[list[Any], Any]], steps: int
) -> tuple[list[Any], list[Any]]:
    """Returns the outputs, and the tensors of the state, of `decode(True)` or `decode(False)`, as a tensor tells."""

    def branch(feeding: bool) -> list[Any]:
        with v1.variable_scope(v1.get_variable_scope(), reuse=None if feeding else True):
            outputs, state = decode(feeding)
            return [*outputs, *tf.nest.flatten(state)]

    results = v1.cond(feed_previous, lambda: branch(True), lambda: branch(False))
    return results[:steps], results[steps:]


def packed(like: Any, tensors: list[Any]) -> Any:
    """Returns the tensors of a state in the structure of the state `like`."""
    return tf.nest.pack_sequence_as(like, tensors) if tf.nest.is_nested(like) else tensors[0]
