"""SavedModels that TensorFlow 2 wrote: their functions are graphs, their checkpoints are object-based."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

import tf2bridge
from tf2bridge.decompile.emitted.test_model import LARGEST
from tf2bridge.formats.graphs.refusals import NoDefaultSignatureError

ROWS = tf.TensorSpec([None, 3], name="x")


class TwoOfAName(tf.Module):  # type: ignore[misc]
    """Two variables of one name, which the second checkpoint swaps."""

    def __init__(self) -> None:
        self.first = tf.Variable(tf.eye(3) * 2, name="w")
        self.second = tf.Variable(tf.ones([3, 3]), name="w", trainable=False)

    @tf.function(input_signature=[ROWS])
    def __call__(self, x: Any) -> Any:
        return tf.tanh(x @ self.first) @ self.second


class Vocabulary(tf.Module):  # type: ignore[misc]
    """A table that a function fills, and rows that are trained."""

    def __init__(self) -> None:
        keys = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
        self.table = tf.lookup.StaticHashTable(keys, 2)
        self.rows = tf.Variable(np.arange(12.0).reshape(3, 4), dtype=tf.float32, name="rows")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, "words")])
    def __call__(self, words: Any) -> Any:
        return tf.gather(self.rows, self.table.lookup(words))


class Loop(tf.Module):  # type: ignore[misc]
    """Loops in a condition in the form of TensorFlow 2: two functions have a large constant of the same name."""

    @tf.function(input_signature=[ROWS], autograph=False)
    def __call__(self, x: Any) -> Any:
        def repeated(start: Any, factor: float) -> Any:
            def body(number: Any, value: Any) -> Any:
                large = tf.constant(np.full([100], factor, np.float32), name="large")
                return number + 1, value + tf.gather(large, number)

            return tf.while_loop(lambda number, _: number < 3, body, [0, start])[1]

        return tf.cond(tf.reduce_sum(x) > 0, lambda: repeated(x, 1.0), lambda: repeated(repeated(x, 2.0), 3.0))


def saved(module: Any, folder: Path, name: str = "saved") -> Path:
    tf.saved_model.save(module, str(folder / name), signatures=module.__call__)
    return folder / name


@pytest.mark.parametrize("kind", [TwoOfAName, Vocabulary, Loop])
def test_modules(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = kind()
    done = tf2bridge.decompile(saved(module, tmp_path), tmp_path / f"of_{kind.__name__.lower()}")
    assert max(done.differences.values()) <= LARGEST
    monkeypatch.syspath_prepend(str(tmp_path))
    model = importlib.import_module(done.path.name).load()
    given = tf.constant(["b", "a", "c"]) if kind is Vocabulary else tf.constant([[0.3, -0.2, 0.1]])
    np.testing.assert_allclose(model(given), module(given), rtol=1e-6)
    if module.variables:  # else its constants are weights
        assert len(model.trainable_variables) == len(module.trainable_variables) == 1


def test_a_signature_is_named(tmp_path: Path) -> None:
    module = TwoOfAName()
    tf.saved_model.save(module, str(tmp_path / "two"), signatures={"here": module.__call__, "there": module.__call__})
    with pytest.raises(NoDefaultSignatureError, match=r"--signature.: here, there"):
        tf2bridge.load(tmp_path / "two")
    tf.saved_model.save(module, str(tmp_path / "none"), signatures={})
    with pytest.raises(NoDefaultSignatureError, match="Save it with signatures"):
        tf2bridge.load(tmp_path / "none")
    assert list(tf2bridge.load(tmp_path / "two", signature="there").inputs) == ["x"]


def test_a_later_checkpoint_of_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = TwoOfAName()
    done = tf2bridge.decompile(saved(module, tmp_path), tmp_path / "restored")
    module.first.assign(tf.ones([3, 3]))
    module.second.assign(tf.eye(3) * 5)
    later = saved(module, tmp_path, "later")
    monkeypatch.syspath_prepend(str(tmp_path))
    package = importlib.import_module(done.path.name)
    given = tf.constant([[0.3, -0.2, 0.1]])
    model = package.Model.from_checkpoint(str(later / "variables/variables"))
    np.testing.assert_allclose(model(given), module(given), rtol=1e-6)


def test_a_model_of_keras(tmp_path: Path) -> None:
    layers = tf_keras.layers
    model = tf_keras.Sequential(
        [layers.Embedding(9, 4, input_length=5, name="embedding"), layers.LSTM(3), layers.Dense(2, activation="relu")]
    )
    model.compile("adam", "mse", metrics=["mae", "mse"])  # two metrics, each with variables "total" and "count"
    model.fit(np.zeros([2, 5]), np.zeros([2, 2]), verbose=0)
    model.save(tmp_path / "keras", save_format="tf")
    done = tf2bridge.decompile(tmp_path / "keras", tmp_path / "of_keras")
    assert max(done.differences.values()) <= LARGEST
    assert {name for name in done.differences if name.startswith("gradient")}, "the embedding has a gradient"
    text = (done.path / "model.py").read_text("utf-8")
    assert "self.embedding_embeddings = " in text
