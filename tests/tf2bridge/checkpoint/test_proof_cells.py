"""Recurrent layers of Keras 3 that get the cells of a genuine checkpoint: their outputs, and the next step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.checkpoint.proofs import check_next_step, check_output, filled
from tests.tf2bridge.checkpoint.recorded import of, unpacked

layers = keras.layers


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def lstm(name: str = "lstm") -> Any:
    return layers.LSTM(4, return_sequences=True, name=name)


def gru(units: int = 4, reset_after: bool = False) -> Any:
    return layers.GRU(units, return_sequences=True, reset_after=reset_after, name="gru")


SEQUENCES = {
    "basic_rnn": lambda: [layers.SimpleRNN(4, return_sequences=True)],
    "basic_lstm": lambda: [lstm()],
    "basic_lstm_forget_bias": lambda: [lstm()],
    "lstm": lambda: [lstm()],
    "lstm_block_cell": lambda: [lstm()],
    "lstm_block_fused": lambda: [lstm()],
    "cudnn_compatible_lstm": lambda: [lstm()],
    "gru": lambda: [gru()],
    "gru_block_cell": lambda: [gru()],
    "stacked": lambda: [lstm(), gru(3)],
    "wrapped": lambda: [lstm("first"), lstm("second")],
    "bidirectional": lambda: [layers.Bidirectional(lstm())],
}
ADAM = ("basic_lstm", "gru")
FORGET_BIAS = {"basic_lstm_forget_bias": 0.25}
CASES = [name for program in SEQUENCES for name in of(program)]


def trained(model: Any, program: str, hyper: dict[str, Any]) -> Any:
    made = keras.optimizers.Adam(hyper["learning_rate"], epsilon=1e-8) if program in ADAM else None
    model.compile(made or keras.optimizers.SGD(hyper["learning_rate"], hyper["momentum"]), "mse", run_eagerly=True)
    return model


@pytest.mark.parametrize("name", CASES)
def test_a_recurrent_layer(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    program = name.partition("/")[2]
    model = trained(keras.Sequential([keras.Input([5, 3]), *SEQUENCES[program]()]), program, program_files.hyper)
    plan = filled(model, program_files, forget_bias=FORGET_BIAS.get(program, 1.0))
    x = program_files.expected["in x"]
    check_output(model(x), program_files, "sequence")
    check_next_step(
        model, program_files, plan, x, np.full(program_files.expected["out sequence"].shape, 0.25, np.float32)
    )


@pytest.mark.parametrize("name", of("cudnn_compatible_gru"))
def test_what_cudnn_computes(name: str, parent: Path) -> None:
    """Not its next step: where that cell trains one bias Keras trains two, in steps twice as long."""
    program_files = unpacked(name, parent)
    model = keras.Sequential([keras.Input([5, 3]), gru(reset_after=True)])
    filled(model, program_files)
    check_output(model(program_files.expected["in x"]), program_files, "sequence")


@pytest.mark.parametrize("name", of("stacked"))
def test_cells_within_one_layer(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    cells = [layers.LSTMCell(4), layers.GRUCell(3, reset_after=False)]
    model = keras.Sequential([keras.Input([5, 3]), layers.RNN(cells, return_sequences=True)])
    filled(model, program_files)
    check_output(model(program_files.expected["in x"]), program_files, "sequence")


class LanguageModel(keras.Model):  # type: ignore[misc]
    """As the tutorial's, in Keras: its layers are in a list and in a dict."""

    def __init__(self) -> None:
        super().__init__()
        self.recurrent = [lstm("lstm_0"), lstm("lstm_1")]
        self.ends = {"embedding": layers.Embedding(11, 4), "softmax": layers.Dense(11)}

    def call(self, words: Any) -> Any:
        result = self.ends["embedding"](words)
        for layer in self.recurrent:
            result = layer(result)
        return self.ends["softmax"](result)


@pytest.mark.parametrize("name", of("language_model"))
def test_a_subclassed_model_with_layers_in_a_list_and_a_dict(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    model = LanguageModel()
    words, targets = program_files.expected["in words"], program_files.expected["in targets"]
    model(words)
    model.compile(keras.optimizers.SGD(0.5), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    plan = filled(model, program_files, forget_bias=0.0)
    check_output(np.reshape(model(words), [-1, 11]), program_files, "logits")
    check_next_step(model, program_files, plan, words, targets)


@pytest.mark.parametrize("program", ["lstm_peepholes", "lstm_projected", "layer_norm_lstm"])
@pytest.mark.parametrize("release", ["0.12.1", "1.15.5"])
def test_what_no_layer_of_keras_computes_is_refused(release: str, program: str, parent: Path) -> None:
    program_files = unpacked(f"{release}/{program}", parent)
    model = keras.Sequential([keras.Input([5, 3]), lstm()])
    with tf2bridge.checkpoint.open(program_files.prefix) as checkpoint:
        assert not tf2bridge.checkpoint.plan(checkpoint, model).complete
