"""The forget bias of LSTM cells: what a graph says, what the user says, and that an assumed one is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.graph import recorded as graphs
from tf2bridge import checkpoint
from tf2bridge.checkpoint.layers.forget_biases import said_by

SAID = {"rnn_lstm": {1.0}, "rnn_stacked": {1.0}, "rnn_peepholes": {1.0}, "block_lstm_cell": {0.5}, "rnn_gru": set()}
"""Model of fixtures/graphs/models -> what its program gives to its cells."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recorded")


@pytest.mark.parametrize("name", [item for item in graphs.ALL if item.partition("/")[2] in SAID])
def test_what_a_graph_says(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    model = graphs.unpacked(name, tmp_path_factory.getbasetemp())
    assert said_by(model.folder / "model.ckpt") == SAID[name.partition("/")[2]]


def layer() -> Any:
    return keras.Sequential([keras.Input((5, 3)), keras.layers.LSTM(4, return_sequences=True)])


@pytest.mark.parametrize("name", recorded.of("basic_lstm_forget_bias"))
def test_what_the_user_says(name: str, folder: Path) -> None:
    program, model = recorded.unpacked(name, folder), layer()
    with checkpoint.open(program.prefix) as source:
        checkpoint.plan(source, model, forget_bias=0.25).apply()
    outputs = model(program.part("in")["x"])
    np.testing.assert_allclose(outputs, program.part("out")["sequence"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", recorded.of("basic_lstm_forget_bias"))
def test_an_assumed_one_is_told(name: str, folder: Path) -> None:
    program, model = recorded.unpacked(name, folder), layer()
    with checkpoint.open(program.prefix) as source:
        plan = checkpoint.plan(source, model)
    assert any("forget bias of 1 was assumed" in note for note in plan.notes)
    assert [move.certain for move in plan.moves if move.target.endswith("/bias")] == [False]


def test_cells_of_several_are_asked_about(folder: Path, tmp_path: Path) -> None:
    """The graph of one program beside the checkpoint of another stands for a program with both."""
    program = recorded.unpacked("1.15.5/basic_lstm_forget_bias", folder)
    for file in program.folder.glob("model.ckpt.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    biases = "rnn/lstm/forget/y", "rnn/lstm/other/y"
    (tmp_path / "model.ckpt.meta").write_bytes(two_biases(biases))
    with checkpoint.open(tmp_path / "model.ckpt") as source:
        plan = checkpoint.plan(source, layer())
    (question,) = (question for question in plan.questions if question.about == "variable")
    assert "forget biases 0, 1" in question.why


def two_biases(names: tuple[str, str]) -> bytes:
    """A graph that adds 0 and 1 before sigmoids in scopes of LSTM cells."""
    import tensorflow as tf

    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [4])
        for value, name in enumerate(names):
            with tf.name_scope(name.rpartition("/")[0]):
                tf.sigmoid(x + tf.constant(float(value)))
        exported: bytes = tf.compat.v1.train.export_meta_graph().SerializeToString()
    return exported
