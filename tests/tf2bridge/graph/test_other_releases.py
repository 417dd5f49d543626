"""Checkpoints that another release wrote than the graph's, whose cells had other names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.graph import recorded as graphs


@pytest.mark.parametrize("name", recorded.of("basic_lstm"))
def test_the_graph_of_1_15_restores_what_any_release_saved(name: str, tmp_path: Path) -> None:
    old = recorded.unpacked(name, tmp_path)
    graph = recorded.unpacked("1.15.5/basic_lstm", tmp_path)
    module = tf2bridge.load(f"{graph.prefix}.meta", outputs=[str(graph.expected["tensor sequence"])])
    module.restore(old.prefix)
    np.testing.assert_allclose(module(old.part("in")["x"]), old.part("out")["sequence"], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", [item for item in graphs.ALL if item.endswith(("/renamed_saver", "/embeddings"))])
def test_a_plan_into_a_graph_follows_its_saver(name: str, tmp_path: Path) -> None:
    """Savers that rename, and variables in parts, of which the file holds the whole."""
    model = graphs.unpacked(name, tmp_path)
    module = tf2bridge.load(model.folder / "model.ckpt")
    expected = {variable.name: variable.numpy() for variable in module.variables}
    for variable in module.variables:
        variable.assign(tf.zeros_like(variable))
    with tf2bridge.checkpoint.open(model.folder / "model.ckpt") as source:
        plan = tf2bridge.checkpoint.plan(source, module)
        assert plan.complete
        plan.apply()
    for variable in module.variables:
        np.testing.assert_array_equal(variable, expected[variable.name])
