"""Random numbers of a seed begin anew in each session of TensorFlow 1, which one function cannot do."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import native

PROGRAM = """\
import tensorflow as tf
{seed}
noise = tf.random_normal([2]{own})
other = tf.random_normal([3]{own})
with tf.Session() as sess:
    print(sess.run(noise))
    print(sess.run(noise))
{then}
"""
AGAIN = "with tf.Session() as sess:\n    print(sess.run(noise))\n"
LOOP = "for _ in range(2):\n    with tf.Session() as sess:\n        print(sess.run(other))\n"


@pytest.mark.parametrize("then", [AGAIN, LOOP])
@pytest.mark.parametrize(("seed", "own"), [("tf.set_random_seed(2)", ""), ("", ", seed=2")])
def test_numbers_of_a_seed_in_several_sessions_are_refused(seed: str, own: str, then: str) -> None:
    with pytest.raises(NotNativeError, match="from their beginning"):
        native(PROGRAM.format(seed=seed, own=own, then=then))


@pytest.mark.parametrize(
    ("seed", "own", "then"),
    [
        ("", "", AGAIN),
        ("", ", seed=None", AGAIN),
        ("tf.set_random_seed(2)", "", AGAIN.replace("noise", "other")),
    ],
)
def test_others_become_native(seed: str, own: str, then: str) -> None:
    assert "Session" not in native(PROGRAM.format(seed=seed, own=own, then=then)).text


SHARED = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
kept = tf.nn.dropout(x, 0.5{seed})
total = tf.reduce_sum(kept)
largest = tf.reduce_max(kept)
with tf.Session() as sess:
    print(sess.run(total, {{x: [1., 2.]}}))
    print(sess.run({second}, {{x: [1., 2.]}}))
"""


def test_an_op_with_a_seed_in_two_functions_is_refused() -> None:
    with pytest.raises(NotNativeError, match="went on through several calls"):
        native(SHARED.format(seed=", seed=3", second="largest"))


@pytest.mark.parametrize(("seed", "second"), [(", seed=3", "total"), ("", "largest")])
def test_an_op_in_one_function_or_without_a_seed_becomes_native(seed: str, second: str) -> None:
    assert "Session" not in native(SHARED.format(seed=seed, second=second)).text
