"""The old graph's call with large constants as variables: what it keeps in memory."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.decompile.old_calls import with_held_constants


def _module(size: int) -> Any:
    def build(x: Any) -> Any:
        return tf.reduce_sum(x * tf.constant(np.arange(size), tf.float32))

    return tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([])})


def test_a_large_constant_is_held_once_outside_of_the_graph() -> None:
    module = _module(4096)
    held = with_held_constants(module)
    assert held is not module
    assert held is with_held_constants(module)
    assert "Const" not in {node.op for node in held.graph.graph_def.node if "held" in node.name}
    assert float(held(2.0)) == float(module(2.0)) == 2.0 * 4095 * 4096 / 2


@pytest.mark.parametrize("size", [3, 4096])
def test_a_module_that_is_gone_is_not_kept(size: int) -> None:
    module = _module(size)
    with_held_constants(module)(1.0)
    gone = weakref.ref(module)
    del module
    gc.collect()
    assert gone() is None
