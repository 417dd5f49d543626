"""One step of the beam search of TensorFlow 1.4, and the complete beams at the end.

The first step continues only the first beam. The length of a beam does not count the end token. After the end of a beam
all symbols are -1. There is no coverage penalty.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.beams import early_gather_tree
from tf2bridge.behaviour.seeds import counter
from tf2bridge.contrib.seq2seq.beam_search_decoder import step
from tf2bridge.contrib.seq2seq.beam_search_decoder.beams import gathered, maybe_gathered
from tf2bridge.contrib.seq2seq.beam_search_decoder.scores import length_penalty

v1 = tf.compat.v1
nest = tf.nest


def early_step(
    time: Any, logits: Any, next_cell_state: Any, beam_state: Any, batch_size: Any, beam_width: int, end_token: Any,
    length_penalty_weight: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """Returns (output, next state): the `beam_width` best continuations, by `logits` [batch, beam, symbols]."""
    log_probs = _masked(v1.nn.log_softmax(logits), end_token, beam_state.finished)
    totals = v1.expand_dims(beam_state.log_probs, 2) + log_probs
    symbols = tf.compat.dimension_value(logits.shape[-1]) or v1.shape(logits)[-1]
    lengths = _lengths(beam_state, batch_size, beam_width, end_token, symbols)
    scores = totals / length_penalty(sequence_lengths=lengths, penalty_factor=length_penalty_weight)
    best, places = _best(scores, v1.convert_to_tensor(time, name="time"), batch_size, beam_width)
    probs = gathered(places, totals, batch_size, beam_width * symbols, [-1], name="next_beam_probs")
    words = v1.to_int32(v1.mod(places, symbols, name="next_beam_word_ids"))
    parents = v1.to_int32(places / symbols, name="next_beam_parent_ids")
    was_finished = gathered(parents, beam_state.finished, batch_size, beam_width, [-1])
    finished = v1.logical_or(was_finished, v1.equal(words, end_token), name="next_beam_finished")
    added = v1.to_int64(v1.not_equal(words, end_token))
    added = (1 - v1.to_int64(finished)) * added
    new_lengths = gathered(parents, beam_state.lengths, batch_size, beam_width, [-1])
    new_lengths += added
    cell_state = nest.map_structure(
        lambda value: maybe_gathered(parents, value, batch_size, beam_width, [batch_size * beam_width, -1]),
        next_cell_state,
    )
    state = step.BeamSearchDecoderState(
        cell_state=cell_state, log_probs=probs, finished=finished, lengths=new_lengths, accumulated_attention_probs=()
    )
    return step.BeamSearchDecoderOutput(scores=best, predicted_ids=words, parent_ids=parents), state


def _masked(probs: Any, end_token: Any, finished: Any) -> Any:
    """Returns log-probabilities [batch, beam, symbols] in which a finished beam always continues with the end token."""
    symbols = v1.shape(probs)[2]
    unfinished = v1.expand_dims(v1.to_float(1.0 - v1.to_float(finished)), 2)
    kept = unfinished * probs
    row = v1.one_hot(end_token, symbols, dtype=probs.dtype, on_value=0.0, off_value=probs.dtype.min)
    certain = (1.0 - unfinished) * row
    return certain + kept


def _lengths(state: Any, batch_size: Any, beam_width: int, end_token: Any, symbols: Any) -> Any:
    """Returns the length of each beam with each next symbol, [batch, beam, symbols]."""
    added = v1.one_hot(
        indices=v1.tile(v1.reshape(end_token, [1, 1]), [batch_size, beam_width]),
        depth=symbols,
        on_value=v1.constant(0, dtype=tf.int64),
        off_value=v1.constant(1, dtype=tf.int64),
        dtype=tf.int64,
    )
    unfinished = 1 - v1.to_int64(state.finished)
    return v1.expand_dims(unfinished, 2) * added + v1.expand_dims(state.lengths, 2)


def _best(scores: Any, time: Any, batch_size: Any, beam_width: int) -> tuple[Any, Any]:
    """Returns the best scores and their positions, both [batch, beam]."""
    shape = v1.shape(scores)
    flat = v1.cond(time > 0, lambda: v1.reshape(scores, [batch_size, -1]), lambda: scores[:, 0])
    available = v1.cond(time > 0, lambda: v1.reduce_prod(shape[1:]), lambda: v1.reduce_prod(shape[2:]))
    width = v1.minimum(v1.convert_to_tensor(beam_width, dtype=tf.int32, name="beam_width"), available)
    best, places = v1.nn.top_k(flat, k=width)
    for tensor in (best, places):
        tensor.set_shape([tf.get_static_value(batch_size), beam_width])
    return best, places


def early_tree(step_ids: Any, parent_ids: Any, sequence_length: Any) -> Any:
    """Returns complete beams, int32 [time, batch, beam]. Each beam ends at its `sequence_length` [batch, beam]."""
    with v1.name_scope(None, "GatherTree", [step_ids, parent_ids, sequence_length]):
        with counter.uncounted(v1.get_default_graph()):  # 1.x had a single operation: only the last one counts
            tree = early_gather_tree(step_ids, parent_ids, sequence_length)
        return v1.identity(tree)
