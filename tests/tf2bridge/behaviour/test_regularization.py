"""What `tf.get_variable(regularizer=...)` collects; genuine 1.15.5 passes both (its legacy_fully_connected tests)."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable()
calls = []
def regularizer(v):
    calls.append(v)
    return tf.nn.l2_loss(v, name="half")
with tf.variable_scope("net"):
    tf.get_variable("w", [2], regularizer=regularizer)
    tf.get_variable("b", [2], regularizer=lambda v: None)
    tf.get_variable("c", [2], regularizer={})
losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
print([type(each).__name__ for each in losses], [each.name for each in losses], len(calls))
print([op.name for op in tf.get_default_graph().get_operations() if op.type == "L2Loss"])
"""


def test_losses_are_tensors_made_once() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()[-2:]
    assert first in ("['Tensor'] ['net/w/Regularizer/half:0'] 1", "['SymbolicTensor'] ['net/w/Regularizer/half:0'] 1")
    assert second == "['net/w/Regularizer/half']"
