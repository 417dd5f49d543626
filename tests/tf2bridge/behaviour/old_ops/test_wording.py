"""Errors of ragged tensors, loops, tables and gradients say what they said in 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import {module} as tf
{enable}
from {module}.python.ops import lookup_ops
from {module}.python.ops.parallel_for import control_flow_ops, gradients
ragged = tf.ragged.constant([[1, 2], [3]])
dense = tf.constant([[1, 2], [3, 4]])
section = tf.CriticalSection(name="section")
def inside():
    return section.execute(lambda: tf.constant(1))
CALLS = dict(
    both=lambda: tf.RaggedTensor.from_tensor(dense, lengths=[1, 2], padding=0),
    text=lambda: tf.RaggedTensor.from_tensor(dense, ragged_rank="bad"),
    number=lambda: tf.RaggedTensor.from_tensor(dense, ragged_rank=1.5),
    none=lambda: tf.RaggedTensor.from_tensor(dense, ragged_rank=None),
    zero=lambda: tf.RaggedTensor.from_tensor(dense, ragged_rank=0),
    rank=lambda: tf.gather(ragged, tf.placeholder(tf.int32)),
    scalar=lambda: tf.map_fn(lambda x: x, tf.constant(1)),
    one=lambda: control_flow_ops.pfor(lambda i: i, 4, parallel_iterations=1),
    jacobian=lambda: gradients.batch_jacobian(tf.ones([3, 2]), tf.ones([2, 2])),
    words=lambda: lookup_ops.index_table_from_file("words.txt", vocab_size=0),
    complex=lambda: tf.gradients(tf.square(tf.constant(1j, tf.complex64)), tf.constant(1.0)),
    integers=lambda: tf.debugging.assert_type(tf.constant(1.0, name="x"), tf.int32),
    locked=lambda: section.execute(inside),
    initial=lambda: tf.constant_initializer(tf.Variable([1.0], use_resource=False)),
)
for name in sorted(CALLS):
    try:
        print(name, "gave", type(CALLS[name]()).__name__)
    except Exception as error:
        print(name, type(error).__name__, error)
"""


@pytest.mark.oracle
def test_errors_say_what_they_said() -> None:
    expected = lines(PROGRAM, "1.15.5", "1.15.5")
    assert len(expected) > 12 and not any(" gave " in line for line in expected), expected
    assert lines(PROGRAM, None, "1.15.5") == expected
