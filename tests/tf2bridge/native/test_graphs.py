"""The graph of called functions, in which the search for the first op runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

from tf2bridge.formats.graphs.audit import refused
from tf2bridge.native.running.graphs import FunctionGraphs
from tf2bridge.native.running.logged import Logged
from tf2bridge.native.running.op_seeds import GOING_ON
from tf2bridge.proof.recording.places import Places


@pytest.mark.parametrize(("name", "runs"), [(GOING_ON, True), ("other", False)])
def test_draws_in_branches_run_in_the_search_if_seeds_give_them(name: str, runs: bool, tmp_path: Path) -> None:
    def drawn() -> Any:
        made = tf.random.uniform([2], seed=3)
        result = tf.numpy_function(lambda value: value, [made], tf.float32, name=name)
        result.set_shape([2])
        return result

    @tf.function
    def dropped(trains: Any) -> Any:
        return tf.cond(trains, drawn, lambda: tf.zeros([2]))

    graphs = FunctionGraphs(Places(str(tmp_path)))
    concrete = dropped.get_concrete_function(tf.TensorSpec([], tf.bool))
    graphs.body(Logged("train:dropped", [], (), concrete, None), None)
    graph, _ = graphs.merged([])
    assert bool(refused(graph.node, graph.library)) is not runs
