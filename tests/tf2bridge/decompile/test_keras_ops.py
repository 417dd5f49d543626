"""Models written with `keras.ops`: equal on TensorFlow, and on JAX and PyTorch where these are installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.test_frozen import frozen
from tests.tf2bridge.decompile.test_recorded import fed, loaded
from tests.tf2bridge.decompile.written import check_equal
from tests.tf2bridge.graph.recorded import ALL, Recorded, unpacked
from tf2bridge.cli import main
from tf2bridge.decompile import backends, gate
from tf2bridge.decompile.decompiled import Decompiled
from tf2bridge.decompile.decompiling import decompile, text_of
from tf2bridge.decompile.emitted.test_model import LARGEST
from tf2bridge.decompile.model_text import KERAS

EVERYWHERE = {
    "0.12.1/rnn_layer_norm": "keras.ops.while_loop(",  # the sizes of its input are open
    "0.12.1/rnn_peepholes": "return_sequences=True, peepholes=True, cell_clip=3.0, projection=2",
    "1.4.1/counters": ".assign_add(",
    "1.12.3/block_lstm": "keras.layers.LSTM(",
    "1.12.3/condition": "keras.ops.cond(",
    "1.12.3/convnet": "keras.ops.sparse_categorical_crossentropy(",
    "1.12.3/layers": "normalization.BatchNormalization(",
    "1.12.3/rnn_bidirectional": "keras.ops.take_along_axis(",
    "1.12.3/rnn_layer_norm": "recurrent.LayerNormLSTM(",
    "1.12.3/rnn_lstm_lengths": "keras.ops.arange(5) < keras.ops.expand_dims(lengths, 1)",
    "1.15.5/mlp_adam": "keras.ops.mean(softmax_cross_entropy_with_logits_sg, axis=(0,))",
    "1.15.5/rnn_static": "keras.layers.GRU(",
}
"""Model -> a part of its source, with which it runs on every backend of Keras."""
BY_TENSORFLOW = {
    "1.12.3/function_with_gradient": ["custom_gradient"],
    "1.12.3/cudnn_lstm": ["Variable"],
    "1.12.3/vocabulary": ["StaticHashTable"],
}
"""Model -> functions of TensorFlow that it needs."""


@pytest.mark.parametrize("name", EVERYWHERE)
def test_models_without_tensorflow(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = unpacked(name, tmp_path / "models")
    module = loaded(model)
    text = text_of(module, "about", ops=KERAS)
    assert text.runs_everywhere
    assert "tensorflow" not in text.source
    assert EVERYWHERE[name] in text.source
    package = f"everywhere_{name.replace('/', '_').replace('.', '_')}"
    check_equal(text, module, fed(module, model), tmp_path / package, monkeypatch)


@pytest.mark.parametrize("name", BY_TENSORFLOW)
def test_models_that_need_tensorflow(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = unpacked(name, tmp_path / "models")
    module = loaded(model)
    text = text_of(module, "about", ops=KERAS)
    assert not text.runs_everywhere
    assert set(BY_TENSORFLOW[name]) <= text.calls.of_tensorflow.keys()
    package = f"by_tensorflow_{name.replace('/', '_').replace('.', '_')}"
    check_equal(text, module, fed(module, model), tmp_path / package, monkeypatch)


def test_what_keras_computes_in_another_way_on_a_backend_stays(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 4, 4, 2], "x")
        pooled = tf.raw_ops.AvgPool(value=x, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="SAME")
        mirrored = tf.raw_ops.MirrorPad(input=pooled, paddings=[[0, 0], [2, 2], [0, 0], [0, 0]], mode="SYMMETRIC")
        tf.raw_ops.TopKV2(input=mirrored[:, ::-1], k=2, name="y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    text = text_of(tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x"]), "about", ops=KERAS)
    assert text.calls.of_tensorflow == {"avg_pool2d": 1, "pad": 1, "top_k": 1}


def test_calls_in_source() -> None:
    lines = [
        "self.dense = keras.layers.Dense(3)",
        "@tf.custom_gradient",
        "def f(x):",
        "    return tf.cast(keras.ops.relu(self.dense(x)), tf.int32)",
    ]
    calls = backends.calls_in(lines)
    assert (calls.total, calls.of_tensorflow) == (5, {"custom_gradient": 1, "cast": 1})
    assert calls.modules == {"tf", "keras"}
    assert backends.calls_in(["x = keras.ops.cast(y, 'int32')"]).modules == {"keras"}


def test_the_command_says_where_a_model_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = str(frozen(tmp_path / "frozen.pb", [None, 4]))
    arguments = ["decompile", graph, "--outputs", "y", "--ops", "keras", "--output", str(tmp_path / "written")]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--output-format", "json"])
    assert ended.value.code == 0
    written = json.loads(capsys.readouterr().out)
    assert (written["runs_everywhere"], written["tensorflow_calls"]) == (True, {})
    assert written["backends"].keys() == set(backends.installed())
    assert all(difference <= LARGEST for difference in written["backends"].values())


def check_everywhere(done: Decompiled) -> None:
    """Checks that a model is equal on all backends that are installed."""
    if not backends.installed():
        pytest.skip("neither jax nor torch is installed: they come with the extra `backends`")
    assert done.runs_everywhere
    assert done.backends.keys() == set(backends.installed())
    assert all(isinstance(value, float) for value in done.backends.values()), done.backends


@pytest.mark.parametrize("name", ["1.12.3/convnet", "1.12.3/rnn_lstm_lengths", "0.12.1/rnn_peepholes"])
def test_other_backends_compute_the_same(name: str, tmp_path: Path) -> None:
    model = unpacked(name, tmp_path / "models")
    module = loaded(model)
    check_everywhere(decompile(module, tmp_path / "written", feeds=fed(module, model), ops=KERAS))


@pytest.mark.parametrize(("shift", "is_rounding"), [(1e4, True), (0.0, False)])
def test_differences_on_other_backends_have_the_limits_of_those_on_tensorflow(
    shift: float, is_rounding: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mean of numbers that cancel out is rounded more, so that its digits differ by backend."""
    measured = gate.Gate.measured

    def on_jax(self: Any, folder: Path, *arguments: Any, backend: str = "tensorflow", **named: Any) -> Any:
        if backend == "tensorflow":
            return measured(self, folder, *arguments, **named)
        return {"out 0": 3 * LARGEST}, {}

    monkeypatch.setattr(gate.Gate, "measured", on_jax)
    monkeypatch.setattr(backends, "installed", lambda: ["jax"])
    module = tf2bridge.wrap(lambda x: tf.reduce_mean(x, 0), inputs={"x": tf.TensorSpec([None, 2])})
    x = np.array([[shift, 1.0], [1.0 - shift, -2.0], [3.0, 0.5]], np.float32)
    done = decompile(module, tmp_path / "written", feeds={"x": x}, ops=KERAS, worst=0)
    assert done.backends == {"jax": 3 * LARGEST if is_rounding else "out 0 differs by 3e-05 of its largest number"}
    with np.load(done.path / "recorded.npz") as recorded:
        assert ("rounding out 0" in recorded) is True


def test_other_backends_round_numbers_that_cancel_out(tmp_path: Path) -> None:
    module = tf2bridge.wrap(lambda x: tf.reduce_mean(x, 0), inputs={"x": tf.TensorSpec([None, 2])})
    x = np.random.default_rng(0).standard_normal((1000, 2)).astype(np.float32)
    x -= x.astype(np.float64).mean(0).astype(np.float32)
    check_everywhere(decompile(module, tmp_path / "written", feeds={"x": 1e3 * x}, ops=KERAS))


@pytest.mark.soak
@pytest.mark.parametrize("name", ALL)
def test_every_model(name: str, tmp_path: Path) -> None:
    model: Recorded = unpacked(name, tmp_path / "models")
    module: Any = loaded(model)
    feeds = {key: np.asarray(value) for key, value in fed(module, model).items()}
    done = decompile(module, tmp_path / "written", feeds=feeds, ops=KERAS)
    if done.runs_everywhere and not model.py_funcs:
        check_everywhere(done)


def test_flips_along_several_axes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tf2bridge.wrap(lambda x: tf.reverse(x, [0, 2]) * 2.0, inputs={"x": tf.TensorSpec([2, 3, 4])})
    text = text_of(module, "about", ops=KERAS)
    assert "keras.ops.flip(keras.ops.flip(x, axis=0), axis=2)" in text.source
    check_equal(text, module, {}, tmp_path / "flipped", monkeypatch)


def test_random_numbers_are_from_a_seed_generator(tmp_path: Path) -> None:
    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        hidden = tf1.nn.dropout(tf1.layers.dense(rows, 5, name="hidden"), rate=0.3)
        noise = tf1.random_normal([5], stddev=0.1)
        return [tf1.layers.dense(rows, 2, name="out"), tf1.layers.dense(hidden + noise, 2, name="noisy")]

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    done = decompile(module, tmp_path / "written", ops=KERAS)
    assert done.runs_everywhere
    source = "".join((done.path / "model.py").read_text("utf-8").split())
    assert source.count("keras.random.SeedGenerator()") == 1
    assert "keras.random.dropout(self.hidden(rows),0.3,seed=self.seed_generator)" in source
    assert "keras.random.normal([5],0.0,0.1,seed=self.seed_generator)" in source
    check_everywhere(done)
