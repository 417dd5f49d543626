"""Shapes of programs with sessions that became native later; each is one that public programs have."""

from __future__ import annotations

import inspect

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import HEAD, MODEL, native, run


def test_the_cells_of_a_multi_layer_cell_may_have_names() -> None:
    text = HEAD + inspect.cleandoc("""
        x = tf.placeholder(tf.float32, [2, 3, 4])
        below = tf.nn.rnn_cell.GRUCell(5)
        above = tf.nn.rnn_cell.GRUCell(2)
        cells = tf.nn.rnn_cell.MultiRNNCell([below, above])
        outputs, _ = tf.nn.dynamic_rnn(cells, x, dtype=tf.float32)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(outputs, {x: np.ones([2, 3, 4])}).shape)
    """)
    assert run(native(text).text) == "(2, 3, 2)\n"


def test_a_session_stays_a_parameter_where_its_name_is_another() -> None:
    text = HEAD + MODEL + "def show(session, rows):\n    print(session.run(y, {x: rows}))\nshow(sess, data)\n"
    with pytest.raises(NotNativeError):
        native(text)
