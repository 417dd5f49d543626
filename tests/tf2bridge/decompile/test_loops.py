"""Loops as source: their variables have names, and their lists are arrays of TensorFlow's public kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.test_rules import built
from tests.tf2bridge.decompile.trained import check_step
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.training.step import Step


def test_a_loop_over_a_cell() -> None:
    code = (
        "cell = tf.nn.rnn_cell.GRUCell(4, activation=tf.nn.relu)\n"
        "y = tf.nn.dynamic_rnn(cell, images[:, 0], dtype=tf.float32)[0]"
    )
    source = text_of(built(code), "about").source
    assert "def rnn_condition(step, *_):\n            return step < 8" in source
    assert "def rnn_body(step, items, gru_cell):" in source
    assert "tf.TensorArray(tf.float32, 8).unstack(transpose)" in source
    assert "items.write(step, " in source
    assert "raw_ops" not in source


def counted(second_start: int, second_step: int) -> Any:
    """Returns the module of a loop with two counters, one of which begins at 0 and grows by 1."""

    def build(x: Any) -> Any:
        tf1 = tf2bridge.v1
        return tf1.while_loop(
            lambda i, j, _y: tf1.logical_and(i < 3, j < 30),
            lambda i, j, y: (i + 1, j + second_step, y * tf1.cast(i + j, tf.float32)),
            [tf1.constant(0), tf1.constant(second_start), x],
        )

    return tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([2])})


@pytest.mark.parametrize(("start", "step", "variables"), [(0, 1, 2), (1, 1, 3), (0, 2, 3)])
def test_counters_that_are_equal_are_one(
    start: int, step: int, variables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = counted(start, step)
    text = text_of(module, "about")
    body = next(line for line in text.source.splitlines() if "_body(" in line and "def " in line)
    assert body.count(",") == variables - 1
    check_equal(text, module, {}, tmp_path / f"counted_{start}_{step}", monkeypatch)


def test_a_step_computes_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "def body(step, x):\n"
        "    rows = [x + tf.expand_dims(x[:, 0] * 3.0, 1) for _ in range(2)]\n"
        "    drawn = [tf.random.uniform([]) for _ in range(2)]\n"
        "    return step + 1, tf.tanh(rows[0]) - tf.sin(rows[1]) + 0.0 * drawn[0] - 0.0 * drawn[1]\n"
        "y = tf.while_loop(lambda step, x: step < 3, body, [0, tf.ones([2, 2])])[1] + tf.reduce_sum(rows)"
    )
    module = built(code)
    text = text_of(module, "about")
    assert text.source.count("tf.expand_dims(") == 1
    assert text.source.count("tf.random.uniform(") == 2
    check_equal(text, module, {}, tmp_path / "repeated", monkeypatch)


def test_what_only_gradients_need_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TensorFlow 2 keeps each value of a loop for its gradient, which the written step takes itself."""

    def build(x: Any) -> Any:
        tf1 = tf2bridge.v1
        weights = tf1.get_variable("weights", [2, 2])
        y = tf1.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, tf1.tanh(tf1.matmul(y, weights))), [0, x])[1]
        z = tf1.cond(tf1.reduce_sum(x) > 0, lambda: tf1.tanh(y), lambda: 2.0 * y)
        loss = tf1.reduce_sum(z, name="loss")
        tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        return z

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None, 2])})
    step = Step.of(module, None)
    source = text_of(step.parts.forward, "about").source
    assert "_body(step, tanh):" in source and "TensorList" not in source, source
    check_step(module, {"x": np.ones([3, 2], np.float32)}, tmp_path / "looped_step", monkeypatch)


def test_what_a_cell_drops_is_dropped_once_for_all_that_take_it() -> None:
    code = (
        "keep = tf.exp(0.0 * tf.reduce_sum(rows))\n"
        "first, second = (tf.nn.rnn_cell.GRUCell(3) for _ in range(2))\n"
        "first = tf.nn.rnn_cell.DropoutWrapper(first, output_keep_prob=keep)\n"
        "cell = tf.nn.rnn_cell.MultiRNNCell([first, tf.nn.rnn_cell.ResidualWrapper(second)])\n"
        "y = tf.nn.dynamic_rnn(cell, images[:, 0], dtype=tf.float32)[0]"
    )
    text = text_of(built(code), "about")
    assert text.source.count("keras.layers.GRU(") == 2
    assert text.calls.of_tensorflow["dropout"] == 1  # the second cell and the sum after it take the same numbers


def test_a_factor_of_unknown_rank_is_a_matrix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an array gives has no shape, and the product of what has no shape has none for `tf.matmul`."""

    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        weights = tf1.get_variable("weights", [3, 4])
        array = tf1.TensorArray(tf.float32, 6, infer_shape=False).unstack(rows)
        unknown = tf1.placeholder_with_default(tf1.zeros([2, 3]), None)

        def step(number: Any, item: Any, state: Any) -> Any:
            product = tf.raw_ops.MatMul(a=item, b=weights) + tf.raw_ops.MatMul(a=2.0 * item, b=weights)
            return number + 1, array.read(number), tf1.tanh(product + state)

        shapes = [tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape([2, 4])]
        start = [tf1.constant(0), unknown, tf1.zeros([2, 4])]
        return tf1.while_loop(lambda number, *_: number < 6, step, start, shapes)[2]

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([6, 2, 3])})
    text = text_of(module, "about", level="functions")
    assert "tf.ensure_shape(" in text.source
    check_equal(text, module, {}, tmp_path / "ensured", monkeypatch)
