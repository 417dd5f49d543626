"""Graphs that today's TensorFlow would rewrite into others: what genuine TensorFlow computed is the truth."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked

FUSING = """
import sys
import numpy as np
import tensorflow as tf
import tf2bridge

folder, exact = sys.argv[1], sys.argv[2] == "exact"
with np.load(f"{folder}/expected.npz") as known:
    x, y = known["in x"], known["out y"]
module = tf2bridge.load(f"{folder}/frozen.pb", inputs=["x:0"], outputs=["y:0"], exact=exact)
inside = tf.function(lambda value: module(value))
with tf2bridge.load(f"{folder}/frozen.pb", inputs=["x:0"], outputs=["y:0"]).session() as session:
    theirs = session.run("y:0", {"x:0": x})
print(*(float(np.abs(found - y).max()) for found in (module(x), inside(tf.constant(x)), theirs)))
"""
"""Prints how far a frozen layer normalization is from the release: called, in tf.function, in a TF 2.21 session."""


@pytest.fixture(params=["1.4.1", "1.12.3", "1.15.5"])
def layer_norm(request: Any, tmp_path_factory: Any) -> Recorded:
    return unpacked(f"{request.param}/layer_norm", tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("mode", ["exact", "plain"])
def test_a_frozen_layer_norm_keeps_its_epsilon(layer_norm: Recorded, mode: str) -> None:
    here = str(Path(tf2bridge.__file__).parents[1])
    environment = os.environ | {"TF_ENABLE_ONEDNN_OPTS": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": here}
    process = subprocess.run(  # this Python: oneDNN is switched on before TensorFlow is imported
        [sys.executable, "-c", FUSING, str(layer_norm.folder), mode],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    called, inside, session = map(float, process.stdout.split())
    assert max(called, inside) < 1e-6
    if session < 1e-6:
        pytest.skip("this build of TensorFlow has no oneDNN: nothing was to be avoided")
    assert session > 1e-3  # of values up to 2.4


def test_a_step_in_a_session_has_the_same_bits(tmp_path: Path) -> None:
    """Rewritten, the gradients of this network are summed in another order in a session than in a function."""
    model = unpacked("1.15.5/rnn_peepholes", tmp_path)
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["loss"], exact=True)
    before = [variable.numpy() for variable in module.variables]
    x = model.part("in")["x"]
    with module.session() as session:
        session.run(model.train, {"x:0": x})
    in_session = [variable.numpy() for variable in module.variables]
    for variable, value in zip(module.variables, before, strict=True):
        variable.assign(value)
    module.function(["x"], [model.train])(x)
    for variable, expected in zip(module.variables, in_session, strict=True):
        np.testing.assert_array_equal(variable, expected, err_msg=variable.name)


def test_constants_are_not_put_together(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
        tf.multiply(tf.multiply(x, 1e-30), 1e30, name="y")
    path = tmp_path / "products.pb"
    path.write_bytes(graph.as_graph_def().SerializeToString())
    small = np.array([1e-20, 2.0], np.float32)
    plain, exact = (tf2bridge.load(path, exact=exact) for exact in (False, True))
    np.testing.assert_allclose(plain(small), small, rtol=1e-6)  # as x * (1e-30 * 1e30)
    inside = tf.function(exact)
    for result in (exact(small), inside(tf.constant(small))):
        np.testing.assert_allclose(result, [0, 2], rtol=1e-6)  # 1e-50 is no float32


def test_an_exact_module_is_differentiable_and_exported(layer_norm: Recorded, tmp_path: Path) -> None:
    module = tf2bridge.load(layer_norm.folder / "model.ckpt.meta", inputs=["x:0"], outputs=["y:0"], exact=True)
    x, expected = layer_norm.part("in")["x"], layer_norm.part("out")["y"]
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(module(x))
    wanted = [variable for variable in module.variables if variable.name.removesuffix(":0") in layer_norm.part("grad")]
    for result, gradient in zip(tape.gradient(total, wanted), layer_norm.part("grad").values(), strict=True):
        np.testing.assert_allclose(result, gradient, rtol=1e-5, atol=1e-6)
    assert list(module.outputs) == ["y"]
    module.export(tmp_path / "new")
    served = tf.saved_model.load(tmp_path / "new").signatures["serving_default"]
    np.testing.assert_allclose(served(x=tf.constant(x))["y"], expected, rtol=1e-5, atol=1e-6)
