"""Calls that are written otherwise build the very graph that they built: node for node, by TensorFlow's own word."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from codemods.engine import Changed, check_text
from codemods.settings import Settings

HEAD = "import tensorflow as tf\n"


def rewritten(body: str) -> str:
    result = check_text(HEAD + body, "model.py", Settings(select=("TFA", "TFN")))
    assert isinstance(result, Changed)
    return result.after.decode()


def nodes(text: str, folder: Path) -> list[Any]:
    """The nodes that a program text makes, by their names, run with the TensorFlow that is installed."""
    tensorflow = pytest.importorskip("tensorflow")
    (folder / "model.py").write_text(text)
    with tensorflow.Graph().as_default() as graph:
        runpy.run_path(str(folder / "model.py"))
    return sorted(graph.as_graph_def().node, key=lambda node: node.name)


X = "x = tf.compat.v1.placeholder(tf.float32, [None, 4])\nk = tf.compat.v1.placeholder(tf.float32)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dropout(x, k, seed=1)", "dropout(x, rate=1 - k, seed=1)"),
        ("dropout(x, 0.5, None, 7)", "dropout(x, rate=0.5, noise_shape=None, seed=7)"),
        ("dropout(x, keep_prob=0.9, seed=1)", "dropout(x, rate=1 - 0.9, seed=1)"),
        (
            "dropout(tf.nn.relu(x), 1 - k * 0.5, [1, 4])",
            "dropout(tf.nn.relu(x), rate=1 - (1 - k * 0.5), noise_shape=[1, 4])",
        ),
        (
            "dropout(x, tf.sqrt(k), tf.shape(x), 1)",
            "dropout(x, rate=1 - tf.sqrt(k), noise_shape=tf.shape(x), seed=1)",
        ),
    ],
)
def test_dropout_by_rate_is_dropout_by_keep_prob(before: str, after: str, tmp_path: Path) -> None:
    new = rewritten(f"{X}y = tf.nn.{before}\n")
    assert new.endswith(f"y = tf.compat.v1.nn.{after}\n")
    old = f"{HEAD}{X}y = tf.compat.v1.nn.{before}\n".replace("tf.shape(", "tf.compat.v1.shape(")
    assert nodes(new, tmp_path) == nodes(old, tmp_path)
