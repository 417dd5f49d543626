"""What programs of 1.15 get from graphs, errors, gradients and loggers: the same text there and here."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
x = tf.placeholder(tf.float32, [None, 2], name="x")
with tf.control_dependencies([x.op]):
    tf.no_op(name="after")
print(sorted(x.op.node_def.attr))

def refusal(call):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(str(error).partition(" (target")[0])

refusal(lambda: bool(x > 0))
refusal(lambda: list(x))
refusal(lambda: tf.zeros([2, 3]) + tf.zeros([4, 5]))
refusal(lambda: tf.convert_to_tensor(x.op))
refusal(lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros([2, 1]), logits=tf.zeros([3, 1])))
refusal(lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros([3], tf.int32), logits=tf.zeros([2, 3])))

@tf.RegisterGradient("OfThisTest")
def gradient(op, grad):
    return grad

with tf.get_default_graph().gradient_override_map({"Identity": "OfThisTest"}):
    identity = tf.identity(x)
print(ops.get_gradient_function(identity.op) == gradient)

def model_fn(features, labels):
    return features["x"], tf.constant(1.0), tf.train.get_or_create_global_step().assign_add(1)

def input_fn():
    return {"x": tf.constant([1.0])}, {"y": tf.constant([11.0])}

learner = tf.contrib.learn.Estimator(
    model_fn, feature_engineering_fn=lambda features, labels: (features, {"y": labels["y"] * 9})
)
learner.fit(input_fn=input_fn, steps=1)
spec = tf.contrib.learn.MetricSpec(lambda predictions, labels: labels)
print(learner.evaluate(input_fn=input_fn, steps=1, metrics={"y": spec})["y"])
tf_logging.warning = lambda text, *values: print("warned")
tf.estimator.Estimator(lambda features, mode, params: None, model_dir=learner.model_dir)
"""
IN_GRAPHS = "Use Eager execution or decorate this function with @tf.function."
PRINTED = f"""\
['dtype', 'shape']
using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution. {IN_GRAPHS}
iterating over `tf.Tensor` is not allowed in Graph execution. {IN_GRAPHS}
Dimensions must be equal, but are 2 and 4 for 'add' (op: 'AddV2') with input shapes: [2,3], [4,5].
Can't convert Operation 'x' to Tensor
logits and labels must have the same shape ((3, 1) vs (2, 1))
Shape mismatch: The shape of labels (received (3,)) should equal the shape of logits except for the last dimension \
(received (2, 3)).
True
[99.]
warned
"""
GENUINE = """
import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.platform import tf_logging
"""
OURS = """
from tf2bridge import v1 as tf
tf.enable(api="1.15")
ops, tf_logging = tf.python.framework.ops, tf.python.platform.tf_logging
"""


def test_programs_get_the_same_answers() -> None:
    done = forked.run(OURS + PROGRAM)
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_answers_so() -> None:
    command = [str(oracles.interpreter("1.15.5")), "-c", GENUINE + PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == PRINTED, done.stderr
