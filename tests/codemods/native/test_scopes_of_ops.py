"""Scopes that only begin names of operations and of tf.Variable are scopes of operations."""

from __future__ import annotations

import pytest

from codemods.native.scopes_of_ops import with_scopes_of_ops
from tests.codemods.native.test_rewriting import HEAD, native, numbers, run

TEXT = HEAD + (
    "name = 'hop_{}'.format(2)\n"
    "def twice(t, name=None):\n"
    "    with tf.op_scope([t], name, 'twice'):\n"
    "        return t * 2.0\n"
    "x = tf.placeholder(tf.float32, [None, 2])\n"
    "with tf.variable_scope(name):\n"
    "    c = tf.Variable([[1.0], [2.0]], name='c')\n"
    "y = twice(tf.matmul(x, c))\n"
    "with tf.Session() as sess:\n"
    "    sess.run(tf.global_variables_initializer())\n"
    "    print(sess.run(y, {x: [[1.0, 3.0]]}), c.name)\n"
)


def test_a_computed_scope_begins_the_name_of_a_variable() -> None:
    made = native(TEXT).text
    assert "with tf.name_scope(name or 'twice'):" in made
    printed = run(made)
    assert "hop_2/c:0" in printed  # as 1.15.5 prints it
    assert numbers(printed.split("hop")[0]) == [14.0]


@pytest.mark.parametrize(
    "inside",
    [
        "    c = tf.get_variable('c', [2])\n",
        "    c = tf.Variable(1.0)\n    d = tf.layers.dense(x, 3)\n",
        "    c = tf.Variable(1.0)\n    d = made(x)\n",
        "    c = x * 2.0\n",
    ],
)
def test_a_scope_of_other_variables_stays(inside: str) -> None:
    made = "def made(x):\n    return tf.layers.dense(x, 3)\n"
    text = f"{HEAD}{made}with tf.variable_scope(name):\n{inside}"
    assert with_scopes_of_ops(text) == text
