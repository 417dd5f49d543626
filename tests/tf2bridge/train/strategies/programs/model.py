"""A model of 2017, built by TensorFlow 1.x names, untouched; and the rows that the programs beside it train it on."""

import numpy as np

from tf2bridge import v1 as tf

ROWS, BATCH, STEPS = 64, 16, 20


def build(x, label):
    """The loss of a batch, float32 [], of rows x, float32 [batch, 4], and their labels, int32 [batch]."""
    with tf.variable_scope("hidden"):
        weights = tf.get_variable("weights", [4, 8], initializer=tf.truncated_normal_initializer(stddev=0.5, seed=1))
        biases = tf.get_variable("biases", [8], initializer=tf.zeros_initializer())
        hidden = tf.nn.relu(tf.matmul(x, weights) + biases)
    with tf.variable_scope("logits"):
        weights = tf.get_variable("weights", [8, 3], initializer=tf.truncated_normal_initializer(stddev=0.5, seed=2))
        logits = tf.matmul(hidden, weights)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=label)
    return {"loss": tf.reduce_mean(loss)}


def build_training(x, label):
    """The same with the step that trains it, and counts: "train_op"."""
    result = build(x, label)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    return result | {"train_op": optimizer.minimize(result["loss"], tf.train.get_or_create_global_step())}


def rows():
    """All rows, float32 [64, 4], and their labels, int32 [64]."""
    x = np.random.RandomState(3).randn(ROWS, 4).astype(np.float32)
    return x, np.argmax(x[:, :3] + x[:, 3:], 1).astype(np.int32)


def batch(step):
    """The rows of a step, and their labels."""
    x, label = rows()
    chosen = np.arange(step * BATCH, (step + 1) * BATCH) % ROWS
    return x[chosen], label[chosen]
