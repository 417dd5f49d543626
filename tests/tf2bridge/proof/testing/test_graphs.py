"""A test's own TF 1.x graph computes what the release computed, and leaves the process as it was."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge.behaviour.release import MEASURED
from tf2bridge.errors import UnknownReleaseError
from tf2bridge.proof.testing.graphs import tf1_graph

v1 = tf.compat.v1


def attributes() -> dict[tuple[str, str, str], int]:
    """(module, class or "", attribute) -> identity, of all that TensorFlow and tf_keras have loaded."""
    result: dict[tuple[str, str, str], int] = {}
    for name, module in list(sys.modules.items()):
        if not name.startswith(("tensorflow.python", "tf_keras", "absl.flags")) or not hasattr(module, "__dict__"):
            continue
        for key, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType | bool | int | type):
                result[name, "", key] = id(value)
            if isinstance(value, type) and value.__module__ == name:
                for attribute, its in list(vars(value).items()):
                    if isinstance(its, types.FunctionType | bool):
                        result[name, key, attribute] = id(its)
    return result


def draw(seed: int, api: str) -> Any:
    with tf1_graph(seed, api) as result:
        w = v1.get_variable("w", [2, 2])
        result.run(v1.global_variables_initializer())
        return w.eval().ravel()


@pytest.mark.parametrize("api", MEASURED)
def test_nothing_of_it_is_left(api: str) -> None:
    draw(7, api)  # what is imported for it stays
    before, enabled = attributes(), tf.__internal__.tf2.enabled()
    draw(7, api)
    after = attributes()
    assert {key for key in before if after.get(key) != before[key]} == set()
    assert after.keys() == before.keys()
    assert tf.__internal__.tf2.enabled() == enabled
    assert tf.executing_eagerly()
    assert v1.get_default_session() is None


def test_values_are_those_of_the_release() -> None:
    """As genuine TensorFlow 0.12.1, 1.4.1 and 1.15.5 print them for this graph seed."""
    since_1_4 = np.float32([-0.24228424, -0.30168182, -0.46713537, -1.0090046])
    np.testing.assert_array_equal(draw(7, "0.12"), np.float32([-0.74634033, 0.09540784, -1.1094923, 0.43015766]))
    np.testing.assert_array_equal(draw(7, "1.4"), since_1_4)
    np.testing.assert_array_equal(draw(7, "1.15"), since_1_4)


def test_it_is_left_after_an_error_and_refuses_what_is_no_release() -> None:
    with pytest.raises(ZeroDivisionError), tf1_graph() as result:
        assert result.session.graph is v1.get_default_graph()
        raise ZeroDivisionError
    assert tf.executing_eagerly()
    with pytest.raises(UnknownReleaseError), tf1_graph(api="2.4"):
        pass


def test_variables_tables_and_local_variables_are_initialized_at_once() -> None:
    with tf1_graph() as result:
        table = v1.lookup.StaticHashTable(v1.lookup.KeyValueTensorInitializer(["a"], [3]), -1)
        local = v1.get_local_variable("local", [], initializer=v1.ones_initializer())
        value = table.lookup(tf.constant("a"))
        assert result.initialize().run([value, local]) == [3, 1.0]
