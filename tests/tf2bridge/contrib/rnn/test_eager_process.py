"""The cells of contrib.rnn in a process that executes eagerly, by way of `tf2bridge.wrap`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tf2bridge import v1, wrap

GATES = ("input", "transform", "forget", "output", "state")
NORMALIZED = [f"{gate}/{name}" for gate in GATES for name in ("gamma", "beta")]
INPUTS = np.sin(np.arange(24, dtype=np.float32)).reshape(2, 4, 3)


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("LayerNormBasicLSTMCell", ["kernel", *NORMALIZED]),
        ("NASCell", ["recurrent_kernel", "kernel"]),
        ("LSTMBlockCell", ["kernel", "bias"]),
        ("UGRNNCell", ["kernel", "bias"]),
    ],
)
def test_a_cell_is_wrapped_and_trained(cell: str, names: list[str]) -> None:
    import tensorflow as tf

    def build(x: Any) -> Any:
        return v1.nn.dynamic_rnn(getattr(v1.contrib.rnn, cell)(2), x, dtype=v1.float32)[0]

    module = wrap(build, inputs={"x": tf.TensorSpec([None, 4, 3])})
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(module(INPUTS)))
    slopes = tape.gradient(loss, module.trainable_variables)
    assert [variable.name.partition("cell/")[2] for variable in module.variables] == [f"{name}:0" for name in names]
    assert all(np.any(slope) for slope in slopes if slope is not None)
    assert sum(slope is not None for slope in slopes) == len(names)
