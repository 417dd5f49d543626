"""Eager execution switched on at the entry of a program of 1.x."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked

EAGER = """
from tf2bridge import v1 as tf
tf.enable()
tf.contrib.eager.enable_eager_execution()
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x
assert tape.gradient(y, x).numpy() == 4.0
assert tf.zeros([2, 3]).shape[1].value == 3
print([int(i) for i in tf.contrib.eager.Iterator(tf.data.Dataset.range(3))])
"""
LATE = """
from tf2bridge import v1 as tf
tf.enable()
tf.constant(1.0)
tf.contrib.eager.enable_eager_execution()
"""


def ran(program: str) -> subprocess.CompletedProcess[str]:
    return forked.run(program)


def test_a_program_executes_eagerly() -> None:
    done = ran(EAGER)
    assert (done.returncode, done.stdout) == (0, "[0, 1, 2]\n"), done.stderr


def test_it_is_too_late_after_the_first_op() -> None:
    assert "ValueError: tf.enable_eager_execution must be called at program startup" in ran(LATE).stderr


def test_an_iterator_in_a_graph_says_what_to_use() -> None:
    from tf2bridge import v1 as tf

    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="make_one_shot_iterator"):
        tf.contrib.eager.Iterator(tf.data.Dataset.range(3))
