"""Norms keep the sign of a number alone, ragged and sparse values the edges of 1.15.5, and one text has no rows."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
norm = tf.math.reduce_euclidean_norm
placeholder = tf.placeholder(tf.float32)
fetches = []
for value, axis in (([-1, 2], []), ([-1, 2], [0]), (-2, None), ([[-2]], 1), ([[-2], [3]], [1]), ([[-2], [3]], 0)):
    for dtype in (tf.float32, tf.int32, tf.complex64):
        fetches.append(norm(tf.constant(value, dtype), axis))
    fetches.append(norm(tf.constant(value, tf.float32), tf.constant(axis or [], tf.int32), keepdims=True))
fetches += [norm(placeholder, [1]), norm(placeholder, [1], keepdims=True), norm(placeholder, [0])]
print(norm(tf.constant([[-2.0]]), 1, name="own").name, tf.gradients(norm(placeholder, [1]), placeholder))
numbers = np.array([np.nan, 0.0, -1.0, -2.5, np.inf, 30.0, 0.5, -7.0])
for dtype in (np.float16, np.float32, np.float64):
    values = numbers.astype(dtype)
    for function in (tf.sign, tf.digamma, tf.erf, tf.sinh, tf.cosh):
        fetches.append(function(tf.RaggedTensor.from_row_splits(values, [0, 3, 8])).flat_values)
    for function in (tf.sign, tf.erf):
        fetches.append(function(tf.SparseTensor([[place] for place in range(8)], values, [8])).values)
with tf.Session() as session:
    for text in ("one two", ["one two", "three"]):
        print(session.run(tf.strings.split(text, result_type="RaggedTensor")))
    for computed in session.run(fetches, {{placeholder: [[-2.0], [3.0]]}}):
        print(computed.shape, [float("%.3g" % number) for number in computed.real.reshape(-1)])
try:
    norm(tf.constant([1.0, 2.0]), 3)
except ValueError as error:
    print("Invalid reduction dimension" in str(error))
"""


@pytest.mark.oracle
def test_values_are_those_of_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5")
    assert len(expected) == 3 + 6 * 4 + 3 + 3 * 7 + 1
    assert lines(PROGRAM, None, "1.15") == expected
