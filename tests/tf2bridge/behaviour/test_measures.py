"""Losses, metrics and initializers up to 1.12: the genuine releases printed what is expected."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
labels = np.eye(4, dtype=np.float32)[np.array([[0, 1], [2, 3], [1, 1]])]
logits = np.arange(24).reshape(3, 2, 4).astype(np.float32) % 5
pairs = np.array([[0, 1, 3], [1, 0, 2]], np.float32), np.array([[2, 7, 1], [9, 1, 0]], np.float32)
with tf.Session() as session:
    print("smoothed %.4f" % session.run(tf.losses.softmax_cross_entropy(labels, logits, label_smoothing=0.1)))
    for weights in (1.0, np.array([[1, 0, 1], [1, 1, 1]], np.float32)):
        loss = tf.losses.mean_pairwise_squared_error(pairs[0], pairs[1], weights)
        print("pairs", np.round(session.run(loss), 3).tolist())
    for values in ([3.0, 4.0], [np.inf, 1.0], [1e30, 1e30], [np.nan, 1.0]):
        clipped, norm = tf.clip_by_global_norm([tf.constant(values), None], 1.0)
        try:
            print("clipped", np.round(session.run(clipped[0]), 3).tolist(), session.run(norm).tolist())
        except tf.errors.InvalidArgumentError as error:
            print(error.message.partition(" : ")[0])
"""

SINCE_1_12 = """
with tf.Session() as session:
    scores = tf.constant([[0.1, 0.7, 0.3], [0.5, 0.2, 0.4]])
    precision = tf.metrics.average_precision_at_k(tf.constant([[1, -1], [0, 1]], tf.int64), scores, 2)
    session.run(tf.local_variables_initializer())
    print("precision %.4f" % session.run(precision[1]))
    framework = tf.contrib.framework
    for initializer in (framework.convolutional_delta_orthogonal, framework.convolutional_orthogonal_2d):
        kernel = initializer(gain=3.0)([3, 3, 2, 4])
        print("kernel %.2f" % session.run(tf.reduce_sum(tf.square(kernel))))
"""

TEXTS = {"1.4.1": PROGRAM, "1.12.3": PROGRAM + SINCE_1_12, "1.15.5": PROGRAM + SINCE_1_12}


def test_they_are_those_of_1_12() -> None:
    result = lines(TEXTS["1.12.3"], None, "1.12")
    assert result[-3:] == ["precision 0.5000", "kernel 6.00", "kernel 6.00"]


@pytest.mark.oracle
@pytest.mark.parametrize("release", TEXTS)
def test_they_are_those_of_the_release(release: str) -> None:
    text = TEXTS[release]
    assert lines(text, None, release.rpartition(".")[0]) == lines(text, release)
