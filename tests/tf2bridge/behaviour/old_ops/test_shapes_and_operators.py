"""Shapes, operators and types of operations, as genuine 1.4.1, 1.12.3 and 1.15.5 have them."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
import numpy as np
print("__eq__" in tf.Tensor.OVERLOADABLE_OPERATORS, "__lt__" in tf.Tensor.OVERLOADABLE_OPERATORS)
alpha = tf.placeholder(tf.float32, [None, 1, 10])
shape = tf.placeholder(tf.int32, [1])
print(tf.random_gamma([3], alpha).shape.as_list(), tf.random_gamma(shape, alpha, 2.0).shape.as_list())
labels = tf.placeholder_with_default(np.zeros([3, 2], np.int32), [None, None])
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.ones([2, 3, 4]))
with tf.Session() as session:
    try:
        print(session.run(losses).shape)
    except tf.errors.InvalidArgumentError:
        print("refused")
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.ones([2, 3], tf.int32), logits=tf.ones([2, 3, 4]))
array = np.array([losses, losses])
print(array.dtype, array.shape, array[0] is losses, np.sum([losses, losses]).shape.as_list())
print(losses.shape.as_list(), (losses + 1.0).op.type, tf.add(losses, 1.0).op.type)
try:
    print(tf.contrib.layers.conv2d(tf.ones([2, 5, 3]), 4, 3).shape.as_list())
except ValueError:
    print("refused")
"""
SHAPES = "[3, None, 1, 10] [None, None, 1, 10]"
OBJECTS = "object (2,) True [2, 3]"
ANSWERS = {
    "1.4.1": ["False True", SHAPES, "(3, 2)", OBJECTS, "[2, 3] Add Add", "[2, 5, 4]"],
    "1.12.3": ["False True", SHAPES, "refused", OBJECTS, "[2, 3] Add Add", "refused"],
    "1.15.5": ["True True", SHAPES, "refused", OBJECTS, "[2, 3] AddV2 Add", "refused"],
}


def check(done: subprocess.CompletedProcess[str], release: str) -> None:
    assert done.stdout.splitlines()[-6:] == ANSWERS[release], done.stderr


@pytest.mark.parametrize("release", ANSWERS)
def test_shapes_and_operators_of_a_release(release: str) -> None:
    api = release.rpartition(".")[0]
    check(forked.run(f"from tf2bridge import v1 as tf\ntf.enable(api='{api}')\n{PROGRAM}"), release)


@pytest.mark.oracle
@pytest.mark.parametrize("release", ANSWERS)
def test_the_genuine_release_has_them_so(release: str) -> None:
    command = [str(oracles.interpreter(release)), "-c", f"import tensorflow as tf\n{PROGRAM}"]
    check(subprocess.run(command, capture_output=True, text=True, check=False), release)
