"""`_enqueue_data`: rows come in order, with their numbers, epoch after epoch.

What is expected follows from feeding_functions.py of tensorflow_estimator 1.15.
"""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge.estimator.inputs.enqueueing import enqueue_data

v1 = tf.compat.v1


def test_rows_of_an_array_come_with_their_numbers() -> None:
    array = np.arange(6).reshape([3, 2])
    with tf.Graph().as_default(), v1.Session() as session:
        rows = enqueue_data(array, capacity=10).dequeue_many(5)
        coordinator = tf.train.Coordinator()
        threads = v1.train.start_queue_runners(sess=session, coord=coordinator)
        numbers, values = session.run(rows)
        coordinator.request_stop()
        coordinator.join(threads)
    np.testing.assert_array_equal(numbers, [0, 1, 2, 0, 1])
    np.testing.assert_array_equal(values, array[numbers])


def test_other_data_are_refused() -> None:
    with tf.Graph().as_default(), pytest.raises(TypeError, match="generator function"):
        enqueue_data([1], capacity=10)
