"""Checkpoints that another release wrote than the graph's, whose cells had other names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.checkpoint import recorded


@pytest.mark.parametrize("name", recorded.of("basic_lstm"))
def test_the_graph_of_1_15_restores_what_any_release_saved(name: str, tmp_path: Path) -> None:
    old = recorded.unpacked(name, tmp_path)
    graph = recorded.unpacked("1.15.5/basic_lstm", tmp_path)
    module = tf2bridge.load(f"{graph.prefix}.meta", outputs=[str(graph.expected["tensor sequence"])])
    module.restore(old.prefix)
    np.testing.assert_allclose(module(old.part("in")["x"]), old.part("out")["sequence"], rtol=1e-6, atol=1e-6)
