"""Conditions of TensorFlow 1.x that depend on each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge

v1 = tf.compat.v1


@pytest.mark.usefixtures("old_control_flow")
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


def graph_of(build: Callable[[Any], Any], x: Any, folder: Path) -> tuple[Any, Any]:
    """Returns the module of a graph with gradients of what `build` makes of `x`, and what a session computes of it."""
    with tf.Graph().as_default() as graph:
        placeholder = v1.placeholder(tf.float32, x.shape, "x")
        y = build(placeholder)
        results = [tf.identity(y, "y"), tf.identity(v1.gradients(y, placeholder)[0], "gradient")]
        with v1.Session() as session:
            computed = session.run(results, {placeholder: x})
    (folder / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    return tf2bridge.load(folder / "graph.pb", ["y", "gradient"], ["x"]), computed


@pytest.mark.usefixtures("old_control_flow")
def test_a_condition_in_a_loop_whose_gradient_needs_what_a_branch_computed(tmp_path: Path) -> None:
    """The `TrainingHelper` of `tf.contrib.seq2seq` reads the next input in such a condition, and its index is kept."""

    def build(rows: Any) -> Any:
        array = v1.TensorArray(tf.float32, 5, clear_after_read=False).unstack(rows)

        def step(number: Any, total: Any) -> Any:
            def following() -> Any:
                return array.read(number + 1) * tf.cast(number + 1, tf.float32)

            return number + 1, total + total * v1.cond(tf.equal(number, 4), lambda: tf.zeros([3]), following)

        return v1.while_loop(lambda number, _: number < 5, step, [tf.constant(0), tf.ones([3])])[1]

    x = np.random.default_rng(0).random((5, 3), np.float32)
    module, computed = graph_of(build, x, tmp_path)
    for array, expected in zip(module(x).values(), computed, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-5)


@pytest.mark.usefixtures("old_control_flow")
def test_the_gradient_of_a_condition_takes_the_random_numbers_that_the_condition_drew(tmp_path: Path) -> None:
    """As for dropout in a condition on is_training: `y` is (x n)^2 for random n, its gradient 2 x n^2 = 2 y / x."""

    def build(x: Any) -> Any:
        drawn = v1.cond(tf.reduce_sum(x) > 0.0, lambda: x * tf.exp(tf.random.uniform([4])), lambda: 2.0 * x)
        return drawn * drawn

    module, _ = graph_of(build, np.ones(4, "f"), tmp_path)
    for _ in range(3):
        drawn = module(np.full(4, 2.0, "f"))
        np.testing.assert_allclose(drawn["y"], drawn["gradient"], rtol=1e-6)
    assert len(set(drawn["y"].numpy())) == 4
    assert module(np.full(4, -1.0, "f"))["gradient"].numpy().tolist() == [-8.0] * 4


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize("first", [1.0, -1.0])
def test_the_gradient_of_a_loop_in_a_branch(first: float, tmp_path: Path) -> None:
    """As of `tf.contrib.crf`: the loop over the steps of a sequence stands in a condition on their number."""

    def build(x: Any) -> Any:
        def steps() -> Any:
            return v1.while_loop(lambda number, _: number < 3, step, [tf.constant(0), x])[1]

        def step(number: Any, total: Any) -> Any:
            return number + 1, tf.sin(total) * tf.reduce_logsumexp(total)

        return v1.cond(x[0] > 0.0, steps, lambda: 2.0 * x)

    x = np.array([first, 0.5, -0.25], "f")
    module, computed = graph_of(build, x, tmp_path)
    for array, expected in zip(module(x).values(), computed, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-5)


@pytest.mark.usefixtures("old_control_flow")
def test_the_gradient_of_loops_and_conditions_in_each_other(tmp_path: Path) -> None:
    def build(x: Any) -> Any:
        is_large = x[0] > 0.0

        def inner(total: Any) -> Any:
            def step(number: Any, total: Any) -> Any:
                again = v1.cond(tf.equal(number, 1), lambda: tf.sin(total), lambda: tf.exp(-total))
                return number + 1, again * v1.cond(is_large, lambda: tf.cos(total), lambda: total)

            return v1.while_loop(lambda number, _: number < 2, step, [tf.constant(0), total])[1]

        def step(number: Any, total: Any) -> Any:
            return number + 1, v1.cond(tf.equal(number, 2), lambda: inner(total), lambda: total * total)

        def steps() -> Any:
            return v1.while_loop(lambda number, _: number < 3, step, [tf.constant(0), x])[1]

        return v1.cond(is_large, lambda: inner(x) + steps(), lambda: 2.0 * x)

    x = np.array([0.7, 0.5, -0.25], "f")
    module, computed = graph_of(build, x, tmp_path)
    for array, expected in zip(module(x).values(), computed, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-5)


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize("first", [1.0, -1.0])
def test_the_gradient_of_an_array_in_a_branch(first: float, tmp_path: Path) -> None:
    """As of `tf.nn.dynamic_rnn`, which takes its inputs from an array: its gradient is an array, too."""

    def build(x: Any) -> Any:
        def steps() -> Any:
            array = v1.TensorArray(tf.float32, tf.shape(x)[0]).unstack(x)
            return v1.while_loop(
                lambda number, _: number < tf.shape(x)[0],
                lambda number, total: (number + 1, tf.sin(total) * array.read(number)),
                [tf.constant(0), x[0]],
            )[1]

        return v1.cond(x[0, 0] > 0.0, steps, lambda: 2.0 * x[1])

    x = np.array([[first, 0.5], [0.3, 0.9], [-0.25, 1.5]], "f")
    module, computed = graph_of(build, x, tmp_path)
    for array, expected in zip(module(x).values(), computed, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-5)
