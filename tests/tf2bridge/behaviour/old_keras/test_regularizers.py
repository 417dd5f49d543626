"""What penalties of weights are made of; the operations are those of genuine 1.15.5."""

from __future__ import annotations

import pytest

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable()
x = tf.placeholder(tf.float32, [2, 3])
before = len(tf.get_default_graph().get_operations())
penalty = tf.keras.regularizers.{call}(x)
print(*[op.type for op in tf.get_default_graph().get_operations()[before:]])
print(tf.Session().run(penalty, {{x: [[1.0, -2.0, 0.0], [3.0, 0.0, 0.0]]}}))
"""


@pytest.mark.parametrize(
    ("call", "kinds", "value"),
    [
        ("l2(0.5)", "Square Const Sum Const Mul Const AddV2", "7.0"),  # 0.5 * (1 + 4 + 9)
        ("l1(0.5)", "Abs Const Sum Const Mul Const AddV2", "3.0"),  # 0.5 * (1 + 2 + 3)
    ],
)
def test_penalties_are_added_to_nothing(call: str, kinds: str, value: str) -> None:
    done = forked.run(PROGRAM.format(call=call))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == [kinds, value]
