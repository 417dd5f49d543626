"""The best tag sequence, by Viterbi's algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.crf.crf.cells import CrfDecodeBackwardRnnCell, CrfDecodeForwardRnnCell
from tf2bridge.contrib.crf.crf.scoring import by_length, one_less

v1 = tf.compat.v1


def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[Any], Any]:
    """Returns (tags, their score) for arrays: `score` [time, tags] and `transition_params` [tags, tags]."""
    best = np.zeros_like(score)
    came_from = np.zeros_like(score, dtype=np.int32)
    best[0] = score[0]
    for step in range(1, score.shape[0]):
        reached = np.expand_dims(best[step - 1], 1) + transition_params
        best[step] = score[step] + np.max(reached, 0)
        came_from[step] = np.argmax(reached, 0)
    tags = [np.argmax(best[-1])]
    for step in range(score.shape[0] - 1, 0, -1):
        tags.append(came_from[step][tags[-1]])
    return tags[::-1], np.max(best[-1])


def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[Any, Any]:
    """Returns (tags [batch, time] int32, their scores [batch]) for `potentials` [batch, time, tags].

    Past the end of a sequence its tags mean nothing.
    """

    def single() -> tuple[Any, Any]:
        only = v1.squeeze(potentials, [1])
        tags = v1.expand_dims(v1.argmax(only, axis=1), 1)
        best = v1.reduce_max(only, axis=1)
        return v1.cast(tags, dtype=tf.int32), best

    return tuple(by_length(potentials, single, lambda: _viterbi(potentials, transition_params, sequence_length)))


def _viterbi(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[Any, Any]:
    forward = CrfDecodeForwardRnnCell(transition_params)
    first = v1.squeeze(v1.slice(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
    rest = v1.slice(potentials, [0, 1, 0], [-1, -1, -1])
    lengths = one_less(sequence_length)
    came_from, last = v1.nn.dynamic_rnn(
        forward, inputs=rest, sequence_length=lengths, initial_state=first, time_major=False, dtype=tf.int32
    )
    came_from = v1.reverse_sequence(came_from, lengths, seq_axis=1)
    backward = CrfDecodeBackwardRnnCell(tf.compat.dimension_value(potentials.shape[2]))
    end = v1.expand_dims(v1.cast(v1.argmax(last, axis=1), dtype=tf.int32), axis=-1)
    tags, _ = v1.nn.dynamic_rnn(
        backward, inputs=came_from, sequence_length=lengths, initial_state=end, time_major=False, dtype=tf.int32
    )
    tags = v1.concat([end, v1.squeeze(tags, axis=[2])], axis=1)
    return v1.reverse_sequence(tags, sequence_length, seq_axis=1), v1.reduce_max(last, axis=1)
