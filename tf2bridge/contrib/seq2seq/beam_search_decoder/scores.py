"""Scores of a beam search: penalties by length and coverage (arXiv 1609.08144, section 7)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.attention_wrapper.wrapper import AttentionWrapperState

v1 = tf.compat.v1


def get_scores(
    log_probs: Any,
    sequence_lengths: Any,
    length_penalty_weight: Any,
    coverage_penalty_weight: Any,
    finished: Any,
    accumulated_attention_probs: Any,
) -> Any:
    """Returns `log_probs` [batch, beam, symbols] divided by the length penalty, plus the weighted coverage penalty.

    Raises:
        ValueError: the coverage weight is not a scalar, or the cell has no attention.
    """
    penalty = length_penalty(sequence_lengths=sequence_lengths, penalty_factor=length_penalty_weight)
    scores = log_probs / v1.cast(penalty, dtype=log_probs.dtype)
    weight = tf.convert_to_tensor(coverage_penalty_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError(f"coverage_penalty_weight must be a scalar, not of shape {weight.shape}")
    if tf.get_static_value(weight) == 0.0:
        return scores
    if accumulated_attention_probs is None:
        raise ValueError("a coverage penalty needs accumulated_attention_probs")
    attended = v1.where(
        v1.equal(accumulated_attention_probs, 0.0),
        v1.ones_like(accumulated_attention_probs),
        accumulated_attention_probs,
    )
    coverage = v1.reduce_sum(v1.log(v1.minimum(attended, 1.0)), 2)
    coverage *= v1.cast(finished, tf.float32)
    return scores + v1.expand_dims(coverage * weight, 2)


def length_penalty(sequence_lengths: Any, penalty_factor: Any) -> Any:
    """Returns ((5 + length) / 6) ** factor. If the factor is 0, returns 1."""
    factor = tf.convert_to_tensor(penalty_factor, name="penalty_factor")
    factor.set_shape(())
    static = tf.get_static_value(factor)
    if static is not None and static == 0:
        return 1.0
    return v1.div((5.0 + v1.cast(sequence_lengths, tf.float32)) ** factor, (5.0 + 1.0) ** factor)


def mask_probs(probs: Any, eos_token: Any, finished: Any) -> Any:
    """Returns log-probabilities [batch, beam, symbols] in which a finished beam always continues with the end token."""
    finished = v1.cast(finished, tf.bool)  # 1.4 also accepted numbers
    symbols = v1.shape(probs)[2]
    certain = tf.convert_to_tensor(0.0, dtype=probs.dtype)
    row = v1.one_hot(eos_token, symbols, dtype=probs.dtype, on_value=certain, off_value=probs.dtype.min)
    rows = v1.tile(v1.reshape(row, [1, 1, -1]), v1.concat([v1.shape(finished), [1]], 0))
    return v1.where(v1.tile(v1.expand_dims(finished, 2), [1, 1, symbols]), rows, probs)


def get_attention_probs(next_cell_state: Any, coverage_penalty_weight: float) -> Any:
    """Returns the mean alignments of all attention wrappers in the state, or None without a coverage penalty.

    Raises:
        ValueError: the state contains no state of an attention wrapper.
    """
    if coverage_penalty_weight == 0.0:
        return None
    states = [next_cell_state] if isinstance(next_cell_state, AttentionWrapperState) else next_cell_state
    states = states if isinstance(states, (tuple, list)) else ()
    alignments = [attention_probs(state) for state in states if isinstance(state, AttentionWrapperState)]
    if not alignments:
        raise ValueError("coverage_penalty_weight must be 0.0 where no cell has attention")
    return alignments[0] if len(alignments) == 1 else _mean(alignments)


def attention_probs(attention_state: Any) -> Any:
    """Returns the alignments of a state. Several mechanisms give the mean of their alignments."""
    alignments = attention_state.alignments
    return _mean(alignments) if isinstance(alignments, tuple) else alignments


def _mean(parts: Any) -> Any:
    return v1.reduce_mean(v1.concat([v1.expand_dims(part, -1) for part in parts], -1), -1)
