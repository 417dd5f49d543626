"""Scores and likelihoods of tag sequences (Lafferty, McCallum, Pereira: Conditional Random Fields, ICML 2001).

Up to 1.4 sequences of one step were no special case, nor were those without steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.contrib.crf.crf.cells import CrfForwardRnnCell

v1 = tf.compat.v1


def by_length(inputs: Any, single: Callable[[], Any], several: Callable[[], Any]) -> Any:
    """Returns `single()` for sequences of one step, else `several()`; decided in the session if it is not known."""
    if before(1, 5):
        return several()
    steps = tf.compat.dimension_value(inputs.shape[1]) or v1.shape(inputs)[1]
    is_single = v1.equal(steps, 1)
    known = tf.get_static_value(is_single)
    if known is None:
        return v1.cond(is_single, true_fn=single, false_fn=several)
    return single() if known else several()


def without_empty(scores: Any, sequence_lengths: Any) -> Any:
    """Returns `scores` [batch], 0 for sequences without steps."""
    if before(1, 5):
        return scores
    return v1.where(v1.less_equal(sequence_lengths, 0), v1.zeros_like(scores), scores)


def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Returns the unnormalised scores [batch] of `tag_indices` [batch, time] by potentials [batch, time, tags]."""

    def single() -> Any:
        batch = v1.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = v1.reshape(v1.range(batch, dtype=tag_indices.dtype), [-1, 1])
        scores = v1.gather_nd(v1.squeeze(inputs, [1]), v1.concat([rows, tag_indices], axis=1))
        return without_empty(scores, sequence_lengths)

    def several() -> Any:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        return unary + crf_binary_score(tag_indices, sequence_lengths, transition_params)

    return by_length(inputs, single, several)


def crf_multitag_sequence_score(inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Returns the log of the summed scores [batch] of all sequences that `tag_bitmap` [batch, time, tags] allows."""

    def allowed() -> Any:
        return v1.where(tag_bitmap, inputs, v1.fill(v1.shape(inputs), float("-inf")))

    return by_length(
        inputs,
        lambda: v1.reduce_logsumexp(allowed(), axis=[1, 2], keepdims=False),
        lambda: crf_log_norm(inputs=allowed(), sequence_lengths=sequence_lengths, transition_params=transition_params),
    )


def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Returns the log of the summed scores [batch] of all tag sequences, by the forward algorithm."""
    first = v1.squeeze(v1.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])

    def single() -> Any:
        return without_empty(v1.reduce_logsumexp(first, [1]), sequence_lengths)

    def several() -> Any:
        rest = v1.slice(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = v1.nn.dynamic_rnn(
            cell=cell,
            inputs=rest,
            sequence_length=one_less(sequence_lengths),
            initial_state=first,
            dtype=tf.float32,
        )
        return without_empty(v1.reduce_logsumexp(alphas, [1]), sequence_lengths)

    return by_length(inputs, single, several)


def one_less(sequence_lengths: Any) -> Any:
    """Returns the lengths less one, at least 0."""
    if before(1, 5):
        return sequence_lengths - 1
    return v1.maximum(tf.constant(0, dtype=sequence_lengths.dtype), sequence_lengths - 1)


def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[Any, Any]:
    """Returns (log-likelihood [batch] of `tag_indices`, transition scores [tags, tags]).

    The transitions are the variable "transitions" unless given.
    """
    tags = tf.compat.dimension_value(inputs.shape[2])
    if transition_params is None:
        transition_params = v1.get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def _mask(lengths: Any, longest: Any) -> Any:
    """Returns 1.0 for each step of a sequence and 0.0 after its end, [batch, longest]."""
    if not before(1, 5):
        return v1.sequence_mask(lengths, maxlen=longest, dtype=tf.float32)
    steps = v1.tile(v1.expand_dims(v1.range(longest), 0), [v1.shape(lengths)[0], 1])
    return v1.to_float(v1.to_int64(steps) < v1.to_int64(v1.expand_dims(lengths, 1)))


def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Any:
    """Returns the summed potentials [batch] of `tag_indices` [batch, time]."""
    batch = v1.shape(inputs)[0]
    steps = v1.shape(inputs)[1]
    tags = v1.shape(inputs)[2]
    flat = v1.reshape(inputs, [-1])
    offsets = v1.expand_dims(v1.range(batch) * steps * tags, 1)
    offsets += v1.expand_dims(v1.range(steps) * tags, 0)
    if tag_indices.dtype == tf.int64:
        offsets = v1.cast(offsets, tf.int64)
    places = v1.reshape(offsets + tag_indices, [-1])
    scores = v1.reshape(v1.gather(flat, places), [batch, steps])
    mask = _mask(sequence_lengths, v1.shape(tag_indices)[1])
    return v1.reduce_sum(scores * mask, 1)


def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Any:
    """Returns the summed transition scores [batch] of `tag_indices` [batch, time]."""
    tags = transition_params.get_shape()[0]
    transitions = v1.shape(tag_indices)[1] - 1
    starts = v1.slice(tag_indices, [0, 0], [-1, transitions])
    ends = v1.slice(tag_indices, [0, 1], [-1, transitions])
    places = starts * tags + ends
    scores = v1.gather(v1.reshape(transition_params, [-1]), places)
    mask = _mask(sequence_lengths, v1.shape(tag_indices)[1])
    return v1.reduce_sum(scores * v1.slice(mask, [0, 1], [-1, -1]), 1)
