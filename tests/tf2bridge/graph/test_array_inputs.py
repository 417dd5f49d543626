"""Arrays given to a live graph: taken as TensorFlow takes them, and never shared with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge


@pytest.fixture
def module(tmp_path: Path) -> Any:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 2], name="x")
        tf.identity(x, name="same")
        tf.multiply(x, 2.0, name="twice")
    path = tmp_path / "graph.pb"
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return tf2bridge.load(path, outputs=["same", "twice"])


def test_a_result_stays_when_the_array_changes(module: Any) -> None:
    x = np.ones([64, 2], np.float32)
    outputs = module(x)
    x[:] = 5.0
    np.testing.assert_array_equal(outputs["same"], np.ones([64, 2]))
    np.testing.assert_array_equal(outputs["twice"], np.full([64, 2], 2.0))


@pytest.mark.parametrize("given", [np.ones([3, 2]), np.ones([2, 3], np.float32).T, np.ones([3, 2], np.int64)])
def test_arrays_of_other_types_and_orders_become_the_placeholders(given: Any, module: Any) -> None:
    outputs = module(given)
    assert outputs["twice"].dtype == tf.float32
    np.testing.assert_array_equal(outputs["twice"], np.full([3, 2], 2.0))


def test_an_array_of_text_is_refused(module: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        module(np.array([["a", "b"]]))


def test_an_array_given_while_a_function_is_traced_is_a_constant_of_it(module: Any) -> None:
    traced = tf.function(lambda: module(np.ones([1, 2], np.float32))["twice"])
    assert {op.type for op in traced.get_concrete_function().graph.get_operations()} >= {"Const"}
    np.testing.assert_array_equal(traced(), [[2.0, 2.0]])
