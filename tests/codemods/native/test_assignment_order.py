"""Calls that assign several variables: they are native where each order of TensorFlow 1 gives the same."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import HEAD, native, run

NET = """
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
b = tf.Variable(tf.ones([1]))
c = tf.Variable(tf.zeros([1]))
y = tf.matmul(x, w) + b
d_y = y - 1.0
d_w = tf.matmul(tf.transpose(x), d_y)
"""
RUN = """
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run({fetched}, {{x: np.ones([1, 2])}})
print(sess.run(w).ravel(), sess.run(b), sess.run(c))
"""
MESSAGE = "left the order of this assignment open"


def test_steps_that_wait_for_what_reads_their_variables_are_certain() -> None:
    steps = "step = [tf.assign(w, w - 0.5 * d_w), tf.assign(b, b - 0.5 * tf.reduce_mean(d_y))]\n"
    text = native(HEAD + NET + steps + RUN.format(fetched="step")).text
    assert run(text) == "[0. 0.] [0.] [0.]\n"  # y is 3, so that both gradients are 2


def test_a_loss_beside_the_steps_is_that_before_them() -> None:
    steps = "loss = tf.reduce_sum(d_y)\nstep = tf.group(w.assign_sub(d_w), b.assign(b - tf.reduce_sum(d_y)))\n"
    text = native(
        HEAD + NET + steps + RUN.format(fetched="[step, loss]").replace("sess.run([", "_, l = sess.run([")
    ).text
    assert run(text + "print(l)\n") == "[-1. -1.] [-1.] [0.]\n2.0\n"


def test_an_assignment_that_is_grouped_with_a_step_is_made() -> None:
    """Without a name of its own, it was lost."""
    steps = (
        "optimizer = tf.train.GradientDescentOptimizer(0.5)\n"
        "step = tf.group(optimizer.minimize(tf.reduce_sum(y)),\n                tf.assign_add(c, [1.0]))\n"
    )
    text = native(HEAD + NET + steps + RUN.format(fetched="step")).text
    assert run(text) == "[0.5 0.5] [0.5] [1.]\n"


@pytest.mark.parametrize(
    "steps",
    [
        "step = [tf.assign(w, w - d_w), tf.assign(b, b - tf.reduce_sum(w))]\n",  # the other step reads w
        "z = tf.reduce_sum(w)\nstep = [tf.assign(w, w - d_w), tf.assign(b, b - z)]\n",
        "step = [tf.assign(b, b - tf.reduce_sum(d_y)), tf.assign(b, b + 1.0)]\n",  # twice the same variable
        "z = tf.identity(w)\nstep = [tf.assign(w, w - tf.reshape(z, [2, 1])), tf.assign(b, b - 1.0)]\n",
    ],
)
def test_steps_whose_order_matters_are_refused(steps: str) -> None:
    with pytest.raises(NotNativeError, match=MESSAGE):
        native(HEAD + NET + steps + RUN.format(fetched="step"))


def test_a_group_whose_assignments_read_one_another_is_refused() -> None:
    steps = "step = tf.group(b.assign(c), c.assign(b))\n"
    with pytest.raises(NotNativeError, match=MESSAGE):
        native(HEAD + NET + steps + RUN.format(fetched="step"))


def test_a_group_of_copies_is_certain() -> None:
    steps = "step = tf.group(b.assign(b + 1.0), c.assign(c + 2.0))\n"
    assert run(native(HEAD + NET + steps + RUN.format(fetched="step")).text) == "[1. 1.] [2.] [2.]\n"


def test_a_variable_that_is_fetched_alone_is_read_whatever_is_fed() -> None:
    fetched = (
        "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint(sess.run(w, {x: [[1.0, 2.0]]}))\n"
    )
    assert run(native(HEAD + NET + fetched).text) == "[[1.]\n [1.]]\n"
