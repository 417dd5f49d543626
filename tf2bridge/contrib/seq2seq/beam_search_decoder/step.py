"""One step of a beam search."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.seq2seq.beam_search_decoder.beams import gathered, maybe_gathered
from tf2bridge.contrib.seq2seq.beam_search_decoder.scores import get_attention_probs, get_scores, mask_probs

v1 = tf.compat.v1
nest = tf.nest


class BeamSearchDecoderState(NamedTuple):
    """The state of a beam search. All fields except the cell state are [batch, beam, ...]."""

    cell_state: Any
    log_probs: Any
    finished: Any
    lengths: Any
    accumulated_attention_probs: Any = ()


class BeamSearchDecoderOutput(NamedTuple):
    """The choice of one step: scores, symbols, and the beams that they continue, each [batch, beam]."""

    scores: Any
    predicted_ids: Any
    parent_ids: Any


def beam_search_step(
    time: Any,
    logits: Any,
    next_cell_state: Any,
    beam_state: Any,
    batch_size: Any,
    beam_width: int,
    end_token: Any,
    length_penalty_weight: Any,
    coverage_penalty_weight: Any,
) -> tuple[BeamSearchDecoderOutput, BeamSearchDecoderState]:
    """Returns (output, next state): the `beam_width` best continuations, by `logits` [batch, beam, symbols]."""
    static_batch = tf.get_static_value(batch_size)
    open_beams = v1.logical_not(beam_state.finished)
    log_probs = mask_probs(v1.nn.log_softmax(logits), end_token, beam_state.finished)
    totals = v1.expand_dims(beam_state.log_probs, 2) + log_probs
    symbols = tf.compat.dimension_value(logits.shape[-1]) or v1.shape(logits)[-1]
    lengths = _lengths(beam_state, open_beams, batch_size, beam_width, end_token, symbols)
    attended = None
    attention = get_attention_probs(next_cell_state, coverage_penalty_weight)
    if attention is not None:
        attention *= v1.expand_dims(v1.cast(open_beams, tf.float32), 2)
        attended = beam_state.accumulated_attention_probs + attention
    scores = get_scores(
        log_probs=totals,
        sequence_lengths=lengths,
        length_penalty_weight=length_penalty_weight,
        coverage_penalty_weight=coverage_penalty_weight,
        finished=beam_state.finished,
        accumulated_attention_probs=attended,
    )
    tf.convert_to_tensor(time, name="time")
    flat = v1.reshape(scores, [batch_size, -1])
    width = tf.convert_to_tensor(beam_width, dtype=tf.int32, name="beam_width")
    best, places = v1.nn.top_k(flat, k=width)
    for tensor in (best, places):
        tensor.set_shape([static_batch, beam_width])
    probs = gathered(places, totals, batch_size, beam_width * symbols, [-1], name="next_beam_probs")
    words = v1.cast(v1.mod(places, symbols, name="next_beam_word_ids"), tf.int32)
    parents = v1.cast(places / symbols, tf.int32, name="next_beam_parent_ids")
    was_finished = gathered(parents, beam_state.finished, batch_size, beam_width, [-1])
    finished = v1.logical_or(was_finished, v1.equal(words, end_token), name="next_beam_finished")
    added = v1.cast(v1.logical_not(was_finished), tf.int64)
    new_lengths = gathered(parents, beam_state.lengths, batch_size, beam_width, [-1])
    new_lengths += added
    next_attended: Any = ()
    if attended is not None:
        rows = [batch_size * beam_width, -1]
        name = "next_accumulated_attention_probs"
        next_attended = gathered(parents, attended, batch_size, beam_width, rows, name=name)
    cell_state = nest.map_structure(
        lambda tensor: maybe_gathered(parents, tensor, batch_size, beam_width, [batch_size * beam_width, -1]),
        next_cell_state,
    )
    state = BeamSearchDecoderState(
        cell_state=cell_state,
        log_probs=probs,
        lengths=new_lengths,
        finished=finished,
        accumulated_attention_probs=next_attended,
    )
    return BeamSearchDecoderOutput(scores=best, predicted_ids=words, parent_ids=parents), state


def _lengths(
    state: BeamSearchDecoderState, open_beams: Any, batch_size: Any, beam_width: int, end_token: Any, symbols: Any
) -> Any:
    """Returns the length of each beam with each next symbol, [batch, beam, symbols]. The end token does not count."""
    added = v1.one_hot(
        indices=v1.fill([batch_size, beam_width], end_token),
        depth=symbols,
        on_value=v1.to_int64(0),
        off_value=v1.to_int64(1),
        dtype=tf.int64,
    )
    added *= v1.expand_dims(v1.cast(open_beams, tf.int64), 2)
    return added + v1.expand_dims(state.lengths, 2)
