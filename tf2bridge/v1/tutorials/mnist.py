"""`tensorflow.examples.tutorials.mnist.mnist`: the network of two hidden layers of the tutorial."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images: Any, hidden1_units: int, hidden2_units: int) -> Any:
    """Returns the logits [batch, 10] of images [batch, 784]."""
    hidden1 = tf.nn.relu(_linear("hidden1", images, IMAGE_PIXELS, hidden1_units))
    hidden2 = tf.nn.relu(_linear("hidden2", hidden1, hidden1_units, hidden2_units))
    return _linear("softmax_linear", hidden2, hidden2_units, NUM_CLASSES)


def _linear(name: str, inputs: Any, size: int, units: int) -> Any:
    from tf2bridge.v1 import matmul

    with v1.name_scope(name):
        start = v1.truncated_normal([size, units], stddev=1.0 / float(size) ** 0.5)
        weights = v1.Variable(start, name="weights")
        biases = v1.Variable(tf.zeros([units]), name="biases")
        return matmul(inputs, weights) + biases


def loss(logits: Any, labels: Any) -> Any:
    """Returns the mean cross entropy, a scalar, of logits [batch, 10] and labels [batch]."""
    return v1.losses.sparse_softmax_cross_entropy(labels=v1.to_int64(labels), logits=logits)


def training(loss: Any, learning_rate: float) -> Any:
    """Returns the op of one step of gradient descent; makes a summary of `loss` and the variable `global_step`."""
    v1.summary.scalar("loss", loss)
    optimizer = v1.train.GradientDescentOptimizer(learning_rate)
    step = v1.Variable(0, name="global_step", trainable=False)
    return optimizer.minimize(loss, global_step=step)


def evaluation(logits: Any, labels: Any) -> Any:
    """Returns how many of the batch are right, an int32 scalar."""
    return v1.reduce_sum(tf.cast(v1.nn.in_top_k(logits, labels, 1), tf.int32))
