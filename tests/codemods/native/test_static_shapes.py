"""Sizes that variables take from tensors become numbers where the source says them, and stay where it does not."""

from __future__ import annotations

import pytest

from codemods.native.nested_calls import with_separate_calls
from codemods.native.static_shapes import with_static_shapes

HEAD = "import numpy as np\nimport tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 8, 8, 3])\n"
"""Images of 8 by 8 points, of three colours."""


def sized(lines: str, size: str) -> str:
    """Returns how the size of a variable is written that follows some lines."""
    text = f"{HEAD}{lines}w = tf.Variable(tf.zeros([{size}, 2]))\n"
    made = with_static_shapes(text) or text
    return made.splitlines()[-1].removeprefix("w = tf.Variable(tf.zeros([").removesuffix(", 2]))")


@pytest.mark.parametrize(
    ("lines", "size", "wanted"),
    [
        ("", "x.get_shape()[3].value", "3"),
        ("", "int(x.get_shape()[-1])", "3"),
        ("", "x.shape.as_list()[1] * 2", "8 * 2"),
        ("", "int(np.prod(x.get_shape()[1:]))", "192"),
        ("", "x.get_shape()[1:].num_elements()", "192"),
        ("_, h, v, c = x.get_shape().as_list()\n", "h * v * c", "8 * 8 * 3"),
        ("y = tf.nn.max_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], 'SAME')\n", "y.shape[1]", "4"),
        ("y = tf.nn.max_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], 'VALID')\n", "y.shape[1]", "3"),
        (
            "k = tf.Variable(tf.zeros([5, 5, 3, 16]))\ny = tf.nn.conv2d(x, k, [1, 1, 1, 1], 'SAME')\n",
            "y.shape[3]",
            "16",
        ),
        ("y = tf.reshape(x, [4, -1])\n", "y.shape[1]", "y.shape[1]"),
        ("y = tf.reshape(x, [-1, 8 * 8 * 3])\n", "y.shape[1]", "192"),
        ("y = tf.layers.dense(tf.layers.flatten(x), 10)\n", "y.shape[1]", "10"),
        ("y = tf.concat([x, x], 3)\n", "y.shape[3]", "6"),
        ("y = tf.reduce_mean(x, [1, 2])\n", "y.shape[-1]", "3"),
        ("y = tf.expand_dims(x[:, 0], 1) * 2.0 + x\n", "y.shape[1]", "8"),
        ("def half(v, by=2.0):\n    return tf.nn.relu(v / by)\ny = half(x)\n", "y.shape[3]", "3"),
        ("n = int(input())\ny = tf.placeholder(tf.float32, [None, n])\n", "y.shape[1]", "n"),
        ("", "x.shape[0]", "x.shape[0]"),
        ("n = int(input())\ny = tf.placeholder(tf.float32, [None, n])\nn = 3\n", "y.shape[1]", "y.shape[1]"),
        ("y = x\nif input():\n    y = tf.zeros([2, 2])\n", "y.shape[1]", "y.shape[1]"),
        ("y = tf.zeros(np.load('a.npy'))\n", "y.shape[1]", "y.shape[1]"),
        ("n = np.load('a.npy')\ny = x * n\n", "y.shape[3]", "y.shape[3]"),
    ],
)
def test_the_size_of_a_variable(lines: str, size: str, wanted: str) -> None:
    assert sized(lines, size) == wanted


def test_what_only_functions_need_stays() -> None:
    assert with_static_shapes(HEAD + "n = x.get_shape()[1].value\ny = tf.reshape(x, [-1, n])\n") is None


def test_the_sizes_of_an_object_s_tensors() -> None:
    text = (
        "import tensorflow as tf\n"
        "class Net:\n"
        "    def __init__(self, units):\n"
        "        self.units = units\n"
        "        self.x = tf.placeholder(tf.float32, [None, self.units])\n"
        "    def build(self):\n"
        "        w = tf.Variable(tf.zeros([self.x.get_shape()[1].value, 2]))\n"
    )
    made = with_static_shapes(text)
    assert made is not None and "tf.zeros([self.units, 2])" in made


BUILDER = (
    "import tensorflow as tf\n"
    "def dense(x, n):\n    w = tf.get_variable('w', [3, n])\n    return tf.matmul(x, w)\n"
    "x = tf.placeholder(tf.float32, [None, 3])\n"
)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("y = tf.nn.relu(dense(x, 2))\n", "dense_out = dense(x, 2)\ny = tf.nn.relu(dense_out)\n"),
        (
            "y = tf.add(dense(x, 2),\n           dense(x, 2))  # sum\n",
            "dense_out = dense(x, 2)\ndense_out_2 = dense(x, 2)\n"
            "y = tf.add(dense_out,\n           dense_out_2)  # sum\n",
        ),
        ("y = tf.Variable(1.0) + dense(x, 2)\n", None),
        ("y = [dense(x, 2) for _ in range(3)]\n", None),
        ("y = dense(x, 2) if input() else x\n", None),
        ("y = dense(x, 2)\n", None),
    ],
)
def test_calls_of_builders_get_statements(line: str, wanted: str | None) -> None:
    made = with_separate_calls(BUILDER + line)
    assert (made[0].removeprefix(BUILDER) if made is not None else None) == wanted
    assert made is None or made[0].count("\n") <= len(made[1])
