"""Conditions of TensorFlow 1.x that depend on each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge

v1 = tf.compat.v1


@pytest.fixture
def _switches() -> Iterator[None]:
    """Graphs have the `Switch` and `Merge` operations of TensorFlow 1.x."""
    was = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    yield
    if was:
        v1.enable_control_flow_v2()


@pytest.mark.usefixtures("_switches")
def test_a_condition_whose_predicate_is_the_result_of_another(tmp_path: Path) -> None:
    """The check of `tf.losses` decides by such a condition whether weights of open shape fit."""
    with tf.Graph().as_default() as graph:
        x, t, w = (
            v1.placeholder(tf.float32, shape, name) for shape, name in (([None, 3], "x"), ([None, 3], "t"), (None, "w"))
        )
        v1.losses.mean_squared_error(t, x, w, scope="loss")
    assert "loss/assert_broadcastable/AssertGuard/Merge" in {node.name for node in graph.as_graph_def().node}
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["loss/value"], ["x", "t", "w"])
    x, t, w = np.ones((2, 3), "f"), np.zeros((2, 3), "f"), np.array([[1.0], [3.0]], "f")
    assert float(module(x, t, w)) == 2.0  # (3 * 1 + 3 * 3) / 6
    with pytest.raises(tf.errors.InvalidArgumentError, match="weights can not be broadcast to values"):
        module(x, t, np.ones(3, "f"))  # so do TensorFlow 1.4.1 and 1.12.3, though the shape [3] does broadcast
