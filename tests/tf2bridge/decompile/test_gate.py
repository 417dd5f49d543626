"""What the gate lets through: rounding, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import v1
from tf2bridge.decompile import gate, recording
from tf2bridge.decompile.idioms.layer import Weight


def test_rounding_that_crosses_a_border_is_measured() -> None:
    def build(x: Any) -> Any:
        scale = v1.get_variable("scale", [], initializer=v1.ones_initializer())
        return tf.nn.relu(scale * x - 1.0)

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([50])})
    computed = recording.Recording(module, {"x": np.ones(50, np.float32)})
    paths = {"scale": Weight(("scale",))}
    arrays, roundings = computed.arrays(paths), computed.roundings(paths)
    assert np.array_equal(arrays["gradient in x"], np.zeros(50))  # ReLU has no gradient at 0, but one just above it
    assert roundings["rounding gradient in x"] == pytest.approx(7)  # the largest weight of `weighted_sum`
    assert 0 < roundings["rounding out 0"] < 3 * np.finfo(np.float32).eps
    assert module.variables[0].numpy() == 1


def test_the_worst_difference_comes_first() -> None:
    measured = {"a": (1e-6, 1e-5), "b": (3e-5, 1e-5), "c": (float("nan"), 1e-5), "d": (1e-3, 1e-2), "e": (2e-3, 1e-5)}
    assert gate.unequal(measured) == ["c", "e", "b"]
