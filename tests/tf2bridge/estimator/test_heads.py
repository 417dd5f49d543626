"""Heads check labels and logits when genuine TensorFlow 1.15.5 did, and count classes by a tensor, too."""

from __future__ import annotations

import pytest

from tests import forked

START = """
import numpy as np
from tf2bridge import v1 as tf
tf.enable(api="1.15")
from tf2bridge.v1.python.estimator.canned import head as heads
features = {"x": np.array([[42.0]])}
train = dict(train_op_fn=lambda loss: loss)
"""
LABELS = """
head = heads._binary_logistic_head_with_sigmoid_cross_entropy_loss()
labels = np.array([[1.2], [0.4]], np.float32)
loss = head.create_loss(features, "train", np.array([[0.5], [-0.3]], np.float32), labels)[0]
try:
    tf.Session().run(loss)
except tf.errors.InvalidArgumentError as error:
    print("[Labels must <= n_classes - 1]" in str(error))
"""
INTEGER_LOGITS = """
head = heads._binary_logistic_head_with_sigmoid_cross_entropy_loss()
logits, labels = np.array([[45], [-41]], np.int32), np.array([[1], [1]])
print(tf.Session().run(head.create_estimator_spec(features, "train", logits, labels, **train).loss) == 41.0)
"""
FED_LOGITS = """
logits, labels = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
loss = heads._regression_head(label_dimension=3).create_estimator_spec(features, "train", logits, labels, **train).loss
try:
    tf.Session().run(loss, {logits: np.ones((2, 1)), labels: np.ones((2, 3))})
except tf.errors.InvalidArgumentError as error:
    print("logits shape" in str(error))
"""
TENSOR = """
head = heads._multi_class_head_with_softmax_cross_entropy_loss(tf.constant(3))
logits = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
predictions = head.create_estimator_spec(features, "infer", logits).predictions
print(tf.Session().run(predictions["all_classes"]).tolist() == [[b"0", b"1", b"2"]] * 2)
"""


@pytest.mark.parametrize("program", [LABELS, INTEGER_LOGITS, FED_LOGITS, TENSOR])
def test_as_in_1_15(program: str) -> None:
    done = forked.run(START + program)
    assert done.stdout == "True\n", done.stderr
