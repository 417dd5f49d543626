"""Decoders that are layers: called with the inputs, they step themselves."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.basic import BasicDecoderOutput, rnn_output_size
from tf2bridge.contrib.seq2seq.beam_search import BeamSearchDecoderMixin
from tf2bridge.contrib.seq2seq.cells import KerasLayer, assert_like_rnncell
from tf2bridge.contrib.seq2seq.decoding import BaseDecoder
from tf2bridge.contrib.seq2seq.samplers import Sampler, checked_embedding

v1 = tf.compat.v1
nest = tf.nest


class BasicDecoderV2(BaseDecoder):
    """Steps a cell; `sampler` draws a sample from each output and makes the next input of it.

    Raises TypeError where `cell`, `sampler` or `output_layer` is of another kind.
    """

    def __init__(self, cell: Any, sampler: Any, output_layer: Any = None, **kwargs: Any) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(sampler, Sampler):
            raise TypeError(f"sampler must be a Sampler, not {type(sampler)}")
        if output_layer is not None and not isinstance(output_layer, KerasLayer):
            raise TypeError(f"output_layer must be a layer of tf.layers or tf.keras, not {type(output_layer)}")
        super().__init__(**kwargs)
        self.cell = cell
        self.sampler = sampler
        self.output_layer = output_layer

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """Returns (finished [batch], first inputs, `initial_state`)."""
        self._cell_dtype = nest.flatten(initial_state)[0].dtype
        return (*self.sampler.initialize(inputs, **kwargs), initial_state)

    @property
    def batch_size(self) -> Any:
        return self.sampler.batch_size

    def _rnn_output_size(self) -> Any:
        size = tf.TensorShape(self.cell.output_size)
        return size if self.output_layer is None else rnn_output_size(self.cell, self.output_layer)

    @property
    def output_size(self) -> Any:
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self.sampler.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        outputs = nest.map_structure(lambda _: self._cell_dtype, self._rnn_output_size())
        return BasicDecoderOutput(outputs, self.sampler.sample_ids_dtype)

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        """Returns (outputs, next state, next inputs, finished [batch])."""
        outputs, state = self.cell(inputs, state)
        if self.output_layer is not None:
            outputs = self.output_layer(outputs)
        samples = self.sampler.sample(time=time, outputs=outputs, state=state)
        finished, inputs, state = self.sampler.next_inputs(time=time, outputs=outputs, state=state, sample_ids=samples)
        return BasicDecoderOutput(outputs, samples), state, inputs, finished


class BeamSearchDecoderV2(BeamSearchDecoderMixin, BaseDecoder):
    """Keeps the most likely beams of each sequence; called with (embedding, start_tokens, end_token, initial_state).

    `embedding` is None where `embedding_fn` is given. Raises TypeError for another kind of cell or layer; when called
    ValueError unless `start_tokens` is a vector [batch] and `end_token` a scalar.
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
