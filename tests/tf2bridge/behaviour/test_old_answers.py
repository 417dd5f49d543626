"""What programs of 1.15 get from graphs, errors, gradients and loggers: the same text there and here."""

from __future__ import annotations

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
SESSIONS = """
x = tf.placeholder(tf.float32, [None, 3], name="x")
number = tf.placeholder(tf.int32, [], name="number")
with tf.Graph().as_default():
    elsewhere = tf.constant(1.0, name="elsewhere")
session = tf.Session()

def refusal(call):
    try:
        call()
    except (tf.errors.OpError, ValueError, TypeError, RuntimeError) as error:
        operation = error.op.name if isinstance(error, tf.errors.OpError) else ""
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print(text.partition(chr(10))[0][:100], operation or "-")

refusal(lambda: session.run(x + 1.0))
refusal(lambda: session.run(tf.gather([1, 2], number), {number: 7}))
refusal(lambda: session.run(tf.Print(x, [x]), {x: [1, 2]}))
refusal(lambda: session.run(x, {x: x}))
for fetch in (elsewhere, "nothing:0", 1, None):
    refusal(lambda: session.run([fetch]))
refusal(lambda: tf.Session(graph=tf.Graph()).run("x:0"))
refusal(lambda: session.make_callable(x, 3))
refusal(lambda: len(x))
refusal(lambda: tf.unstack(tf.placeholder(tf.float32)))
refusal(lambda: tf.cond(number > 0, lambda: 1, lambda: 1.0))
print(type(x).__name__, x.shape)
"""
ARGUMENTS = """
import numpy as np
array = np.ones([1, 2, 3])
for tensor in (
    tf.image.rgb_to_hsv(array), tf.nn.ctc_greedy_decoder(array, [1, 1])[1], tf.image.hsv_to_rgb(tf.constant(array)),
    tf.raw_ops.Complex(real=array, imag=array), tf.nn.leaky_relu(array), tf.image.rgb_to_hsv([[0.5, 0.5, 1.0]]),
    tf.image.rgb_to_hsv(array.astype(np.float16)),
):
    print(tensor.dtype.name)

def refusal(call):
    try:
        call()
    except (TypeError, ValueError, tf.errors.InvalidArgumentError) as error:
        print(type(error).__name__, str(error).partition(" (defined at")[0].partition(chr(10))[0][:88])

apply_op = gen_math_ops._op_def_lib.apply_op
refusal(lambda: apply_op("Add", x=1))
refusal(lambda: apply_op("Add", x=1, y=2, T=tf.int32))
refusal(lambda: apply_op("Add", x=1, y=2, z=1))
refusal(lambda: apply_op("Max", input=1, reduction_indices=0))
refusal(lambda: tf.constant([1.5], tf.int32))
refusal(lambda: tf.constant(["a"], tf.int32))
refusal(lambda: tf.as_dtype("foo"))
refusal(lambda: tf.device("/bar:3").__enter__())
refusal(lambda: tf.nn.dropout([1, 2], 0.5))
refusal(lambda: tf.group(3))
refusal(lambda: tf.stack([1, 2], axis=5))
refusal(lambda: tf.unstack([1, 2], axis=-5))
refusal(lambda: tf.RaggedTensor.from_value_rowids([1, 2], [1.5, 2]))
refusal(lambda: tf.repeat([1], [1.5]))
refusal(lambda: tf.scatter_nd(tf.zeros([2, 1, 2], tf.int32), tf.zeros([2, 1, 2]), [0, 3, 2]))
two, three = (tf.ragged.constant(rows) for rows in ([[1, 2], [3]], [[[1]], [[2], [3]]]))
refusal(lambda: tf.ragged.map_flat_values(tf.add, two, three))
splits = tf.placeholder(tf.int64, [3])
lists = tf.ragged.map_flat_values(tf.add, two, tf.RaggedTensor.from_row_splits([1, 2, 3], splits))
refusal(lambda: tf.Session().run(lists, {splits: [0, 1, 3]}))
"""
SAID = """\
You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3] x
indices = 7 is not in [0, 2) GatherV2
Cannot feed value of shape (2,) for Tensor 'x:0', which has shape '(?, 3)' -
The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, str -
Fetch argument <tf.Tensor 'elsewhere:0' shape=() dtype=float32> cannot be interpreted as a Tensor. ( -
Fetch argument 'nothing:0' cannot be interpreted as a Tensor. ("The name 'nothing:0' refers to a Ten -
Fetch argument 1 has invalid type <class 'int'>, must be a string or Tensor. (Can not convert a int  -
Fetch argument None has invalid type <class 'NoneType'> -
The Session graph is empty.  Add operations to the graph before calling run(). -
`feed_list` must be a list or tuple. -
len is not well defined for symbolic Tensors. (x:0) Please call `x.shape` rather than `len(x)` for s -
Cannot infer num from shape <unknown> -
Outputs of true_fn and false_fn must have the same type: int32, float32 -
Tensor (?, 3)
"""
"""The first line of each error, cut at 100 characters, and its operation."""
TAKEN = """\
float32
float32
float64
complex64
float64
float32
float32
TypeError No argument for input y
TypeError Should not specify value for inferred attr 'T'.
TypeError apply_op() got unexpected keyword arguments: z
TypeError No argument for attr keep_dims
TypeError Expected int32, got 1.5 of type 'float' instead.
TypeError Expected int32, got 'a' of type 'str' instead.
TypeError Cannot convert value 'foo' to a TensorFlow DType.
ValueError Unknown attribute: 'bar' in '/bar:3'
ValueError x has to be a floating point tensor since it's going to be scaled. Got a <dtype: 'int32'
TypeError Expected tf.group() expected Tensor arguments not '3' with type '<class 'int'>'
ValueError axis = 5 not in [-1, 1)
ValueError axis = -5 not in [-1, 1)
ValueError value_rowids must have dtype int32 or int64
TypeError repeats must be an integer tensor; dtype=<dtype: 'float32'>
ValueError Indices and updates specified for empty output shape for 'ScatterNd' (op: 'ScatterNd') w
ValueError Inputs must have identical ragged splits
InvalidArgumentError assertion failed: [Inputs must have identical ragged splits] [Condition x == y did not h
"""
"""The types of results, then errors, cut at 88 characters."""
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
from tensorflow.python.ops import gen_math_ops
from tensorflow.python.platform import tf_logging
"""
OURS = """
from tf2bridge import v1 as tf
tf.enable(api="1.15")
ops, tf_logging = tf.python.framework.ops, tf.python.platform.tf_logging
gen_math_ops = tf.python.ops.gen_math_ops
"""

CASES = pytest.mark.parametrize(
    ("program", "printed"),
    [(PROGRAM, PRINTED), (SESSIONS, SAID), (ARGUMENTS, TAKEN)],
    ids=["graphs", "sessions", "arguments"],
)


@CASES
def test_programs_get_the_same_answers(program: str, printed: str) -> None:
    done = forked.run(OURS + program)
    assert done.stdout == printed, done.stderr


@pytest.mark.oracle
@CASES
def test_the_genuine_release_answers_so(program: str, printed: str) -> None:
    done = oracles.run("1.15.5", GENUINE + program)
    assert done.stdout == printed, done.stderr
