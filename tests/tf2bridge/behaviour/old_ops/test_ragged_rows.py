"""Rows of ragged tensors that do not fit, axes named twice and checked gradients are as in genuine 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
R = tf.ragged.constant
gather = tf.batch_gather
sizes = lambda value, **settings: R(value, **settings)
def gathered(params, indices):
    with tf.Session() as session:
        return session.run(gather(params, indices)).to_list()
CALLS = [
    lambda: gathered(R([[1, 2], [3]]), R([[1], [0, 0]])),
    lambda: gathered(R([[[1, 2], [3]], [[4]]]), R([[[1], [0, 0]], [[0]]])),
    lambda: gather(R([[1], [2], [3]]), R([[0], [0]])),
    lambda: gather([[[1, 2]]], R([[[0, 0], [0]]])),
    lambda: gather(R([1, 2, 3]), R([[0], [0]])),
    lambda: gather(R([[1]]), 0),
    lambda: gather(R([[1]]), [[[0]]]),
    lambda: gather([[1, 2]], tf.RaggedTensor.from_row_splits(tf.placeholder(tf.int32), [0, 1])),
    lambda: gather(R([[[0, 0], [0]], [[0]], [[0]]]), R([[[0, 0]], [[0, 0, 0]], [[0]]])),
]
for call in CALLS:
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
with tf.Session() as session:
    for axis in ((0, 0), (0, -2), (1, -1), [1, 1], (-2, -1, 0, 1)):
        for reduce in (tf.reduce_sum, tf.reduce_max, tf.reduce_mean, tf.reduce_prod):
            print(session.run(reduce(x, axis)).tolist(), session.run(reduce(x, axis, keepdims=True)).shape)
    check = tf.compat.v2.test.compute_gradient
    with session.as_default():
        for function in (lambda x: tf.reduce_sum(x * x, 1), lambda x: x[0]):
            for kind in check(function, [tf.constant(x)]):
                print([jacobian.round(1).tolist() for jacobian in kind])
"""


@pytest.mark.oracle
def test_they_are_as_in_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert len(expected) == 9 + 5 * 4 + 4, expected
    assert lines(PROGRAM, None, "1.15.5") == expected


def test_an_axis_may_be_named_twice() -> None:
    assert lines(PROGRAM, None, "1.15.5")[9] == "[5.0, 7.0, 9.0] (1, 3)"
