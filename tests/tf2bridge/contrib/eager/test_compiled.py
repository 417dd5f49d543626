"""What `tf.contrib.eager.defun` traces and which variables it makes, as genuine 1.15.5 (Sonnet 1.36's DefunTest)."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable()
traces = []
@tf.contrib.eager.defun
def scaled(x):
    traces.append(x.shape)
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        return x * tf.get_variable("w", [3], initializer=tf.ones_initializer())
scaled(tf.zeros([1, 3]))
found = scaled(tf.ones([1, 3]))
print(len(traces), [v.name for v in tf.trainable_variables()])
other = scaled(tf.ones([2, 3]))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(len(traces), session.run(found).tolist(), session.run(other).shape)
"""


def test_a_function_is_traced_once_and_its_variables_are_the_graphs() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == ["1 ['net/w:0']", "2 [[1.0, 1.0, 1.0]] (2, 3)"]


DEFAULTS = """
from tf2bridge import v1 as tf
tf.enable()
tf.enable_eager_execution()
traces = []
@tf.contrib.eager.defun
def scaled(x, scale=2.0, flag=False):
    traces.append(scale)
    return x * scale if flag else x - scale
print([float(scaled(tf.constant(1.0), *given)) for given in ((), (2.0,), (2.0, True), (3.0, True), ())], len(traces))
class Adder:
    @tf.contrib.eager.defun
    def add(self, x, y=1.0):
        return x + y
print(float(Adder().add(tf.constant(1.0))), float(Adder().add(tf.constant(1.0), y=3.0)))
"""


def test_a_function_may_have_defaults() -> None:
    """Genuine 1.15.5 prints the same for `defun` of tensorflow.python.eager.function."""
    done = forked.run(DEFAULTS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == ["[-1.0, -1.0, 2.0, 3.0, -1.0] 3", "2.0 4.0"]
