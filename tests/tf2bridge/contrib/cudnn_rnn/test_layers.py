"""The layers of contrib.cudnn_rnn compute what their cells compute, and exchange checkpoints with them.

Genuine TensorFlow runs these layers on GPUs only; its cells, recorded in fixtures/conformance/1.15.5/cudnn_rnn.json,
run anywhere, and its documentation promises that a checkpoint of either restores into the other
(tensorflow/contrib/cudnn_rnn/python/layers/cudnn_rnn.py, "Cudnn compatible RNN").
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf2bridge import v1 as tf

TIME, BATCH, SIZE, UNITS, LAYERS = 4, 3, 5, 2, 2
INPUTS = np.sin(np.arange(TIME * BATCH * SIZE, dtype=np.float32)).reshape(TIME, BATCH, SIZE)
LENGTHS = [4, 2, 1]


def layer_and_cell(kind: str) -> tuple[Any, Any]:
    contrib, cells = tf.contrib.cudnn_rnn, tf.nn.rnn_cell
    relu = lambda units: cells.BasicRNNCell(units, tf.nn.relu)  # noqa: E731  # beside the cells that are classes
    return {
        "lstm": (contrib.CudnnLSTM, contrib.CudnnCompatibleLSTMCell),
        "gru": (contrib.CudnnGRU, contrib.CudnnCompatibleGRUCell),
        "tanh": (contrib.CudnnRNNTanh, cells.BasicRNNCell),
        "relu": (contrib.CudnnRNNRelu, relu),
    }[kind]


def by_layer(kind: str, direction: str, lengths: list[int] | None) -> Any:
    make, _ = layer_and_cell(kind)
    layer = make(LAYERS, UNITS, direction=direction, kernel_initializer=tf.random_uniform_initializer(-1, 1, seed=3))
    with tf.variable_scope("net"):
        layer.build([TIME, BATCH, SIZE])
    outputs, state = layer(tf.constant(INPUTS), sequence_lengths=lengths)
    return outputs, state[0][-1]


def by_cells(kind: str, direction: str, lengths: list[int] | None) -> Any:
    _, make = layer_and_cell(kind)
    with tf.variable_scope("net/cudnn_" + {"lstm": "lstm", "gru": "gru"}.get(kind, f"rnn_{kind}")):
        if direction == "unidirectional":
            cell = tf.nn.rnn_cell.MultiRNNCell([make(UNITS) for _ in range(LAYERS)])
            outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(INPUTS), lengths, dtype=tf.float32, time_major=True)
            last = state[-1]
        else:
            stack = [make(UNITS) for _ in range(LAYERS)], [make(UNITS) for _ in range(LAYERS)]
            outputs, _, back = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
                *stack, tf.constant(INPUTS), dtype=tf.float32, sequence_length=lengths, time_major=True
            )
            last = back[-1]
    return outputs, last[-1] if isinstance(last, tuple) else last


@pytest.mark.parametrize(
    ("kind", "direction", "lengths"),
    [
        ("lstm", "unidirectional", None),
        ("lstm", "bidirectional", LENGTHS),
        ("gru", "unidirectional", LENGTHS),
        ("gru", "bidirectional", None),
        ("tanh", "bidirectional", LENGTHS),
        ("relu", "unidirectional", None),
    ],
)
def test_a_checkpoint_of_the_layer_restores_into_cells(
    kind: str, direction: str, lengths: list[int] | None, tmp_path: Path
) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        fetches = by_layer(kind, direction, lengths)
        session.run(tf.global_variables_initializer())
        expected = session.run(fetches)
        path = tf.train.Saver().save(session, str(tmp_path / "layer"))
    with tf.Graph().as_default(), tf.Session() as session:
        fetches = by_cells(kind, direction, lengths)
        tf.train.Saver().restore(session, path)
        values = session.run(fetches)
    for one, two in zip(values, expected, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-6)


def test_a_checkpoint_of_cells_restores_into_the_layer(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        fetches = by_cells("lstm", "bidirectional", LENGTHS)
        session.run(tf.global_variables_initializer())
        expected = session.run(fetches)
        path = tf.train.Saver().save(session, str(tmp_path / "cells"))
    with tf.Graph().as_default(), tf.Session() as session:
        fetches = by_layer("lstm", "bidirectional", LENGTHS)
        tf.train.Saver(tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)).restore(session, path)
        values = session.run(fetches)
    for one, two in zip(values, expected, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-6)


def test_batch_first_and_a_state_to_begin_with() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        layer = tf.contrib.cudnn_rnn.CudnnGRU(LAYERS, UNITS)
        begin = tf.ones([LAYERS, BATCH, UNITS])
        one, (state,) = layer(tf.constant(INPUTS), initial_state=(begin,))
        two, _ = layer(tf.constant(INPUTS.transpose(1, 0, 2)), initial_state=(begin,), time_major=False)
        session.run(tf.global_variables_initializer())
        one, two, state = session.run([one, two, state])
    np.testing.assert_allclose(one, two.transpose(1, 0, 2), atol=1e-6)
    np.testing.assert_allclose(state[-1], one[-1])


def test_of_float64_and_of_unknown_sizes() -> None:
    def start(shape: Any, dtype: Any) -> Any:
        return tf.constant(np.sin(np.arange(np.prod(shape))).reshape(shape), dtype)

    with tf.Graph().as_default(), tf.Session() as session:
        inputs = tf.placeholder(tf.float32, [None, None, SIZE])
        state = (tf.placeholder_with_default(tf.ones([1, BATCH, UNITS]), None),) * 2
        one, _ = tf.contrib.cudnn_rnn.CudnnLSTM(1, UNITS, kernel_initializer=start)(inputs, initial_state=state)
        wide = tuple(tf.cast(item, tf.float64) for item in state)
        layer = tf.contrib.cudnn_rnn.CudnnLSTM(1, UNITS, dtype=tf.float64, kernel_initializer=start)
        two, _ = layer(tf.cast(inputs, tf.float64), initial_state=wide)
        session.run(tf.global_variables_initializer())
        one, two = session.run([one, two], {inputs: INPUTS})
    np.testing.assert_allclose(one, two, atol=1e-6)


def test_training_reaches_every_weight() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        layer = tf.contrib.cudnn_rnn.CudnnLSTM(LAYERS, UNITS, direction="bidirectional", dropout=0.3)
        outputs, _ = layer(tf.constant(INPUTS), training=True)
        loss = tf.reduce_sum(outputs * outputs)
        (slope,) = tf.gradients(loss, layer.trainable_variables)
        step = tf.train.AdamOptimizer().minimize(loss)
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert np.count_nonzero(session.run(slope)) > 0.5 * session.run(tf.size(layer.kernel))


def test_what_is_not_supplied_says_so() -> None:
    with tf.Graph().as_default():
        with pytest.raises(NotImplementedError, match="linear_input"):
            tf.contrib.cudnn_rnn.CudnnLSTM(1, 2, input_mode="skip_input")
        with pytest.raises(NotImplementedError, match="projection"):
            tf.contrib.cudnn_rnn.CudnnParamsFormatConverterLSTM(1, 2, 3, num_proj=2)
