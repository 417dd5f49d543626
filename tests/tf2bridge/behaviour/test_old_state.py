"""Private state of TensorFlow 1.x that programs read: the same text on a genuine release and here."""

from __future__ import annotations

import importlib

import pytest

from tests import forked, oracles

SHARED = """
import os, tempfile
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.get_variable("w", [2, 3], initializer=tf.zeros_initializer())
y = tf.matmul(x, w, name="y")
with tf.control_dependencies([y.op]):
    z = tf.identity(x, name="z")
graph = tf.get_default_graph()
print([t.name for t in y.op._inputs], [t.name for t in y.op._outputs], [op.name for op in z.op._control_inputs])
print(y.op._graph is graph, y._value_index, y._shape.as_list(), list(graph._nodes_by_name)[0])
print(graph._nodes_by_name.get("none"), graph._nodes_by_name["y"] is graph._get_operation_by_name_unsafe("y"))
print("MatMul" in graph._registered_ops, graph._version == len(graph._nodes_by_id), w._snapshot.name)
node = tf.NodeDef(name="made", op="Neg")
node.attr["T"].type = tf.float32.as_datatype_enum
made = tf.Operation(node, graph, [y], [tf.float32])
print(type(made) is tf.Operation, made.inputs[0] is y, made.outputs[0].name, made.outputs[0].dtype.name)
y.op._traceback = [("file", 1, "name", {})]
print(y.op._traceback[0][2])
layer = tf.layers.Dense(1)
layer.apply(y)
layer.add_update(tf.no_op(), inputs=y)
session = tf.Session()
print(session._closed, [v.name for v in layer.weights])
dataset = tf.data.Dataset.range(4).map(lambda number: number)
print(dataset.output_types == tf.int64, dataset.output_shapes)
step = tf.Variable([7], name="global_step")
session.run(step.initializer)
folder = tempfile.mkdtemp()
writer = tf.summary.FileWriter(folder)
writer.add_summary(tf.Summary(), session.run(step))
writer.close()
written = tf.train.summary_iterator(os.path.join(folder, os.listdir(folder)[0]))
print(tf.train.global_step(session, step), [event.step for event in written])
"""
PRINTED = """\
['x:0', 'w/read:0'] ['y:0'] ['y']
True 0 [None, 3] x
None True
True True w/read:0
True True made:0 float32
name
False ['dense/kernel:0', 'dense/bias:0']
True ()
7 [0, 7]
"""

OF_1_4 = """
scopes = tf.get_collection_ref(variable_scope._VARSCOPE_KEY)
with tf.variable_scope("outer"):
    inside = tf.get_collection_ref(variable_scope._VARSCOPE_KEY)
    print(inside[0].name, inside[0] is tf.get_variable_scope())
    before = inside[0]
    inside[0] = tf.VariableScope(False, name="other")
    print(tf.get_variable("v", []).name)
    inside[0] = before
adam = tf.train.AdamOptimizer()
adam.minimize(tf.reduce_sum(w))
print(adam._beta1_power.name, adam._beta2_power.name, dataset._output_types == tf.int64)
print(isinstance(x, ops._TensorLike), ops._default_session_stack.stack, ops.set_shapes_for_outputs(y.op))
print(context.in_graph_mode(), context.in_eager_mode())
flags = tf.app.flags
flags.DEFINE_integer("steps", 3, "")
print(flags.FLAGS.__parsed, flags.FLAGS.steps, flags.FLAGS.__flags["steps"], flags.FLAGS.__dict__["__flags"]["steps"])
print(flags.FLAGS.__parsed, flags._FlagValues().steps, tf.logging._logger.name)
"""
PRINTED_BY_1_4 = """\
outer True
other/v:0
beta1_power:0 beta2_power:0 True
True [] None
True False
False 3 3 3
True 3 tensorflow
"""
GENUINE = """
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import ops
from tensorflow.python.ops import variable_scope
"""
OURS = """
from tf2bridge import v1 as tf
tf.enable(api={!r})
context, ops, variable_scope = tf.python.eager.context, tf.python.framework.ops, tf.python.ops.variable_scope
"""
CASES = [("1.15", SHARED, PRINTED), ("1.4", SHARED + OF_1_4, PRINTED + PRINTED_BY_1_4)]


@pytest.mark.parametrize("release, program, printed", CASES, ids=["1.15", "1.4"])
def test_the_state_is_there(release: str, program: str, printed: str) -> None:
    done = forked.run(OURS.format(release) + program)
    assert done.stdout == printed, done.stderr


def test_what_is_no_recurrent_cell_is_refused() -> None:
    check = importlib.import_module("tf2bridge.v1.python.ops.rnn_cell_impl").assert_like_rnncell
    with pytest.raises(TypeError, match="is not an RNNCell"):
        check("cell", object())


@pytest.mark.oracle
@pytest.mark.parametrize("release, program, printed", CASES, ids=["1.15", "1.4"])
def test_the_genuine_release_has_it_so(release: str, program: str, printed: str) -> None:
    done = oracles.run({"1.4": "1.4.1", "1.15": "1.15.5"}[release], GENUINE + program)
    assert done.stdout == printed, done.stderr
