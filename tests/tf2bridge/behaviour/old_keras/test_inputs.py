"""What layers ask of their inputs; genuine 1.15.5 raises these words."""

from __future__ import annotations

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable()
for layer in (tf.layers.Dense(2), tf.layers.MaxPooling2D(2, 2), tf.keras.layers.LSTM(3)):
    try:
        layer.apply(tf.placeholder(tf.float32)) if hasattr(layer, "apply") else layer(tf.placeholder(tf.float32))
    except ValueError as error:
        print("requires a defined rank" in str(error))
print(tf.layers.dense(tf.placeholder(tf.float32, [None, 3]), 2).shape)
"""


def test_a_layer_that_needs_a_rank_refuses_a_tensor_without() -> None:
    done = forked.run(PROGRAM)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["True", "True", "True", "(?, 2)"]
