"""Every graph that a genuine release wrote, as source: it computes what the loaded graph computes.

The models are fixtures/graphs, each by the oldest and the newest release that wrote it. The soak tries those of the
releases between, and also holds each package against the graph in a process of its own.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.decompile.written import check_equal
from tests.tf2bridge.graph.recorded import ALL, Recorded, oldest_and_newest, unpacked
from tf2bridge.decompile.decompiling import decompile, text_of
from tf2bridge.decompile.model_text import OPS, STRUCTURE

USUAL = oldest_and_newest()
MODELS = [pytest.param(name, marks=[] if name in USUAL else [pytest.mark.soak]) for name in ALL]


@pytest.fixture(params=MODELS, scope="module")
def model(request: Any, tmp_path_factory: Any) -> Recorded:
    return unpacked(request.param, tmp_path_factory.getbasetemp())


def loaded(model: Recorded) -> Any:
    inputs, outputs = (list(model.tensors(kind).values()) for kind in ("in", "out"))
    return tf2bridge.load(model.folder / "model.ckpt.meta", inputs=inputs, outputs=outputs, py_funcs=model.py_funcs)


def fed(module: Any, model: Recorded) -> dict[str, Any]:
    return dict(zip(module.inputs, model.part("in").values(), strict=True))


def check(model: Recorded, level: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Checks that the model as a package is equal to the module. Returns its source."""
    module = loaded(model)
    text = text_of(module, "about", level)
    name = f"{level}_{model.name.replace('/', '_').replace('.', '_')}"
    check_equal(text, module, fed(module, model), folder / name, monkeypatch, model.py_funcs)
    assert sum(line.startswith("tf2bridge") for line in text.source.splitlines()) == 0
    return text.source


def test_outputs_gradients_and_state_are_those_of_the_graph(
    model: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(model, STRUCTURE, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", ["convnet", "rnn_lstm", "function_with_gradient", "convnet_batch_norm", "vocabulary"])
def test_raw_operations_alone(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = check(unpacked(f"1.12.3/{name}", tmp_path / "models"), OPS, tmp_path, monkeypatch)
    assert "tf.raw_ops." in source
    assert "tf.matmul" not in source


@pytest.mark.soak
def test_packages_are_equal_in_a_process_of_their_own(model: Recorded, tmp_path: Path) -> None:
    module = loaded(model)
    done = decompile(module, tmp_path / "decompiled", feeds=fed(module, model))
    assert done.path.joinpath("model.py").is_file()
    assert all(difference <= done.limits[name] for name, difference in done.differences.items())


def test_checkpoints_fill_layers_that_hold_parts_of_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = unpacked("1.12.3/rnn_gru", tmp_path / "models")
    module = loaded(model)
    decompile(module, tmp_path / "decompiled_gru", feeds=fed(module, model))
    monkeypatch.syspath_prepend(str(tmp_path))
    package = importlib.import_module("decompiled_gru")
    expected, filled = package.load(), package.load()
    for variable in filled.trainable_variables:
        variable.assign(np.zeros(variable.shape, variable.dtype))
    importlib.import_module("decompiled_gru.weights").restore(filled, str(model.folder / "model.ckpt"))
    for variable, other in zip(filled.trainable_variables, expected.trainable_variables, strict=True):
        assert np.array_equal(variable.numpy(), other.numpy())


@pytest.mark.parametrize(
    ("name", "layer"), [("rnn_lstm_lengths", "LSTM"), ("rnn_gru", "GRU"), ("rnn_basic", "SimpleRNN")]
)
def test_loops_of_0_12_whose_inputs_have_no_shape_are_layers(name: str, layer: str, tmp_path: Path) -> None:
    source = text_of(loaded(unpacked(f"0.12.1/{name}", tmp_path / "models")), "about").source
    assert f"keras.layers.{layer}(" in source
    assert "tf.while_loop" not in source
