"""Loops that count are told how often they run at most: then XLA compiles their gradients too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge

v1 = tf.compat.v1


def counting(path: Path, bound: Any, step: int = 1, start: int = 0) -> Any:
    """A module of x -> the same, squared in each iteration of a loop of TF 1.x."""
    with tf.Graph().as_default() as graph:
        v1.disable_control_flow_v2()
        try:
            x = v1.placeholder(tf.float32, [3], name="x")
            last = bound(x)
            loop = v1.while_loop(
                lambda i, y: tf.logical_and(i < last, tf.reduce_sum(y) < 1e6),
                lambda i, y: (i + step, y * y),
                [tf.constant(start), x],
            )
            tf.identity(loop[1], name="y")
        finally:
            v1.enable_control_flow_v2()
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return tf2bridge.load(path)


def given_limit(module: Any) -> int:
    """The number that the loop is given for its limit."""
    graph = module.call.concrete.graph
    (loop,) = (op for op in graph.get_operations() if op.type == "StatelessWhile")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(graph.as_graph_def(), name="")
        return int(session.run(loop.inputs[1].name, {graph.inputs[0].name: np.ones(3, np.float32)}))


@pytest.mark.parametrize(
    ("bound", "start", "limit"),
    [(lambda _: 3, 0, 3), (lambda x: tf.shape(x)[0], 1, 2), (lambda _: 2, 5, 0)],
    ids=["constant", "size", "none"],
)
def test_a_loop_that_counts_has_its_limit(bound: Any, start: int, limit: int, tmp_path: Path) -> None:
    module = counting(tmp_path / "counts.pb", bound, start=start)
    x = tf.constant([0.5, 1.0, 2.0])
    np.testing.assert_allclose(module(x), x ** (2**limit), rtol=1e-6)
    assert given_limit(module) == max(limit, 1)

    def slope(value: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(value)
            total = tf.reduce_sum(module(value))
        return tape.gradient(total, value)

    compiled = tf.function(slope, jit_compile=True)(x)
    np.testing.assert_allclose(compiled, 2**limit * x ** (2**limit - 1), rtol=1e-6)


def test_a_loop_that_counts_otherwise_has_none(tmp_path: Path) -> None:
    module = counting(tmp_path / "twos.pb", lambda _: 4, step=2)
    np.testing.assert_allclose(module(tf.constant([0.5, 1.0, 2.0])), [0.5**4, 1.0, 16.0], rtol=1e-6)
    assert given_limit(module) == -1
