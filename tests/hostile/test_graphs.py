"""Graphs that hide each kind of refused operation in each place that a graph has, run in every way that one is run."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

from tests.hostile.graph_effects import EFFECTS, watched
from tests.hostile.graph_places import PLACES

ROOT = Path(__file__).parents[2]
NOT_REACHED = ("forged", "swapped")
"""Places that no node names: what is there is not run, and `audit` has nothing to say of it."""


def outcomes(folder: Path, effect: str) -> list[dict[str, Any]]:
    """What a process of its own says of the graphs of an effect."""
    command = [sys.executable, "-m", "tests.hostile.graph_child", str(folder), effect]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=1800)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert done.returncode == 0, f"ended with {done.returncode} at {lines[-1:]}: {done.stderr[-2000:]}"
    return [line for line in lines if "begun" not in line]


SEEN_ELSEWHERE = ("host", "ended")
"""Effects that a plain session does not have: a function of the process is none of its graph; and the process' end."""


@pytest.mark.soak
@pytest.mark.parametrize(
    "effect", [effect for effect in EFFECTS if effect.name not in SEEN_ELSEWHERE], ids=lambda effect: effect.name
)
def test_what_a_graph_does_is_seen(effect: Any, tmp_path: Path) -> None:
    """Where TensorFlow itself runs it: else the test below would say nothing."""
    (tmp_path / "target").mkdir()
    path = tmp_path / "target/file"
    graph_def = tf.compat.v1.GraphDef(node=effect.nodes("y", str(path).encode()))
    graph_def.versions.producer = tf.version.GRAPH_DEF_VERSION
    with watched(effect, path) as was_done, tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
        with tf.compat.v1.Session(graph=graph) as session, contextlib.suppress(tf.errors.OpError):
            session.run("y:0")
        time.sleep(0.1)  # whoever saw something says so
        assert was_done()


@pytest.mark.soak
@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.name)
def test_no_graph_does_what_it_may_not(effect: Any, tmp_path: Path) -> None:
    result = outcomes(tmp_path, effect.name)
    assert [item["place"] for item in result] == [place.__name__ for place in PLACES]
    assert [item for item in result if item["done"] or item["wrong"]] == []
    silent = [item["place"] for item in result if f"({effect.op})" not in item["audit"]]
    assert set(silent) - {*NOT_REACHED, "twice"} == set()
