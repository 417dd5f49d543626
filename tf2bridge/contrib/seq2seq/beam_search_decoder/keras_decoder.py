"""`BeamSearchDecoderV2`: the beam search as a layer. Calling the layer runs all steps."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.beam_search_decoder.decoder import BeamSearchDecoderMixin
from tf2bridge.contrib.seq2seq.decoder import BaseDecoder
from tf2bridge.contrib.seq2seq.sampler.feeding import checked_embedding

v1 = tf.compat.v1


class BeamSearchDecoderV2(BeamSearchDecoderMixin, BaseDecoder):
    """Keeps the most likely beams of each sequence. Called with (embedding, start_tokens, end_token, initial_state).

    `embedding` is None if `embedding_fn` is given.

    Raises:
        TypeError: the cell or the layer has the wrong type.
        ValueError: in a call, `start_tokens` is not a vector [batch], or `end_token` is not a scalar.
    """

    def __init__(
        self,
        cell: Any,
        beam_width: int,
        embedding_fn: Any = None,
        output_layer: Any = None,
        length_penalty_weight: float = 0.0,
        coverage_penalty_weight: float = 0.0,
        reorder_tensor_arrays: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            cell,
            beam_width,
            output_layer=output_layer,
            length_penalty_weight=length_penalty_weight,
            coverage_penalty_weight=coverage_penalty_weight,
            reorder_tensor_arrays=reorder_tensor_arrays,
            **kwargs,
        )
        self._embedding_fn = checked_embedding(embedding_fn)

    def initialize(  # type: ignore[override]  # as genuine
        self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any
    ) -> Any:
        """Returns (finished [batch, beam], first inputs, first state)."""
        if embedding is not None and self._embedding_fn is not None:
            raise ValueError("give the decoder embedding_fn, or embedding in its call, not both")
        if embedding is not None:
            self._embedding_fn = lambda ids: v1.nn.embedding_lookup(embedding, ids)
        self._start(start_tokens, end_token, initial_state)
        return self._first()

    def call(  # type: ignore[override]  # as genuine
        self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any, **kwargs: Any
    ) -> Any:
        """Returns (FinalBeamSearchDecoderOutput, final state, lengths [batch, beam])."""
        known = {"start_tokens": start_tokens, "end_token": end_token, "initial_state": initial_state}
        return self._decode(embedding, {**kwargs, **known})
