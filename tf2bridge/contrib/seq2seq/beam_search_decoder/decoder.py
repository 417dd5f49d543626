"""`BeamSearchDecoder`: keeps the most likely beams of each sequence."""

# ruff: noqa: ARG002  # the parameters are those of the interface
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.seq2seq.basic_decoder import rnn_output_size
from tf2bridge.contrib.seq2seq.beam_search_decoder import beams
from tf2bridge.contrib.seq2seq.beam_search_decoder.early_step import early_step, early_tree
from tf2bridge.contrib.seq2seq.beam_search_decoder.scores import get_attention_probs
from tf2bridge.contrib.seq2seq.beam_search_decoder.step import (
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    beam_search_step,
)
from tf2bridge.contrib.seq2seq.beam_search_ops import gather_tree, gather_tree_from_array
from tf2bridge.contrib.seq2seq.cells import KerasLayer, assert_like_rnncell, early
from tf2bridge.contrib.seq2seq.decoder import Decoder
from tf2bridge.contrib.seq2seq.helper.feeding import lookup

v1 = tf.compat.v1
nest = tf.nest


class FinalBeamSearchDecoderOutput(NamedTuple):
    """Complete beams [time, batch, beam], best first, and the outputs of the steps."""

    predicted_ids: Any
    beam_search_decoder_output: Any


class BeamSearchDecoderMixin:
    """The shared code of both decoders. Raises TypeError if the cell or the layer has the wrong type."""

    _embedding_fn: Any

    def __init__(
        self,
        cell: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: float = 0.0,
        coverage_penalty_weight: float = 0.0,
        reorder_tensor_arrays: bool = True,
        **kwargs: Any,
    ) -> None:
        assert_like_rnncell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, KerasLayer):
            raise TypeError(f"output_layer must be a layer of tf.layers or tf.keras, not {type(output_layer)}")
        super().__init__(**kwargs)
        self._cell = cell
        self._output_layer = output_layer
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._batch_size: Any = None
        self._beam_width = beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight

    def _start(self, start_tokens: Any, end_token: Any, initial_state: Any) -> None:
        starts = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name="start_tokens")
        if starts.get_shape().ndims != 1:
            raise ValueError(f"start_tokens must be a vector [batch], not {starts}")
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name="end_token")
        if self._end_token.get_shape().ndims != 0:
            raise ValueError(f"end_token must be a scalar, not {self._end_token}")
        self._batch_size = v1.size(start_tokens)
        self._initial_cell_state = nest.map_structure(
            self._maybe_split_batch_beams, initial_state, self._cell.state_size
        )
        self._start_tokens = v1.tile(v1.expand_dims(starts, 1), [1, self._beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        if early():
            self._finished = v1.zeros([self._batch_size, self._beam_width], dtype=tf.bool)
        else:
            self._finished = self._first_beam(False, True, tf.bool)

    def _first_beam(self, value: Any, remaining: Any, dtype: Any) -> Any:
        """Returns [batch, beam]: `value` for the first beam of each sequence, and `remaining` for the other beams."""
        firsts = v1.zeros([self._batch_size], dtype=tf.int32)
        return v1.one_hot(firsts, depth=self._beam_width, on_value=value, off_value=remaining, dtype=dtype)

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    def _rnn_output_size(self) -> Any:
        return rnn_output_size(self._cell, self._output_layer)

    @property
    def tracks_own_finished(self) -> bool:
        """True: an unfinished beam may take the place of a finished beam."""
        return True

    @property
    def output_size(self) -> Any:
        width = [self._beam_width]
        return BeamSearchDecoderOutput(*(tf.TensorShape(width) for _ in range(3)))

    @property
    def output_dtype(self) -> Any:
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        scores = nest.map_structure(lambda _: dtype, self._rnn_output_size())
        return BeamSearchDecoderOutput(scores=scores, predicted_ids=tf.int32, parent_ids=tf.int32)

    def _first(self) -> Any:
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        if early():
            log_probs = v1.zeros([self._batch_size, self._beam_width], dtype=dtype)
        else:  # all beams are equal at the start, so only the first beam counts
            zero, lowest = (tf.convert_to_tensor(number, dtype=dtype) for number in (0.0, -np.inf))
            log_probs = self._first_beam(zero, lowest, dtype)
        attended = get_attention_probs(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=self._finished,
            lengths=v1.zeros([self._batch_size, self._beam_width], dtype=tf.int64),
            accumulated_attention_probs=() if attended is None else attended,
        )
        return self._finished, self._start_inputs, state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with v1.name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            sizes = self._cell.state_size
            inputs = nest.map_structure(lambda tensor: self._merge_batch_beams(tensor, s=tensor.shape[2:]), inputs)
            cell_state = nest.map_structure(self._maybe_merge_batch_beams, state.cell_state, sizes)
            outputs, cell_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda tensor: self._split_batch_beams(tensor, tensor.shape[1:]), outputs)
            cell_state = nest.map_structure(self._maybe_split_batch_beams, cell_state, self._cell.state_size)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            coverage = {} if early() else {"coverage_penalty_weight": self._coverage_penalty_weight}
            output, following = (early_step if early() else beam_search_step)(
                time=time,
                logits=outputs,
                next_cell_state=cell_state,
                beam_state=state,
                batch_size=self._batch_size,
                beam_width=self._beam_width,
                end_token=self._end_token,
                length_penalty_weight=self._length_penalty_weight,
                **coverage,
            )
            finished, words = following.finished, output.predicted_ids
            next_inputs = v1.cond(
                v1.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(words)
            )
        return output, following, next_inputs, finished

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        if early():
            predicted = early_tree(outputs.predicted_ids, outputs.parent_ids, sequence_lengths)
            return FinalBeamSearchDecoderOutput(predicted, outputs), final_state
        longest = v1.cast(v1.reduce_max(final_state.lengths, axis=1), tf.int32)
        predicted = gather_tree(
            outputs.predicted_ids, outputs.parent_ids, max_sequence_lengths=longest, end_token=self._end_token
        )
        if self._reorder_tensor_arrays:
            parents, lengths = outputs.parent_ids, final_state.lengths
            cell_state = nest.map_structure(
                lambda element: self._maybe_sort_array_beams(element, parents, lengths), final_state.cell_state
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(predicted, outputs), final_state

    def _merge_batch_beams(self, t: Any, s: Any = None) -> Any:
        return beams.merged(t, s, self._batch_size, self._beam_width)

    def _split_batch_beams(self, t: Any, s: Any = None) -> Any:
        return beams.split(t, s, self._batch_size, self._beam_width)

    def _maybe_split_batch_beams(self, t: Any, s: Any) -> Any:
        if isinstance(t, tf.TensorArray):
            return t
        beams.check_rank(t)
        return self._split_batch_beams(t, s) if t.shape.ndims >= 1 else t

    def _maybe_merge_batch_beams(self, t: Any, s: Any) -> Any:
        if isinstance(t, tf.TensorArray):
            return t
        beams.check_rank(t)
        return self._merge_batch_beams(t, s) if t.shape.ndims >= 2 else t

    def _maybe_sort_array_beams(self, t: Any, parent_ids: Any, sequence_length: Any) -> Any:
        if not isinstance(t, tf.TensorArray):
            return t
        batch = tf.get_static_value(self._batch_size)
        if not beams.reorderable(t.element_shape, batch, self._beam_width):
            return t
        stacked = t.stack()
        with tf.control_dependencies([beams.check_rows(stacked, self._batch_size, self._beam_width)]):
            return gather_tree_from_array(stacked, parent_ids, sequence_length)


class BeamSearchDecoder(BeamSearchDecoderMixin, Decoder):
    """Steps `cell`, whose state has batch_size * beam_width rows (see `tile_batch`). A beam ends with `end_token`.

    Raises:
        TypeError: the cell or the layer has the wrong type.
        ValueError: `start_tokens` is not a vector [batch], or `end_token` is not a scalar.
    """

    def __init__(
        self,
        cell: Any,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: float = 0.0,
        coverage_penalty_weight: float = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        super().__init__(
            cell,
            beam_width,
            output_layer=output_layer,
            length_penalty_weight=length_penalty_weight,
            coverage_penalty_weight=coverage_penalty_weight,
            reorder_tensor_arrays=reorder_tensor_arrays,
        )
        self._embedding_fn = lookup(embedding)
        self._start(start_tokens, end_token, initial_state)

    def initialize(self, name: str | None = None) -> Any:
        """Returns (finished [batch, beam], first inputs, first state)."""
        return self._first()
