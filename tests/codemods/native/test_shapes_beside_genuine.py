"""A size that codemods says of a tensor is the one that genuine TensorFlow infers."""

from __future__ import annotations

import ast
import json

import pytest

from codemods.native.shape_rules import BROADCAST, SAME
from codemods.native.static_shapes import with_static_shapes
from tests import oracles

RELEASE = "1.15.5"
HEAD = """import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 12, 13, 3])
m = tf.placeholder(tf.float32, [None, 12])
k = tf.Variable(tf.zeros([5, 4, 3, 16]))
i = tf.placeholder(tf.int32, [None, 5])
"""
FURTHER = {
    "cast": "tf.int32",
    "clip_by_value": "0.0, 1.0",
    "nn.dropout": "0.5",
    "nn.bias_add": "tf.zeros([3])",
    "nn.batch_normalization": "0.0, 1.0, None, None, 1e-3",
    "nn.l2_normalize": "3",
    "image.random_brightness": "0.1",
    "image.random_contrast": "0.1, 0.2",
}
"""What ops need beside their first argument."""
TENSORS = [
    *(f"tf.{name}(x, {FURTHER.get(name, '')})" for name in sorted(SAME)),
    *(f"tf.{name}(x, {other})" for name in sorted(BROADCAST) for other in ("x", "2.0", "tf.zeros([13, 1])")),
    *("x + 1.0", "2 * x", "x - tf.zeros([12, 13, 3])", "x[:, :1] + x", "-x", "x > 0.0", "x[0]", "x[:, 0]", "x[:, 2:5]"),
    *("x[..., 0]", "x[:, ::2]", "x[:, -3:]", "x[:, None]", "x[:, tf.newaxis, 1]", "x[:, :, :, 1:]", "x[0, 1]"),
    *("tf.reshape(x, [-1, 468])", "tf.reshape(x, [4, -1])", "tf.reshape(x[0], [-1])", "tf.reshape(m, [-1, 3, 4])"),
    *("tf.reshape(x, (-1, 12 * 13, 3))", "tf.reshape(m, [-1, 4, 3, 1])", "tf.reshape(m, tf.shape(m))"),
    *("tf.matmul(m, tf.zeros([12, 4]))", "tf.matmul(m, m, transpose_b=True)", "tf.matmul(m, m, True)"),
    *("tf.matmul(x, tf.zeros([1, 12, 3, 2]))", "tf.nn.xw_plus_b(m, tf.zeros([12, 4]), tf.zeros([4]))"),
    *(f"tf.nn.conv2d(x, k, [1, {s}, {s}, 1], '{p}')" for s in (1, 2, 3) for p in ("SAME", "VALID")),
    *("tf.nn.conv2d(x, k, strides=[1, 1, 1, 1], padding='VALID', dilations=[1, 2, 2, 1])",),
    *("tf.nn.conv2d(x, filter=k, strides=[1, 2, 1, 1], padding='SAME')",),
    *("tf.nn.conv2d_transpose(x, tf.zeros([3, 3, 6, 3]), [2, 24, 26, 6], [1, 2, 2, 1])",),
    *(f"tf.nn.{kind}_pool(x, [1, 3, 2, 1], [1, 2, 2, 1], '{p}')" for kind in ("max", "avg") for p in ("SAME", "VALID")),
    *("tf.nn.max_pool(x, ksize=[1, 2, 2, 3], strides=[1, 2, 2, 3], padding='VALID')",),
    *("tf.layers.dense(m, 7)", "tf.layers.dense(x, units=7)", "tf.contrib.layers.fully_connected(m, 7)"),
    *("tf.contrib.layers.fully_connected(x, num_outputs=7)", "tf.layers.flatten(x)", "tf.contrib.layers.flatten(x)"),
    *(f"tf.layers.conv2d(x, 6, 3, {s}, '{p}')" for s in ("1", "2", "(2, 1)") for p in ("same", "valid")),
    *("tf.layers.conv2d(x, 6, [3, 2])", "tf.layers.conv2d(x, filters=6, kernel_size=3, dilation_rate=2)"),
    *("tf.layers.conv2d(x, 6, 3, data_format='channels_first')", "tf.layers.max_pooling2d(x, 2, 2)"),
    *("tf.layers.max_pooling2d(x, [3, 2], [2, 3], padding='same')", "tf.layers.average_pooling2d(x, 3, 1)"),
    *("tf.nn.embedding_lookup(tf.zeros([20, 6]), i)", "tf.gather(x, [1, 2], axis=1)", "tf.gather(m, i)"),
    *("tf.gather(x, i, axis=2)", "tf.gather(m, i, axis=-1)", "tf.gather(x, [0, 1])", "tf.gather(m, i, batch_dims=0)"),
    *(
        "tf.one_hot(i, 9)",
        "tf.one_hot(i, depth=9, axis=1)",
        "tf.one_hot(i, 9, 1.0, 0.0, -1)",
        "tf.one_hot(i, 9, axis=0)",
    ),
    *(f"tf.expand_dims(x, {axis})" for axis in (0, 1, 4, -1, -2)),
    *("tf.expand_dims(m, axis=1)", "tf.expand_dims(m, dim=1)"),
    *("tf.transpose(m)", "tf.transpose(x, [0, 3, 1, 2])", "tf.transpose(x, perm=[1, 0, 2, 3])", "tf.transpose(x)"),
    *("tf.concat([x, x], 3)", "tf.concat([x, x], axis=-1)", "tf.concat(values=[tf.zeros([4, 12, 13, 3]), x], axis=1)"),
    *("tf.concat([m, tf.zeros([3, 2])], 1)", "tf.concat([x[0], tf.zeros([12, 13, 4])], 2)"),
    *(f"tf.reduce_{kind}(x{rest})" for kind in ("sum", "mean", "max") for rest in ("", ", 1", ", [1, 2]", ", -1")),
    *("tf.reduce_sum(x, [1, 2], keep_dims=True)", "tf.reduce_sum(x, axis=-2, keepdims=True)", "tf.argmax(x, 1)"),
    *("tf.reduce_all(x > 0.0, axis=3)", "tf.reduce_mean(x, reduction_indices=[1])", "tf.argmin(x, axis=-1)"),
    *(
        "tf.zeros([2, 3])",
        "tf.ones(3)",
        "tf.fill([4, 2], 1.0)",
        "tf.random_normal([2, 5])",
        "tf.constant(0.0, shape=[6])",
    ),
    *("tf.random_uniform((3, 4), -1.0, 1.0)", "tf.truncated_normal(shape=[2, 2])", "tf.get_variable('v', [3, 2])"),
    *(
        "tf.get_variable('w', shape=(4,))",
        "tf.Variable(tf.ones([2, 6]))",
        "tf.get_variable('c', initializer=tf.ones([5]))",
    ),
    *("tf.nn.softmax(tf.layers.dense(tf.layers.flatten(x), 10))", "tf.squeeze(x)", "tf.split(x, 3, 3)[0]"),
]
SIZES = 6


def said(tensor: str) -> dict[str, int]:
    """Returns number of a dimension -> the size that codemods says; fewer where it says none."""
    sizes = {}
    for number in range(SIZES):
        text = f"{HEAD}t = {tensor}\ns = tf.Variable(tf.zeros([t.get_shape()[{number}].value, 2]))\n"
        call = ast.parse(with_static_shapes(text) or text).body[-1].value  # type: ignore[attr-defined]
        size = call.args[0].args[0].elts[0]
        if isinstance(size, ast.Constant):
            sizes[str(number)] = size.value
    return sizes


@pytest.mark.oracle
def test_sizes_are_those_of_genuine_tensorflow() -> None:
    program = f"{HEAD}import json\nshapes = {{}}\nfor text in json.loads({json.dumps(TENSORS)!r}):\n" + (
        "    shape = eval(text).get_shape()\n"
        "    shapes[text] = None if shape.ndims is None else shape.as_list()\n"
        "print('SHAPES', json.dumps(shapes))\n"
    )
    ran = oracles.run(RELEASE, program)
    assert ran.returncode == 0, ran.stderr[-2000:]
    shapes = json.loads(ran.stdout.partition("SHAPES ")[2])
    genuine = {text: dict(enumerate(shape)) if shape is not None else {} for text, shape in shapes.items()}
    wrong, count = {}, 0
    for text in TENSORS:
        for number, size in said(text).items():
            count += 1
            if genuine[text].get(int(number)) != size:
                wrong[text, number] = size, genuine[text]
    assert wrong == {}
    assert count > 2 * len(TENSORS)
