"""Small faults of migrated programs: what is changed, the op that has to be named first, and the cause to be said.

An op that only the new program has is named as "+name".
"""

# ruff: noqa: E501 - a row of the table is a fault

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """A fault. `changes`: (old text, new text), all of them; `op`: of the recorded graph; `cause`: its name."""

    name: str
    program: str
    release: str
    changes: tuple[tuple[str, str], ...]
    op: str
    cause: str


def _of(name: str, program: str, release: str, old: str, new: str, op: str, cause: str) -> Mutation:
    return Mutation(name, program, release, ((old, new),), op, cause)


C12, C1, L4, L15, P4, P15, T4, T12 = (
    ("convnet", "1.12.3"), ("convnet", "0.12.1"), ("language_model", "1.4.1"), ("language_model", "1.15.5"),
    ("pixels", "1.4.1"), ("pixels", "1.15.5"), ("two_towers", "1.4.1"), ("two_towers", "1.12.3"),
)  # fmt: skip

MUTATIONS = (
    _of("epsilon of batch norm", *C12, "epsilon=0.001", "epsilon=1e-5", "model/train/norm/batchnorm/add", "epsilon"),
    _of("epsilon of batch norm, 0.12", *C1, "epsilon=0.001", "epsilon=1e-5", "model/train/norm/batchnorm/add", "epsilon"),
    _of("padding of a convolution", *C12, 'stride, stride, 1], "SAME"', 'stride, stride, 1], "VALID"', "model/train/first/Conv2D", "padding"),
    _of("channels first", *C12, "tf.reshape(x, [-1, 8, 8, 3]", "tf.transpose(tf.reshape(x, [-1, 3, 8, 8]), [0, 2, 3, 1]", "model/train/images", "data format"),
    _of("batch norm in inference mode", *C12, "network(inputs, True)", "network(inputs, False)", "model/train/norm/moments/mean", "batch norm mode"),
    _of("moving averages not updated", *C12, "tf.control_dependencies(updates)", "tf.control_dependencies([])", "model/train/norm/AssignMovingAvg", "missing update"),
    _of("decay of batch norm as 1 - decay", *C12, "decay=0.9,", "decay=0.1,", "model/train/norm/AssignMovingAvg/mul", "momentum definition"),
    _of("momentum of the optimizer", *C12, "MomentumOptimizer(rate, 0.9)", "MomentumOptimizer(rate, 0.99)", "Momentum/update_model/first/kernel/ApplyMomentum", "momentum definition"),
    _of("Nesterov's momentum", *C12, "MomentumOptimizer(rate, 0.9)", "MomentumOptimizer(rate, 0.9, use_nesterov=True)", "Momentum/update_model/first/kernel/ApplyMomentum", "momentum definition"),
    _of("rate given for keep_prob, 0.12", *C1, "keep_prob=0.75", "keep_prob=0.25", "model/train/dropped/Div", "dropout"),
    _of("dropout left out", *C12, "    if training:\n        x = tf.nn.dropout(x, keep_prob=0.75, seed=5, name=\"dropped\")\n", "", "model/train/dropped/div", "dropout"),
    _of("bias dropped", *C12, "return tf.nn.bias_add(y, bias)", "return y", "model/train/second/BiasAdd", "bias"),
    _of("bias dropped with its variable", *C1, 'tf.add(tf.matmul(x, weights), bias, name="logits")', "tf.matmul(x, weights)", "model/train/logits", "bias"),
    _of("loss summed", *C12, 'tf.reduce_mean(entropy, name="entropy")', 'tf.reduce_sum(entropy, name="entropy")', "entropy", "loss reduction"),
    Mutation("labels and logits swapped", *C12, (
        ("logits=logits, labels=labels", "logits=labels, labels=logits"),
        # labels give no gradient, so that nothing else makes the kernels' updates wait for the layers that read them
        ("tf.control_dependencies(updates)", "tf.control_dependencies([*updates, entropy])"),
    ), "softmax_cross_entropy_with_logits_sg", "inputs swapped"),
    _of("decay one step ahead", *C12, "exponential_decay(0.1, step,", "exponential_decay(0.1, step + 1,", "+add_1", "decay off by one"),
    _of("decay at another pace", *C1, "exponential_decay(0.1, step, 2,", "exponential_decay(0.1, step, 3,", "rate/truediv", "another constant"),
    _of("stale averages of weights", *C12, "    train = averages.apply(kernels)\n", "    averages.apply(kernels)\n", "ExponentialMovingAverage/AssignMovingAvg", "missing update"),
    _of("float16 in the midst", *C12, 'x = tf.tanh(x, name="squashed")', 'x = tf.cast(tf.tanh(tf.cast(x, tf.float16), name="squashed"), tf.float32)', "+model/train/Cast", "half precision"),
    _of("an activation too many", *C1, 'tf.tanh(x, name="squashed")', 'tf.tanh(tf.nn.relu(x), name="squashed")', "+model/train/Relu", "added op"),
    _of("initial values", *C12, "stddev=scale", "stddev=2 * scale", "model/first/kernel/Initializer/random_normal/mul", "another constant"),
    _of("order of the gates", *L4, "i, j, f, o = [", "i, f, j, o = [", "step0/Tanh", "gate order"),
    _of("forget bias left out", *L15, "state * tf.sigmoid(f + forget)", "state * tf.sigmoid(f)", "step1/add", "bias"),
    _of("loss by all, not by what is there", *L4, 'tf.reduce_sum(mask, name="count")', 'tf.cast(tf.size(mask), tf.float32, name="count")', "count", "loss reduction"),
    _of("epsilon of Adam", *L15, "epsilon=1e-8", "epsilon=1e-3", "Adam/update_lstm/kernel/ApplyAdam", "epsilon"),
    _of("another cell", *L15, "GRUCell(UNITS), hidden", "GRUCell(UNITS, activation=tf.nn.relu), hidden", "rnn/TensorArrayStack/TensorArrayGatherV3", "inside a loop"),
    _of("align_corners", *P4, "align_corners=True", "align_corners=False", "larger", "resize"),
    _of("centres of pixels", *P15, "[9, 11], align_corners=True", "[9, 11], half_pixel_centers=True", "larger", "resize"),
    _of("reflected edges", *P4, '"REFLECT"', '"SYMMETRIC"', "edges", "padding"),
    _of("arg max over the wrong axis", *P15, "tf.argmax(scores, 1", "tf.argmax(scores, 0", "best", "wrong axis"),
    _of("ties of arg max", *P4, "tf.argmax(tf.cast(rounded > 0.0, tf.float32), 1", "2 - tf.argmax(tf.reverse(tf.cast(rounded > 0.0, tf.float32), [1]), 1", "ranked", "arg max ties"),
    _of("integer division that truncates", *P15, "tf.floordiv(places, 3", "tf.truncatediv(places, 3", "cells", "integer division"),
    _of("halves of integers", *P15, 'tf.truediv(tf.cast(cells, tf.float32), 2.0, name="halves")', 'tf.cast(tf.floordiv(cells, 2), tf.float32, name="halves")', "Cast_1", "integer division"),
    _of("wrong axis normalized", *P4, "l2_normalize(scores, 1", "l2_normalize(scores, 0", "normal/Sum", "wrong axis"),
    _of("bfloat16 in the midst", *P4, "tf.subtract(nearest * 0.5, 0.25, name=\"scaled\")", "tf.cast(tf.subtract(tf.cast(nearest, tf.bfloat16) * 0.5, 0.25), tf.float32, name=\"scaled\")", "+Cast", "half precision"),
    _of("gradients summed", *T4, "tf.reduce_mean(stacked, 0", "tf.reduce_sum(stacked, 0", "averaged", "loss reduction"),
    _of("queries and documents swapped", *T4, "tf.matmul(query, document,", "tf.matmul(document, query,", "tower_0/shared/similar", "inputs swapped"),
    _of("another activation", *C1, 'tf.tanh(x, name="squashed")', 'tf.sigmoid(x, name="squashed")', "model/train/squashed", "another op"),
    _of("an activation left out", *C12, 'tf.tanh(x, name="squashed")', "x", "model/train/squashed", "missing op"),
    _of("averages before the step", *C12, """with tf.control_dependencies(updates):
    train = optimizer.minimize(loss, global_step=step)
averages = tf.train.ExponentialMovingAverage(0.8)
with tf.control_dependencies([train]):
    train = averages.apply(kernels)
""", """averages = tf.train.ExponentialMovingAverage(0.8)
with tf.control_dependencies([averages.apply(kernels)] + updates):
    train = optimizer.minimize(loss, global_step=step)
""", "ExponentialMovingAverage/AssignMovingAvg/sub_1", "missing control dependency"),
    Mutation("units of a layer", *T12, (("[6, 4]", "[6, 5]"), ('"bias", [4]', '"bias", [5]')), "tower_0/shared/mapped/MatMul", "another shape"),
    _of("what came before is normalized", *P15, "l2_normalize(scores, 1", "l2_normalize(rounded, 1", "normal/Square", "other wiring"),
)  # fmt: skip
