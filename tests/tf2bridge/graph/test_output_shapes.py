"""Static shapes behind loops and conditions: as much as is known, and never a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import unpacked


@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.12.3", "1.15.5"])
def test_a_value_that_grows_has_no_size(release: str, tmp_path_factory: Any) -> None:
    model = unpacked(f"{release}/loop_growing", tmp_path_factory.getbasetemp())
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=["y", "size", "inner"])
    assert module.outputs["y"].shape.as_list() == [None, 3]
    assert module.outputs["inner"].shape.as_list() == [None, 3]
    outputs = module(model.part("in")["x"])
    assert outputs["size"].numpy().tolist() == model.part("out")["size"].tolist() == [8, 3]
    np.testing.assert_allclose(outputs["y"], model.part("out")["y"], rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "output", "shape"),
    [
        ("1.15.5/loop", "y:0", [None, 3]),
        ("1.15.5/loop_nested", "y:0", [3]),
        ("1.15.5/loop_in_condition", "y:0", [3]),
        ("1.4.1/condition", "y:0", [None, 2]),
        ("1.12.3/rnn_lstm", "last:0", [None, 4]),
        ("1.12.3/condition_in_loop", "y:0", [3]),
    ],
)
def test_what_keeps_its_shape_has_it(name: str, output: str, shape: list[Any], tmp_path_factory: Any) -> None:
    model = unpacked(name, tmp_path_factory.getbasetemp())
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=[output])
    (result,) = module.outputs.values()
    assert result.shape.as_list() == shape


def repeated(step: Callable[[Any], Any], start: Any) -> Any:
    """Two iterations of a `tf.while_loop`."""
    return tf.compat.v1.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, step(y)), [0, start])[1]


def test_equal_loops_on_other_shapes_are_other_functions(tmp_path: Path) -> None:
    def loop(width: int) -> Any:
        with tf.Graph().as_default() as graph:
            tf.compat.v1.disable_control_flow_v2()
            try:
                x = tf.compat.v1.placeholder(tf.float32, [width], name="x")
                y = repeated(lambda y: repeated(lambda z: z * 2.0, y), x)
                tf.identity(y, name="y")
            finally:
                tf.compat.v1.enable_control_flow_v2()
        path = tmp_path / f"{width}.pb"
        path.write_bytes(graph.as_graph_def().SerializeToString())
        return tf2bridge.load(path)

    for width in (2, 5):
        module = loop(width)
        assert module.outputs["y"].shape.as_list() == [width]
        np.testing.assert_array_equal(module(np.ones(width, np.float32)), np.full(width, 16.0))
