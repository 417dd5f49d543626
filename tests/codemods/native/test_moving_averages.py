"""Averages of variables, and assignments whose order the source settles. `averaged.py` is recorded and proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.native.moving_averages import with_averages
from codemods.native.programs import check_native
from codemods.native.refusals import NotNativeError
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import HEAD, native, numbers, run

NET = HEAD + (
    "x = tf.placeholder(tf.float32, [None, 2])\n"
    "w = tf.Variable([[1.0], [2.0]], name='w')\n"
    "b = tf.get_variable('b', [1], initializer=tf.zeros_initializer())\n"
    "step = tf.Variable(0, trainable=False)\n"
    "loss = tf.reduce_mean(tf.matmul(x, w) + b)\n"
    "train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, global_step=step)\n"
    "ema = tf.train.ExponentialMovingAverage(0.9)\n"
)
WAITING = "with tf.control_dependencies([train]):\n    train_op = ema.apply({})\n"
RUN = (
    "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    "    print(sess.run([train_op, loss], {{x: [[1.0, 1.0]]}})[1])\n"
    "    print(sess.run([{}]))\n"
)


def test_averages_move_after_the_step() -> None:
    text = NET + WAITING.format("tf.trainable_variables()") + RUN.format("ema.average(w), ema.average(b)")
    made = native(text).text
    # w: 1.0 - 0.5 = 0.5, and its average 1.0 + 0.1 * (0.5 - 1.0)
    printed = run(made).replace("float32", "")
    assert numbers(printed) == pytest.approx([3.0, 0.95, 1.95, -0.05])
    assert "w_average = tf.Variable(w.read_value(), trainable=False," in made


def test_listed_variables_alone_have_averages() -> None:
    text = NET.replace("0.9)", "decay=0.9, num_updates=step, name='avg')") + WAITING.format("[w]")
    text += RUN.format("ema.average(w)") + "print(ema.average_name(w), ema.average_name(b))\n"
    made = native(text).text
    # the decay of the first step is (1 + 1) / (10 + 1)
    printed = run(made).replace("float32", "")
    assert numbers(printed) == pytest.approx([3.0, 1.0 - 0.5 * 9 / 11, 2.0 - 0.5 * 9 / 11])
    assert printed.endswith("w/avg b/avg\n")
    assert "b_average" not in made


def test_an_open_order_is_noted(tmp_path: Path) -> None:
    text = NET + (
        "averages_op = ema.apply()\n"
        "with tf.control_dependencies([train, averages_op]):\n    train_op = tf.no_op(name='train')\n"
    )
    (tmp_path / "train.py").write_text(text + RUN.format("w"), "utf-8")
    (result,) = check_native(tmp_path, Settings()).results
    notes = [finding.message for finding in result.findings if finding.code == "NAT010"]
    assert notes == [
        "TensorFlow 1 left open whether b_average, w_average changes before or after the step; here it is after it"
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ema.apply([w])", "ema.apply([loss])"),
        ("ema.apply([w])", "ema.apply([w, w])"),
        ("ema.apply([w])", "ema.apply(tf.trainable_variables('b'))"),
        ("ema.apply([w])", "ema.apply(chosen)"),
        ("Average(0.9)", "Average(0.9, zero_debias=True)"),
        ("Average(0.9)", "Average(tf.constant(0.9))"),
        ("ema = ", "ema = other = "),
        ("b = ", "b = tf.layers.dense(x, 1)\nb = "),
        ("ema.average(w)", "ema.average(b)"),
        ("ema.average(w)", "ema.average(w), ema"),
        ("trainable=False", "trainable=trains"),
    ],
)
def test_averages_that_the_source_does_not_say_stay(old: str, new: str) -> None:
    text = NET + WAITING.format("[w]") + RUN.format("ema.average(w)")
    assert with_averages(text) is not None
    assert old in text
    assert with_averages(text.replace(old, new)) is None
    with pytest.raises(NotNativeError):
        native(text.replace(old, new))


def test_a_value_that_reads_what_is_assigned_is_refused() -> None:
    text = NET + WAITING.format("[w]") + "shown = ema.average(w) * 2.0\n" + RUN.format("w")
    with pytest.raises(NotNativeError, match="left the order of this assignment open"):
        native(text.replace("[train_op, loss]", "[train_op, shown]"))
