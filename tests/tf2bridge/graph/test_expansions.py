"""Operations that TensorFlow 2 lacks a gradient or kernel for, put into others. Recorded ones: test_recorded_graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.test_load import write
from tf2bridge.graph.passes.fused_cells import CELLS

v1 = tf.compat.v1


def _lstm(x: Any) -> Any:
    w = tf.constant(np.sin(np.arange(5 * 8)).reshape(5, 8), tf.float32)
    peephole = tf.constant([0.3, -0.2])
    zeros = tf.zeros([2, 2])
    return tf.raw_ops.LSTMBlockCell(
        x=x, cs_prev=zeros + 0.4, h_prev=zeros, w=w, wci=peephole, wcf=peephole, wco=peephole, b=tf.ones([8]),
        forget_bias=0.7, cell_clip=0.5, use_peephole=True, name="cell",
    )  # fmt: skip


def _gru(x: Any) -> Any:
    w = tf.constant(np.sin(np.arange(5 * 4)).reshape(5, 4), tf.float32)
    return tf.raw_ops.GRUBlockCell(
        x=x, h_prev=tf.fill([2, 2], 0.4), w_ru=w, w_c=w[:, :2], b_ru=tf.ones([4]), b_c=tf.zeros([2]), name="cell"
    )


@pytest.mark.parametrize(("build", "outputs"), [(_lstm, 7), (_gru, 4)])
def test_every_output_is_the_kernels_and_may_be_fetched(build: Any, outputs: int, tmp_path: Path) -> None:
    def graph() -> None:
        with tf.control_dependencies([build(v1.placeholder(tf.float32, [2, 3], name="x"))[0].op]):
            tf.constant(1.0, name="behind")

    x = np.cos(np.arange(6.0, dtype=np.float32)).reshape(2, 3)
    module = tf2bridge.load(write(tmp_path / "cell.pb", graph), inputs=["x:0"], outputs=["behind:0"])
    result = module.function(["x:0"], [f"cell:{port}" for port in range(outputs)] + ["behind:0"])(x)
    for ours, kernels in zip(result, build(tf.constant(x)), strict=False):
        np.testing.assert_allclose(ours, kernels, rtol=1e-6, atol=1e-7)
    assert float(result[-1]) == 1.0
    assert "LSTMBlockCell" not in {node.op for node in module.call.concrete.graph.as_graph_def().node}


def test_the_last_bits_are_the_kernels() -> None:
    """So that a training step through the cell is that of a session."""
    draw = np.random.default_rng(4)
    x, h, w_gates, w, b_gates, b = (
        draw.standard_normal(shape).astype(np.float32) for shape in ([9, 3], [9, 4], [7, 8], [7, 4], [8], [4])
    )
    kernel = tf.raw_ops.GRUBlockCell(x=x, h_prev=h, w_ru=w_gates, w_c=w, b_ru=b_gates, b_c=b)
    ours = CELLS["GRUBlockCell"]({}, *map(tf.constant, (x, h, w_gates, w, b_gates, b)))
    for result, expected in zip(ours, kernel, strict=True):
        np.testing.assert_array_equal(result, expected)


def test_a_cell_in_a_branch_of_a_loop_is_differentiable(tmp_path: Path) -> None:
    def graph() -> None:
        v1.disable_control_flow_v2()
        try:
            x = v1.placeholder(tf.float32, [2, 3], name="x")
            step = lambda i, y: (i + 1, v1.cond(i < 1, lambda: tf.concat([_gru(y)[3], y[:, :1]], 1), lambda: y * 2.0))  # noqa: E731
            tf.identity(v1.while_loop(lambda i, _: i < 2, step, [0, x])[1], name="y")
        finally:
            v1.enable_control_flow_v2()

    x = tf.constant(np.cos(np.arange(6.0, dtype=np.float32)).reshape(2, 3))
    module = tf2bridge.load(write(tmp_path / "loop.pb", graph))
    expected = 2.0 * tf.concat([_gru(x)[3], x[:, :1]], 1)
    np.testing.assert_allclose(module(x), expected, rtol=1e-6)
    theirs, ours = tf.test.compute_gradient(module, [x], delta=1e-2)
    np.testing.assert_allclose(theirs[0], ours[0], atol=1e-3)
