"""Decoders within `tf2bridge.wrap`: v2 behaviour is on, and the graph is a function's."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

import tf2bridge
from tf2bridge import v1


def greedy(states: tf.Tensor) -> tf.Tensor:
    """Symbols [batch, 4] that a decoder with known weights chooses."""
    seq2seq = v1.contrib.seq2seq
    cell = v1.nn.rnn_cell.BasicRNNCell(3)
    helper = seq2seq.GreedyEmbeddingHelper(lambda ids: tf.one_hot(ids, 3), tf.zeros_like(states[:, 0], tf.int32), 9)
    decoder = seq2seq.BasicDecoder(cell, helper, states)
    with tf.compat.v1.variable_scope("all", initializer=tf.compat.v1.constant_initializer(np.eye(6, 3))):
        outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=4)
    return outputs.sample_id


def test_a_decoder_runs_as_a_function() -> None:
    wrapped = tf2bridge.wrap(greedy, inputs={"states": tf.TensorSpec([None, 3])})
    outputs = wrapped(tf.zeros([2, 3]))
    # The weights pass each input through, so the first symbol, 0, is chosen for ever.
    np.testing.assert_array_equal(np.asarray(outputs), np.zeros([2, 4]))
    assert [variable.name for variable in wrapped.variables] == [
        "all/decoder/basic_rnn_cell/kernel:0",
        "all/decoder/basic_rnn_cell/bias:0",
    ]
