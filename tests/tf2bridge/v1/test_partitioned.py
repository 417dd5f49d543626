"""`functional_ops.partitioned_call` makes the operations that it made in 1.15.5, and gives what they gave."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import {module} as tf
{enable}
from {module}.python.framework import function
from {module}.python.ops import functional_ops
@function.Defun(tf.float32, tf.float32)
def both(x, y):
    return x + y, x * y
variable = tf.Variable(1.0, use_resource=True)
@function.Defun()
def add():
    variable.assign_add(1.0)
results = functional_ops.partitioned_call([tf.constant(2.0), tf.constant(3.0)], both)
added = functional_ops.partitioned_call(args=add.captured_inputs, f=add)
print([each.op.type for each in results], added.type)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print([float(each) for each in session.run(results)])
    session.run(added)
    print(session.run(variable))
"""


@pytest.mark.oracle
def test_calls_are_those_of_1_15() -> None:
    assert lines(PROGRAM, None, "1.15.5") == lines(PROGRAM, "1.15.5", "1.15.5")
