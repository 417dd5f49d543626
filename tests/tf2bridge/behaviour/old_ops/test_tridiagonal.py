"""`tf.linalg.tridiagonal_solve` solves, and refuses what cannot be solved, as genuine 1.15.5 does."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
solve = tf.linalg.tridiagonal_solve
CASES = [
    ([[0.0], [0.0], [0.0]], [[6.0, 9.0, 12.0]]),
    ([[3.0, 0.0], [1.0, 3.0], [0.0, 1.0]], [1.0, 4.0]),
    ([[2.0, -1.0, 1.0, 0.0], [1.0, 4.0, 1.0, -1.0], [0.0, 2.0, 0.0, 3.0]], [1.0, 2.0, 3.0, 4.0]),
    ([[2.0, -1.0, 4.0, 0.0], [1.0, 5.0, 1.0, -1.0], [0.0, 2.0, 0.0, 3.0]], [1.0, 2.0, 3.0, 4.0]),
    ([[2.0, 0.0], [1.0, float("nan")], [0.0, 1.0]], [1.0, 4.0]),
]
tf.set_random_seed(1)
with tf.Session() as session:
    for matrix, side in CASES:
        solved = solve(tf.constant(np.array(matrix)), tf.constant(np.array(side)))
        print(solved.name)
        try:
            print(session.run(solved).round(6).tolist())
        except tf.errors.InvalidArgumentError:
            print("not invertible")
    whole = solve(*[tf.constant(np.array(values) + 0j) for values in CASES[3]])
    print(session.run(tf.gradients(tf.real(tf.reduce_sum(whole)), whole))[0].tolist())
    print(session.run(whole).real.round(6).tolist(), session.run(tf.random_uniform([1])).tolist())
"""


@pytest.mark.oracle
def test_it_is_as_in_1_15() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert len(expected) == 12 and expected.count("not invertible") >= 3, expected
    assert lines(PROGRAM, None, "1.15.5") == expected


def test_a_singular_matrix_is_an_error() -> None:
    assert lines(PROGRAM, None, "1.15.5")[1::2][:2] == ["not invertible"] * 2
