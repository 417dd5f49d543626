"""Cells of genuine releases in layers of Keras 3: the same weights compute what the release computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.checkpoint.keras_layers import fill, scopes_of, variables_of
from tests.tf2bridge.checkpoint.written import written
from tests.tf2bridge.graph import recorded as graphs
from tf2bridge.checkpoint.layers.cells import layer_moves, why_not
from tf2bridge.checkpoint.layers.cudnn_cells import opaque_moves
from tf2bridge.checkpoint.moves import TargetVariable
from tf2bridge.checkpoint.planning.matching import plan

L = keras.layers


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recorded")


def filled(
    layer: Any, cell: str, arrays: dict[str, Any], inputs: int, forget_bias: float = 1.0, scope: str = ""
) -> Any:
    """The layer, built for inputs [batch, time, inputs], with the weights of the cell in that scope."""
    layer.build((None, None, inputs))
    scopes = {name: value for name, value in scopes_of(list(arrays), cell).items() if scope in name}
    ((name, roles),) = scopes.items()
    own = {role: arrays[item] for role, item in roles.items()}
    moves = layer_moves(name, {role: value.shape for role, value in own.items()}, variables_of(layer), forget_bias)
    assert moves is not None
    fill(layer, moves, own)
    return layer


def weights(trained: recorded.Recorded) -> dict[str, Any]:
    """What the checkpoint holds of the cells: no slots."""
    return {
        name: value for name, value in trained.part("saved").items() if "Momentum" not in name and "Adam" not in name
    }


def lstm(units: int = 4) -> Any:
    return L.LSTM(units, return_sequences=True)


def gru(units: int = 4, after: bool = False) -> Any:
    return L.GRU(units, return_sequences=True, reset_after=after)


CELLS = {
    "basic_rnn": (lambda: L.SimpleRNN(4, return_sequences=True), "basic_rnn_cell", 1.0),
    "basic_lstm": (lstm, "basic_lstm_cell", 1.0),
    "basic_lstm_forget_bias": (lstm, "basic_lstm_cell", 0.25),
    "lstm": (lstm, "lstm_cell", 1.0),
    "lstm_block_cell": (lstm, "lstm_cell", 1.0),
    "lstm_block_fused": (lstm, "lstm_fused_cell", 1.0),
    "gru": (gru, "gru_cell", 1.0),
    "gru_block_cell": (gru, "gru_cell", 1.0),
}


@pytest.mark.parametrize("name", [name for program in CELLS for name in recorded.of(program)])
def test_cell(name: str, folder: Path) -> None:
    trained = recorded.unpacked(name, folder)
    make, cell, forget_bias = CELLS[name.partition("/")[2]]
    layer = filled(make(), cell, weights(trained), 3, forget_bias)
    close(layer(trained.part("in")["x"]), trained.part("out")["sequence"])


@pytest.mark.parametrize("name", recorded.of("stacked"))
def test_stacked_cells(name: str, folder: Path) -> None:
    trained = recorded.unpacked(name, folder)
    first = filled(lstm(), "basic_lstm_cell", weights(trained), 3)
    second = filled(gru(3), "gru_cell", weights(trained), 4)
    close(second(first(trained.part("in")["x"])), trained.part("out")["sequence"])


@pytest.mark.parametrize("name", recorded.of("bidirectional"))
def test_both_ways(name: str, folder: Path) -> None:
    trained = recorded.unpacked(name, folder)
    layer = L.Bidirectional(lstm())
    layer.build((None, None, 3))
    for part, scope in ((layer.forward_layer, "/fw/"), (layer.backward_layer, "/bw/")):
        filled(part, "basic_lstm_cell", weights(trained), 3, scope=scope)
    close(layer(trained.part("in")["x"]), trained.part("out")["sequence"])


@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_cudnn_lstm(release: str, folder: Path) -> None:
    """Two layers, both ways, as cuDNN's saver writes them."""
    recording, arrays = of_graph(f"{release}/cudnn_lstm", folder)
    outputs = np.swapaxes(recording.part("in")["x"], 0, 1)
    for place, size in enumerate((3, 8)):
        layer = L.Bidirectional(lstm())
        layer.build((None, None, size))
        for part, way in ((layer.forward_layer, "fw"), (layer.backward_layer, "bw")):
            scope = f"cell_{place}/bidirectional_rnn/{way}/"
            filled(part, "cudnn_compatible_lstm_cell", arrays, size, scope=scope)
        outputs = layer(outputs)
    close(np.sum(outputs, axis=1), recording.part("out")["y"])


@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_cudnn_gru(release: str, folder: Path) -> None:
    recording, arrays = of_graph(f"{release}/cudnn_gru", folder)
    outputs = np.swapaxes(recording.part("in")["x"], 0, 1)
    for place, size in enumerate((3, 4)):
        layer = filled(gru(after=True), "cudnn_compatible_gru_cell", arrays, size, scope=f"cell_{place}/")
        outputs = layer(outputs)
    close(np.sum(outputs, axis=1), recording.part("out")["y"])


@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
@pytest.mark.parametrize("kind, make", [("lstm", lstm), ("gru", lambda: gru(after=True))])
def test_cudnn_layers_of_keras(release: str, kind: str, make: Any, folder: Path) -> None:
    recording, arrays = of_graph(f"{release}/cudnn_keras_{kind}", folder)
    layer = filled(make(), "cudnn", arrays, 3)
    close(np.sum(layer(recording.part("in")["x"]), axis=1), recording.part("out")["y"])


@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_block_cell_with_its_own_forget_bias(release: str, folder: Path) -> None:
    recording, arrays = of_graph(f"{release}/block_lstm_cell", folder)
    layer = filled(lstm(), "lstm_cell", arrays, 3, forget_bias=0.5)
    total = np.sum(layer(recording.part("in")["x"]) * arrays["weights"], axis=1)
    close(total, recording.part("out")["last"])


def vector_of(layers: list[Any]) -> tuple[Any, list[list[Any]]]:
    """Fills the layers with numbers; returns the vector in which cuDNN holds them, and the weights of each layer.

    Laid out as `canonical_to_params` of Keras does (tf_keras/src/layers/rnn/gru_lstm_utils.py); a GRU of Keras has its
    first two gates in the other order (`gpu_gru` there).
    """
    source = np.random.default_rng(0)
    vectors, biases = [], []
    for layer in layers:
        cell = layer.cell
        gates = cell.kernel.shape[1] // cell.units
        order = [1, 0, 2] if gates == 3 else [0, 1, 2, 3]
        both = source.normal(size=(2, gates * cell.units)).astype(np.float32)
        for weight in (cell.kernel, cell.recurrent_kernel):
            weight.assign(source.normal(size=weight.shape).astype(np.float32))
            vectors += [np.split(weight.numpy(), gates, 1)[gate].T.ravel() for gate in order]
        cell.bias.assign(both if gates == 3 else both.sum(0))
        biases += [np.split(bias, gates)[gate] for bias in both for gate in order]
    return np.concatenate([*vectors, *biases]), [layer.get_weights() for layer in layers]


@pytest.mark.parametrize("make", [lstm, lambda: gru(after=True)])
@pytest.mark.parametrize("ways", [1, 2])
def test_the_vector_of_cudnn(make: Any, ways: int) -> None:
    layers = [make() for _ in range(2 * ways)]
    for place, layer in enumerate(layers):
        layer.build((None, None, 3 if place < ways else 4 * ways))
    vector, expected = vector_of(layers)
    variables = [variables_of(layer) for layer in layers]
    moves = opaque_moves("v", vector.size, variables)
    assert moves is not None
    for place, layer in enumerate(layers):
        fill(layer, moves[3 * place : 3 * place + 3], {"v": vector})
        for weights, wanted in zip(layer.get_weights(), expected[place], strict=True):
            np.testing.assert_allclose(weights, wanted, rtol=1e-6)
    assert opaque_moves("v", vector.size + 1, variables) is None


@pytest.mark.parametrize("ways", [1, 2])
def test_the_vector_of_cudnn_through_a_plan(ways: int, tmp_path: Path) -> None:
    model = keras.Sequential([L.Bidirectional(lstm()) if ways == 2 else lstm() for _ in range(2)])
    model.build((None, None, 3))
    parts = [(layer.forward_layer, layer.backward_layer) if ways == 2 else (layer,) for layer in model.layers]
    layers = [layer for part in parts for layer in part]
    vector, expected = vector_of(layers)
    with written(tmp_path, {"net/cudnn_lstm/opaque_kernel": vector}) as checkpoint:
        for layer in layers:
            layer.set_weights([np.zeros_like(weights) for weights in layer.get_weights()])
        plan(checkpoint, model).apply()
    for layer, wanted in zip(layers, expected, strict=True):
        for weights, item in zip(layer.get_weights(), wanted, strict=True):
            np.testing.assert_allclose(weights, item, rtol=1e-6)


def recurrent(kind: str, inputs: int, units: int, gates: int, bias: tuple[int, ...] | None) -> list[TargetVariable]:
    shapes = {"kernel": (inputs, gates * units), "recurrent_kernel": (units, gates * units)}
    if bias:
        shapes["bias"] = bias
    return [TargetVariable(role, shape, "float32", "cell", kind, role) for role, shape in shapes.items()]


LSTM = recurrent("LSTMCell", 3, 4, 4, (16,))
GRU = {"gates/kernel": (7, 8), "gates/bias": (8,), "candidate/kernel": (7, 4), "candidate/bias": (4,)}


@pytest.mark.parametrize(
    "scope, shapes, layer, message",
    [
        ("rnn/lstm_cell", {"kernel": (7, 16), "bias": (16,), "w_f_diag": (4,)}, LSTM, "peepholes"),
        ("rnn/lstm_cell", {"kernel": (5, 16), "bias": (16,), "projection/kernel": (4, 2)}, LSTM, "projection"),
        ("rnn/layer_norm_basic_lstm_cell", {"kernel": (7, 16), "input/gamma": (4,)}, LSTM, "layer_norm"),
        ("rnn/intersection_rnn_cell", {"kernel": (7, 16), "bias": (16,)}, LSTM, "intersection_rnn_cell"),
        ("rnn/gru_cell", GRU, recurrent("GRUCell", 3, 4, 3, (2, 12)), "reset_after=False"),
        ("rnn/gru_cell", GRU, recurrent("GRUCell", 3, 4, 3, None), "use_bias=True"),
        ("rnn/basic_lstm_cell", {"kernel": (7, 16), "bias": (16,)}, recurrent("LSTMCell", 3, 4, 4, None), "no bias"),
    ],
)
def test_cells_that_keras_has_not(scope: str, shapes: Any, layer: Any, message: str) -> None:
    assert layer_moves(scope, shapes, layer) is None
    assert message in why_not(scope, shapes, layer)


@pytest.mark.parametrize(
    "scope, shapes, layer",
    [
        ("rnn/basic_lstm_cell", {"kernel": (8, 16), "bias": (16,)}, LSTM),
        ("rnn/basic_rnn_cell", {"kernel": (7, 16), "bias": (16,)}, LSTM),
        ("dense", {"kernel": (7, 16), "bias": (16,), "gamma": (16,)}, LSTM),
        ("rnn/gru_cell", {**GRU, "more": (4,)}, recurrent("GRUCell", 3, 4, 3, (12,))),
        ("rnn/basic_lstm_cell", {"kernel": (7, 16), "bias": (16,)}, recurrent("ConvLSTMCell", 3, 4, 4, (16,))),
    ],
)
def test_what_does_not_fit(scope: str, shapes: Any, layer: Any) -> None:
    assert layer_moves(scope, shapes, layer) is None
    assert not why_not(scope, shapes, layer)


def test_only_a_known_cell_is_certain() -> None:
    shapes: Any = {"kernel": (7, 16), "bias": (16,)}
    for scope, certain in (("rnn/basic_lstm_cell", True), ("rnn/basic_lstm_cell_1", True), ("rnn/mine", False)):
        moves = layer_moves(scope, shapes, LSTM)
        assert moves is not None
        assert {move.certain for move in moves} == {certain}


def of_graph(name: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    """A recorded graph, and what its checkpoint holds."""
    import tensorflow as tf

    recording = graphs.unpacked(name, folder / "graphs")
    reader = tf.train.load_checkpoint(str(recording.folder / "model.ckpt"))
    return recording, {item: reader.get_tensor(item) for item in reader.get_variable_to_shape_map()}


def close(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=0, atol=1e-6)
