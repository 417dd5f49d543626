"""`tf2bridge inspect`, `audit` and `export` on what genuine TensorFlow wrote."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.cli import cli
from tf2bridge.errors import BridgeError


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.12.3/mlp_adam", tmp_path_factory.getbasetemp())


def run(*arguments: Any) -> tuple[int, str, str]:
    done = CliRunner().invoke(
        cli, [str(argument) for argument in arguments], standalone_mode=False, catch_exceptions=False
    )
    return done.return_value, done.stdout, done.stderr


def test_inspect_shows_what_a_file_is(mlp: Recorded) -> None:
    status, shown, _ = run("inspect", mlp.folder / "saved_model")
    assert status == 0
    for part in ("SavedModel, written by TensorFlow 1.12.3", "logits:0", "hidden/weights", "[4, 5]"):
        assert part in shown
    status, shown, _ = run("inspect", mlp.folder / "frozen.pb", "--output-format", "json")
    assert json.loads(shown)["variables"] == []


def test_audit_lists_what_is_more_than_computing(mlp: Recorded) -> None:
    assert run("audit", mlp.folder / "frozen.pb")[:2] == (0, "")
    status, shown, _ = run("audit", mlp.folder / "model.ckpt")
    assert status == 1
    assert "save/SaveV2 (SaveV2) reads or writes files" in shown.splitlines()


def test_export_writes_what_the_outputs_need(mlp: Recorded, tmp_path: Path) -> None:
    command = ("export", mlp.folder / "model.ckpt", tmp_path / "new.pb", "--format", "frozen", "--outputs", "logits")
    status, _, result = run(*command)
    assert status == 0
    assert "frozen of x -> logits (None, 3)" in result
    assert "Adam" not in run("inspect", tmp_path / "new.pb")[1]
    with pytest.raises(Exception, match="exists: choose another"):
        CliRunner().invoke(cli, [str(item) for item in command], standalone_mode=False, catch_exceptions=False)


def test_export_takes_a_signature_and_the_files_of_tables(tmp_path: Path) -> None:
    vocabulary = unpacked("1.15.5/vocabulary", tmp_path)
    moved = shutil.move(vocabulary.folder / "vocabulary.txt", tmp_path / "words")
    meta, outputs = vocabulary.folder / "model.ckpt.meta", ("--outputs", "ids")
    with pytest.raises(BridgeError, match=r"--asset vocabulary\.txt=PATH"):
        run("export", meta, tmp_path / "none", *outputs)
    assert run("export", meta, tmp_path / "new", *outputs, "--asset", f"vocabulary.txt={moved}")[0] == 0
    words, ids = vocabulary.part("in")["words"], vocabulary.part("out")["ids"]
    served = tf.saved_model.load(tmp_path / "new").signatures["serving_default"]
    np.testing.assert_array_equal(served(tf.constant(words))["ids"], ids)
    with pytest.raises(click.UsageError, match="write NAME=FILE"):
        run("export", meta, tmp_path / "none", "--asset", "vocabulary.txt")
    with pytest.raises(BridgeError, match="serving_default"):
        run("export", tmp_path / "new", tmp_path / "none", "--signature", "other")


MADE = """
import tensorflow as tf
import tf2bridge

def build(x):
    return tf.multiply(x, tf.compat.v1.get_variable("w", initializer=3.0), name="y")

def model():
    return tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None])})

def number():
    return 3
"""


def test_export_takes_code_that_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("exported_here.py").write_text(MADE)
    status, _, result = run("export", "exported_here:model", "new.pb", "--format", "frozen")
    assert (status, "frozen of x -> " in result) == (0, True)
    np.testing.assert_array_equal(tf2bridge.load("new.pb")(np.float32([1, 2])), [3, 6])
    for source, why in (
        ("made_nowhere:model", "no module made_nowhere"),
        ("exported_here:models", "no function models"),
        ("exported_here:number", "returned int"),
    ):
        with pytest.raises(BridgeError, match=why):
            run("export", source, "other.pb")
    with pytest.raises(click.UsageError, match="--outputs: not for a graph that the code exported_here:model builds"):
        run("export", "exported_here:model", "other.pb", "--outputs", "y")


def test_export_fixes_the_sizes_that_tflite_needs(tmp_path: Path) -> None:
    network = unpacked("1.15.5/rnn_lstm", tmp_path)
    x = network.part("in")["x"]
    command = ("export", network.folder / "frozen.pb", tmp_path / "new.tflite", "--format", "tflite")
    sizes = f"x={','.join(map(str, x.shape))}"
    assert run(*command, "--shape", sizes)[0] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the interpreter is to move to another package
        interpreter = tf.lite.Interpreter(str(tmp_path / "new.tflite"))
    assert [list(detail["shape"]) for detail in interpreter.get_input_details()] == [list(x.shape)]
    for wrong, why in (("x=2,a", "write INPUT=SIZES"), ("x", "write INPUT=SIZES")):
        with pytest.raises(click.UsageError, match=why):
            run("export", network.folder / "frozen.pb", tmp_path / "none", "--format", "tflite", "--shape", wrong)
    with pytest.raises(click.UsageError, match="for --format tflite"):
        run("export", network.folder / "frozen.pb", tmp_path / "none", "--shape", sizes)
