"""Dequantized values and how they change with their range. Graphs of the releases: test_recorded_graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.test_load import write

v1 = tf.compat.v1


@pytest.mark.parametrize("mode", ["MIN_COMBINED", "MIN_FIRST", "SCALED"])
@pytest.mark.parametrize("dtype", [tf.quint8, tf.qint8])
def test_a_range_has_a_gradient(mode: str, dtype: tf.DType, tmp_path: Path) -> None:
    def build() -> None:
        low, high = (v1.placeholder(tf.float32, [], name=name) for name in ("low", "high"))
        numbers = tf.raw_ops.QuantizeV2(input=[-1.0, -0.3, 0.2, 1.9], min_range=-1.0, max_range=2.0, T=dtype)
        tf.raw_ops.Dequantize(input=numbers[0], min_range=low, max_range=high, mode=mode, name="y")

    module = tf2bridge.load(write(tmp_path / "bytes.pb", build), inputs=["low:0", "high:0"], outputs=["y:0"])
    given = [tf.constant(-1.0), tf.constant(2.0)]
    with module.session() as session:
        kernels = session.run("y:0", {"low:0": -1.0, "high:0": 2.0})
    np.testing.assert_array_equal(module(*given), kernels)
    exact, numerical = tf.test.compute_gradient(module, given, delta=2e-3)
    for one, other in zip(exact, numerical, strict=True):
        np.testing.assert_allclose(one, other, atol=5e-3)
