"""A folder that holds the files which the READMEs' examples name, all of them from genuine releases."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.readmes.pages import ROOT, TOOLS

LEGACY = ROOT / "fixtures/legacy"
TOWERS = LEGACY / "mnist_towers"
_SESSIONS = ("programs", "needs_trace", "of_graph", "traces")
_OLD_TEST = """
import tensorflow as tf


class OldTest(tf.test.TestCase):
    def test_packing(self):
        with self.test_session():
            self.assertAllEqual(tf.placeholder_with_default([1, 2], [2]).eval(), [1, 2])
"""
_TASK = "import json, os\nprint(json.loads(os.environ['TF_CONFIG'])['task']['type'])\n"
_MODELS = """
import keras

import tf2bridge


def build():
    return keras.Sequential(
        [
            keras.Input((None,), dtype="int32"),
            keras.layers.Embedding(11, 4, name="embed"),
            keras.layers.LSTM(4, return_sequences=True),
            keras.layers.LSTM(4, return_sequences=True),
            keras.layers.Dense(11, name="softmax"),
        ]
    )


def trained():
    return keras.models.load_model("new.keras")


def wrapped():
    return tf2bridge.load("model.ckpt-1000", outputs=["logits"])
"""


def make(folder: Path) -> None:
    """Fills a folder with what a user has: a repository, programs, graphs, checkpoints and a trace."""
    for part in ("legacy", "native", "clusters/programs", *(f"sessions/{name}" for name in _SESSIONS)):
        shutil.copytree(ROOT / "fixtures" / part, folder / "fixtures" / part)
    for tree in ("path/to/repository", "legacy"):
        shutil.copytree(TOWERS, folder / tree, ignore=shutil.ignore_patterns("genuine", "tf2bridge.toml"))
    _commit(folder / "path/to/repository")
    for program in TOWERS.glob("*.py"):
        shutil.copy(program, folder)
    shutil.copy(TOWERS / "genuine/mnist_towers.trace", folder / "train.trace")
    shutil.copytree(TOWERS / "genuine/run", folder / "trained")
    (folder / "tests").mkdir()
    (folder / "tests/test_old.py").write_text(_OLD_TEST)
    shutil.copy(ROOT / "fixtures/clusters/programs/monitored.py", folder / "trainer.py")
    shutil.copy(ROOT / "fixtures/clusters/programs/estimating.py", folder / "estimator.py")
    (folder / "parameter_servers.py").write_text(_TASK)
    _models(folder)


def _models(folder: Path) -> None:
    (folder / "models.py").write_text(_MODELS)
    _unpack("checkpoints/0.12.1/language_model.zip", folder)
    for series in ("run", "old_logs", "new_logs"):
        _unpack("checkpoints/0.12.1/series.zip", folder / series)
    _unpack("graphs/1.15.5/mlp_adam.zip", folder / "graph")
    for path in (folder / "graph").glob("model.ckpt.*"):
        path.rename(folder / path.name.replace("model.ckpt", "model.ckpt-1000"))
    (folder / "graph/frozen.pb").rename(folder / "frozen.pb")
    (folder / "graph/saved_model").rename(folder / "saved")


def _unpack(name: str, folder: Path) -> None:
    with zipfile.ZipFile(ROOT / "fixtures" / name) as archive:
        archive.extractall(folder, [member for member in archive.namelist() if member != "expected.npz"])


def _commit(tree: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "as it was"]):
        subprocess.run([*git, *words], cwd=tree, check=True, capture_output=True)


def environment(bin_folder: Path) -> dict[str, str]:
    """That of a shell in which the two commands, and `python`, are those under test."""
    bin_folder.mkdir()
    for name, words in {"python": "", **{tool: f"-m {tool}" for tool in TOOLS}}.items():
        script = bin_folder / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
    }
