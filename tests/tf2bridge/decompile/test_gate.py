"""What the gate lets through: rounding, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import v1
from tf2bridge.decompile import gate, recording
from tf2bridge.decompile.emitted.test_model import LARGEST
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


def test_what_rounding_explains_is_equal(tmp_path: Path) -> None:
    """A batch normalization that cancels out gives nothing but rounding, which Keras has in other places."""

    def build(x: Any) -> Any:
        return v1.layers.batch_normalization(x, training=False, fused=True)

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None, 3, 3, 64])})
    gamma, beta, mean, variance = np.random.default_rng(0).uniform(0.1, 9.0, [4, 64]).astype(np.float32)
    values = {"gamma": gamma, "beta": beta, "moving_mean": mean, "moving_variance": variance}
    for variable in module.variables:
        variable.assign(values[variable.name.rpartition("/")[2].partition(":")[0]])
    x = (mean - beta * np.sqrt(variance + 1e-3) / gamma).astype(np.float32)
    done = tf2bridge.decompile(module, tmp_path / "rounded", feeds={"x": np.tile(x, (2, 3, 3, 1))})
    assert "keras.layers.BatchNormalization" in (done.path / "model.py").read_text()
    assert LARGEST < done.differences["out 0"] <= done.limits["out 0"]


def test_the_worst_difference_comes_first() -> None:
    differences = {"a": 1e-6, "b": 3e-5, "c": float("nan"), "d": 1e-3, "e": 2e-3}
    limits = {**dict.fromkeys(differences, 1e-5), "d": 1e-2}
    assert gate.unequal(differences, limits) == ["c", "e", "b"]
