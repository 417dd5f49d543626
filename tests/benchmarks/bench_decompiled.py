"""Written packages beside the loaded graphs that they are made of, each pair in one run.

    python -m pytest -s tests/benchmarks/bench_decompiled.py

Times are the least of many short rounds, taken in turns. A call of a small model costs more than what it computes:
Keras checks its arguments, and a `tf.function` looks for the graph that suits them, which takes longer than a step of a
small net. So both sides are called in a `tf.function`, too, as programs do, and one that does nothing is timed.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.benchmarks.turns import in_turns
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge import v1
from tf2bridge.decompile.training.step import Step

ROUNDS = 60
SECONDS = 0.03
"""Of a round."""
MOST = 1.05
"""In times of the loaded graph, with both in a `tf.function`."""


def least(*functions: Callable[[], Any]) -> list[float]:
    """Milliseconds of one call of each: the least mean of some rounds, in turns."""
    for function in functions:
        function()
    begun = time.perf_counter()
    functions[0]()
    times = max(1, int(SECONDS / (time.perf_counter() - begun)))
    return [seconds * 1e3 for seconds in in_turns(functions, ROUNDS, times)]


def resnet_50(images: Any) -> Any:
    def convolved(x: Any, filters: int, size: int, strides: int = 1) -> Any:
        x = v1.layers.conv2d(x, filters, size, strides, "same", use_bias=False)
        return v1.layers.batch_normalization(x, fused=True)

    x = v1.layers.max_pooling2d(tf.nn.relu(convolved(images, 64, 7, 2)), 3, 2, "same")
    for stage, units in enumerate((3, 4, 6, 3)):
        for unit in range(units):
            strides, filters = (2 if stage and not unit else 1), 64 * 2**stage
            shortcut = x if unit else convolved(x, 4 * filters, 1, strides)
            y = tf.nn.relu(convolved(x, filters, 1, strides))
            y = convolved(tf.nn.relu(convolved(y, filters, 3)), 4 * filters, 1)
            x = tf.nn.relu(shortcut + y)
    return v1.layers.dense(tf.reduce_mean(x, [1, 2]), 1000)


def bert(ids: Any) -> Any:
    size, heads, length = 128, 4, 64
    x = tf.nn.embedding_lookup(v1.get_variable("words", [1000, size]), ids)
    for number in range(6):
        with v1.variable_scope(f"layer_{number}"):
            split = [tf.reshape(v1.layers.dense(x, size), [-1, length, heads, size // heads]) for _ in range(3)]
            query, key, value = (tf.transpose(part, [0, 2, 1, 3]) for part in split)
            scores = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) * (size // heads) ** -0.5)
            mixed = tf.reshape(tf.transpose(tf.matmul(scores, value), [0, 2, 1, 3]), [-1, length, size])
            x = v1.contrib.layers.layer_norm(x + v1.layers.dense(mixed, size), begin_norm_axis=-1)
            x = x + v1.layers.dense(v1.layers.dense(x, 4 * size, tf.nn.relu), size)
    return v1.layers.dense(x[:, 0], 2)


def ptb(ids: Any) -> Any:
    x = tf.nn.embedding_lookup(v1.get_variable("words", [2000, 200]), ids)
    cells = v1.nn.rnn_cell.MultiRNNCell([v1.nn.rnn_cell.BasicLSTMCell(200) for _ in range(2)])
    return v1.layers.dense(v1.nn.dynamic_rnn(cells, x, dtype=tf.float32)[0], 2000)


BUILT: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "resnet_50": (resnet_50, {"images": tf.TensorSpec([None, 224, 224, 3])}),
    "bert": (bert, {"ids": tf.TensorSpec([None, 64], tf.int32)}),
    "ptb": (ptb, {"ids": tf.TensorSpec([None, 20], tf.int32)}),
}
FIXTURES = ("1.12.3/convnet", "1.12.3/rnn_gru", "1.12.3/slim_residual")
TRAINED = ("1.12.3/mlp_adam", "1.12.3/mlp_momentum", "1.12.3/convnet_batch_norm", "1.12.3/rnn_lstm")
RATES: dict[str, Callable[[Any], Any]] = {
    "ptb_sgd": lambda _: v1.train.GradientDescentOptimizer(1.0),
    "ptb_rmsprop": lambda step: v1.train.RMSPropOptimizer(
        v1.train.exponential_decay(0.001, step, 100, 0.9), momentum=0.9
    ),
}
"""Trained nets that are built here -> the optimizer, which may take the global step."""


def recorded(name: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    model = unpacked(name, folder)
    inputs, outputs = (list(model.tensors(kind).values()) for kind in ("in", "out"))
    module = tf2bridge.load(model.folder / "model.ckpt.meta", inputs=inputs, outputs=outputs)
    return module, dict(zip(module.inputs, model.part("in").values(), strict=True))


def model_of(name: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    """Returns the module of a model, and an array for each input."""
    if name in FIXTURES:
        return recorded(name, folder / "models")
    build, specs = BUILT[name]
    random = np.random.default_rng(0)
    shapes = {name: [8, *spec.shape[1:]] for name, spec in specs.items()}
    arrays = {
        name: random.standard_normal(shape).astype("f")
        if specs[name].dtype.is_floating
        else random.integers(0, 99, shape)
        for name, shape in shapes.items()
    }
    module = tf2bridge.wrap(build, inputs=specs)
    return module, {name: array.astype(specs[name].dtype.as_numpy_dtype) for name, array in arrays.items()}


def trained(name: str, folder: Path) -> tuple[Any, dict[str, Any]]:
    """Returns the module of a graph with a train op, and an array for each input."""
    if name in TRAINED:
        return recorded(name, folder / "models")

    def build(ids: Any, labels: Any) -> Any:
        step = v1.train.get_or_create_global_step()
        loss = v1.losses.sparse_softmax_cross_entropy(labels, ptb(ids))
        gradients, _ = tf.clip_by_global_norm(v1.gradients(loss, v1.trainable_variables()), 5.0)
        pairs = zip(gradients, v1.trainable_variables(), strict=True)
        RATES[name](step).apply_gradients(pairs, global_step=step, name="train")
        return tf.identity(loss, "loss")

    specs = {key: tf.TensorSpec([None, 20], tf.int32) for key in ("ids", "labels")}
    random = np.random.default_rng(0)
    arrays = {key: random.integers(0, 99, [8, 20]).astype(np.int32) for key in specs}
    return tf2bridge.wrap(build, inputs=specs), arrays


def package_of(done: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(done.path.parent))
    return importlib.import_module(done.path.name)


@pytest.mark.parametrize("name", [*BUILT, *FIXTURES])
def bench_inference(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, arrays = model_of(name, tmp_path)
    label = f"inferred_{name.partition('/')[2] or name}"
    model = package_of(tf2bridge.decompile(module, tmp_path / label, feeds=arrays, worst=0), monkeypatch).load()
    inputs = [tf.constant(array) for array in arrays.values()]
    old, new = tf.function(module.__call__), tf.function(model.__call__)
    loaded, written, inside, outside = least(
        lambda: module(*inputs), lambda: model(*inputs), lambda: new(*inputs), lambda: old(*inputs)
    )
    print(
        f"\n{name}: loaded {loaded:.3f} ms, written {written:.3f} ms ({written / loaded:.2f} times), "
        f"in tf.function {outside:.3f} and {inside:.3f} ms ({inside / outside:.2f} times)"
    )
    assert inside < MOST * outside
    del sys.modules[label]


@pytest.mark.parametrize("name", [*TRAINED, *RATES])
def bench_training_step(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, arrays = trained(name, tmp_path)
    label = f"trained_{name.partition('/')[2] or name}"
    done = tf2bridge.decompile(module, tmp_path / label, feeds=arrays, train=True, worst=0)
    trainer = package_of(done, monkeypatch).Trainer.load()
    parts = Step.of(module, None).parts
    sources = {**parts.forward.ends.inputs, **parts.update.ends.inputs}
    inputs = [tf.constant(arrays[name]) for name in trainer.legacy_inputs]
    losses = [list(parts.forward.ends.outputs.values())[number] for numbers in parts.losses for number in numbers]
    step = module.function([sources[name] for name in trainer.legacy_inputs], [parts.train_op, *losses])
    old, new = (tf.function(call) for call in (lambda *tensors: step(*tensors)[1:], trainer.train_step))
    count = tf.Variable(0)
    empty = tf.function(lambda *_: count.assign_add(1))
    loaded, written, inside, outside, nothing = least(
        lambda: step(*inputs),
        lambda: trainer.train_step(*inputs),
        lambda: new(*inputs),
        lambda: old(*inputs),
        lambda: empty(*inputs),
    )
    print(
        f"\n{name}: a step of the loaded graph {loaded:.3f} ms, written {written:.3f} ms, in tf.function {outside:.3f} "
        f"and {inside:.3f} ms ({inside / outside:.2f} times); a tf.function without work {nothing:.3f} ms"
    )
    assert inside < MOST * outside
    del sys.modules[label]
