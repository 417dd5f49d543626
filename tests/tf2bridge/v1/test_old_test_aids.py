"""Aids that tests of 1.15 import from private modules; one that is absent stops a whole file of tests."""

from __future__ import annotations

from tests import forked

PROGRAM = """
import os
from tf2bridge import v1 as tf
tf.enable()
ops, shapes = tf.python.framework.ops, tf.python.framework.common_shapes
ops._set_call_cpp_shape_fn(shapes.call_cpp_shape_fn)
print([shape.as_list() for shape in shapes.call_cpp_shape_fn(tf.zeros([2, 3]).op)["shapes"]])

@tf.python.framework.test_util.use_deterministic_cudnn
def chosen():
    return os.environ["TF_CUDNN_DETERMINISTIC"]

print(chosen(), repr(os.environ["TF_CUDNN_DETERMINISTIC"]))
"""


def test_aids_of_tests_are_there() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == ["[[2, 3]]", "true ''"]


PARALLEL = """
from tf2bridge import v1 as tf
tf.enable()
loops = tf.python.ops.parallel_for.test_util

class Squares(loops.PForTestCase):
    def runTest(self):
        self._test_loop_fn(lambda i: tf.square(i), 3, loop_fn_dtypes=tf.int32)

print(Squares().run().wasSuccessful())
"""


def test_loops_say_their_types() -> None:
    done = forked.run(PARALLEL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1:] == ["True"]
