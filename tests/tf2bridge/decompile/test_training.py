"""Training steps as source: after each step, variables and slots are those of the loaded graph.

The models are fixtures/graphs: graphs of genuine releases. The others are built here by TensorFlow 1.x code.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.trained import check_step, with_drawn_weights
from tests.tf2bridge.graph.recorded import ALL, Recorded, unpacked
from tf2bridge.cli import cli
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.refusals import GradientCutError, TrainOpError
from tf2bridge.decompile.training.gradients import INDICES, VALUES, Backward, Cuts
from tf2bridge.decompile.training.recording_steps import StepRecording
from tf2bridge.decompile.training.step import Step

_COMMON = {
    *("mlp_sgd", "mlp_momentum", "mlp_adam", "mlp_adagrad", "mlp_adadelta", "mlp_rmsprop", "mlp_ftrl", "mlp_averages"),
    *("convnet_batch_norm", "slim_residual", "embeddings", "rnn_lstm", "towers", "queue_input", "resources", "loop"),
    "block_lstm_trained",
    "rnn_peepholes",
}
"""Models that the tests of every change run in the release 1.12.3. The soak test runs all."""


_IN_MODEL = {
    "1.12.3/rnn_lstm": "recurrent.LSTM(4, return_sequences=True)",
    "1.12.3/rnn_stacked": "recurrent.GRU(3, return_sequences=True)",
    "1.12.3/rnn_lstm_lengths": "recurrent.LSTM(",
    "1.12.3/rnn_peepholes": "4, return_sequences=True, peepholes=True, cell_clip=3.0, projection=2",
    "1.12.3/block_gru_cell_trained": "recurrent.GRU(4, return_sequences=True)",
    "1.12.3/convnet_batch_norm": "self.conv_batchnorm(self.conv(images), training=is_training)",
    "1.12.3/slim_residual": "self.last_batchnorm(conv2d, training=True)",
}
"""Model -> what stands in its source: layers whose variables the step changes."""


def trains(name: str) -> bool:
    """Returns True if a model of this name has a train op in any release."""
    return name.partition("/")[2] in _COMMON and name.startswith("1.12.3/")


def loaded(model: Recorded) -> tuple[Any, dict[str, Any]]:
    """Returns the module of a model, and an array for each of its inputs."""
    inputs, outputs = (list(model.tensors(kind).values()) for kind in ("in", "out"))
    path = model.folder / "model.ckpt.meta"
    module = tf2bridge.load(path, inputs=inputs, outputs=outputs, py_funcs=model.py_funcs)
    return module, dict(zip(module.inputs, model.part("in").values(), strict=True))


@pytest.mark.parametrize("name", [name if trains(name) else pytest.param(name, marks=pytest.mark.soak) for name in ALL])
def test_steps_of_genuine_graphs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = unpacked(name, tmp_path / "models")
    if not model.train:
        pytest.skip("it has no train op")
    module, feeds = loaded(model)
    folder = tmp_path / f"trained_{name.replace('/', '_').replace('.', '_')}"
    check_step(module, feeds, folder, monkeypatch, in_model=_IN_MODEL.get(name, ""))


STEPS = {
    "sgd, polynomial, norms": (
        "tf.train.GradientDescentOptimizer(tf.train.polynomial_decay(0.1, step, 5, 0.01, 2.0))",
        "[tf.clip_by_norm(g, 0.1) for g in gradients]",
    ),
    "momentum, cosine, global norm": (
        "tf.train.MomentumOptimizer(tf.train.cosine_decay(0.1, step, 5), 0.9)",
        "tf.clip_by_global_norm(gradients, 0.1)[0]",
    ),
    "nesterov, pieces, values": (
        "tf.train.MomentumOptimizer(tf.train.piecewise_constant(step, [1], [0.1, 0.01]), 0.9, use_nesterov=True)",
        "[tf.clip_by_value(g, -0.01, 0.02) for g in gradients]",
    ),
    "adagrad, exponential": (
        "tf.train.AdagradOptimizer(tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True))",
        "gradients",
        "def learning_rate(global_step):",
        "0.1 * 0.5 ** tf.floor(tf.cast(global_step, tf.float32) / 2.0)",
    ),
    "adadelta, scaled": ("tf.train.AdadeltaOptimizer(1.0)", "[g / 4.0 for g in gradients]"),
    "rmsprop": ("tf.train.RMSPropOptimizer(0.01, momentum=0.5)", "gradients"),
    "rmsprop, centered": ("tf.train.RMSPropOptimizer(0.01, centered=True)", "gradients"),
    "adam, fed rate, global norm": (
        "tf.train.AdamOptimizer(rate, epsilon=1e-4)",
        "tf.clip_by_global_norm(gradients, 5.0)[0]",
        "clipped, _ = tf.clip_by_global_norm(gradients, 5.0)",
        "def train_step(self, rows, rate):",
    ),
    "ftrl": ("tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.001)", "gradients"),
    "proximal adagrad": ("tf.train.ProximalAdagradOptimizer(0.1, l2_regularization_strength=0.01)", "gradients"),
    "proximal sgd": ("tf.train.ProximalGradientDescentOptimizer(0.1)", "gradients"),
}
"""Optimizer, and what it applies: code that finds `step`, the placeholder `rate` and `gradients`; lines of the step."""


def regression(optimizer: str, applied: str) -> Any:
    """Returns the module of a net with decay of weights, an average of its weights and batch statistics."""

    def build(rows: Any, rate: Any) -> Any:
        tf1 = tf2bridge.v1
        step = tf1.train.get_or_create_global_step()
        hidden = tf1.layers.dense(rows, 5, use_bias=False, name="hidden")
        hidden = tf1.nn.relu(tf1.layers.batch_normalization(hidden, training=True, name="norm"))
        y = tf1.layers.dense(hidden, 2, name="out")
        weights = tf1.trainable_variables()
        decay = tf1.add_n([tf1.nn.l2_loss(variable) for variable in weights if "kernel" in variable.name])
        loss = tf1.add(tf1.reduce_mean(tf1.square(y - rows[:, :2])), 0.01 * decay, name="loss")
        names = {"tf": tf1, "step": step, "rate": rate, "gradients": tf1.gradients(loss, weights)}
        gradients = eval(applied, names)
        made = eval(optimizer, names)
        with tf1.control_dependencies(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)):
            applied_op = made.apply_gradients(zip(gradients, weights, strict=True), global_step=step)
        with tf1.control_dependencies([applied_op]):
            tf1.train.ExponentialMovingAverage(0.9, step).apply(weights)
        return y

    specs = {"rows": tf.TensorSpec([None, 4]), "rate": tf.TensorSpec([])}
    return with_drawn_weights(tf2bridge.wrap(build, inputs=specs))


FEEDS = {"rows": np.linspace(-1, 1, 24, dtype=np.float32).reshape(6, 4) ** 3, "rate": np.float32(0.02)}


@pytest.mark.parametrize("name", STEPS)
def test_optimizers_clips_and_schedules(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    optimizer, applied, *lines = STEPS[name]
    module = regression(optimizer, applied)
    folder = tmp_path / f"step_{list(STEPS).index(name)}"
    source = check_step(module, FEEDS, folder, monkeypatch, in_model="self.norm(matmul, training=True)")
    assert [line for line in (*lines, "loss = self.model(rows)") if line not in source] == []


def test_graphs_without_a_train_op_and_with_several(tmp_path: Path) -> None:
    without, _ = loaded(unpacked("1.12.3/condition_nested", tmp_path))
    with pytest.raises(TrainOpError, match=r"it has no train op\); leave out --train"):
        tf2bridge.decompile(without, tmp_path / "package", train=True)

    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        y = tf1.layers.dense(rows, 1, name="out")
        loss = tf1.reduce_sum(y)
        tf1.train.GradientDescentOptimizer(0.1).minimize(loss, name="slow")
        tf1.train.AdamOptimizer(0.1).minimize(loss, name="fast")
        return y

    several = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    with pytest.raises(TrainOpError, match=r"several train ops.*slow, fast with --train-op"):
        tf2bridge.decompile(several, tmp_path / "package", train=True)
    with pytest.raises(TrainOpError, match=r"out/MatMul changes no variable.*slow, fast with --train-op"):
        tf2bridge.decompile(several, tmp_path / "package", train_op="out/MatMul")
    assert not (tmp_path / "package").exists()


def two_losses(tf1: Any, rows: Any) -> Any:
    """A generator and a discriminator, each with its optimizer; the train op runs both."""
    fake = tf1.layers.dense(rows, 4, name="generator")
    scores = [tf1.layers.dense(images, 1, name="critic", reuse=tf1.AUTO_REUSE) for images in (2.0 * rows, fake)]
    steps = []
    for name, loss in (("critic", scores[1] - scores[0]), ("generator", -scores[1])):
        variables = tf1.get_collection("trainable_variables", name)
        steps.append(tf1.train.AdamOptimizer(0.01).minimize(tf1.reduce_mean(tf1.tanh(loss)), var_list=variables))
    tf1.group(*steps, name="train")
    return fake


def rows_of_tables(tf1: Any, rows: Any) -> Any:
    """Two embeddings, whose sparse gradients Adam applies by spelt-out operations."""
    numbers = tf1.cast(10.0 * tf1.abs(rows), tf1.int32)
    tables = [tf1.get_variable(name, [20, 4]) for name in ("first", "second")]
    y = tf1.layers.dense(tf1.add_n([tf1.nn.embedding_lookup(table, numbers) for table in tables]), 1, name="out")
    loss = tf1.reduce_mean(tf1.square(y - 1.0))
    variables = tf1.trainable_variables()
    gradients, _ = tf1.clip_by_global_norm(tf1.gradients(loss, variables), 0.1)
    tf1.train.AdamOptimizer(0.01).apply_gradients(zip(gradients, variables, strict=True), name="train")
    return y


def penalty(tf1: Any, rows: Any) -> Any:
    """A loss with the gradient of an output in it, and a moving average of the loss after the step."""
    y = tf1.layers.dense(tf1.tanh(tf1.layers.dense(rows, 5, name="hidden")), 1, name="out")
    loss = tf1.reduce_mean(y) + tf1.reduce_mean(tf1.square(tf1.gradients(y, rows)[0] - 1.0))
    step = tf1.train.AdamOptimizer(0.01).minimize(loss)
    with tf1.control_dependencies([step]):
        tf1.group(tf1.train.ExponentialMovingAverage(0.9).apply([loss]), name="train")
    return y


def relative_errors(tf1: Any, rows: Any) -> Any:
    """An output that is divided by 0, whose gradient the step does not take."""
    y = tf1.layers.dense(rows, 1, name="out")
    loss = tf1.reduce_mean(tf1.square(y - 1.0))
    tf1.train.GradientDescentOptimizer(0.1).minimize(loss, name="train")
    return (y - 1.0) / (0.0 * rows)


def chosen_scores(tf1: Any, rows: Any) -> Any:
    """A loss of some elements, whose gradient is a `ScatterNd`, which changes no variable."""
    y = tf1.layers.dense(rows, 3, name="out")
    loss = tf1.reduce_mean(tf1.square(tf1.gather_nd(y, [[0, 1], [1, 2]]) - 1.0))
    tf1.train.GradientDescentOptimizer(0.1).minimize(loss, name="train")
    return y


@pytest.mark.parametrize("make", [two_losses, rows_of_tables, penalty, relative_errors, chosen_scores])
def test_graphs_of_several_gradients(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tf2bridge.wrap(lambda rows: make(tf2bridge.v1, rows), inputs={"rows": tf.TensorSpec([None, 4])})
    check_step(module, {"rows": FEEDS["rows"]}, tmp_path / make.__name__, monkeypatch, train_op="train")


@pytest.mark.parametrize("is_training", [True, False])
def test_batch_normalization_by_a_fed_truth_value(
    is_training: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(images: Any, is_training: Any) -> Any:
        tf1 = tf2bridge.v1
        y = tf1.layers.batch_normalization(images, momentum=0.9, training=is_training, name="norm")
        y = tf1.layers.dense(tf1.layers.flatten(tf1.nn.relu(y)), 2, name="out")
        loss = tf1.reduce_mean(tf1.square(y - 1.0))
        with tf1.control_dependencies(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)):
            tf1.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
        return y

    specs = {"images": tf.TensorSpec([None, 3, 3, 2]), "is_training": tf.TensorSpec([], tf.bool)}
    module = tf2bridge.wrap(build, inputs=specs)
    images = np.linspace(-1, 2, 72, dtype=np.float32).reshape(4, 3, 3, 2) ** 3
    feeds = {"images": images, "is_training": np.bool_(is_training)}
    check_step(
        module, feeds, tmp_path / f"normal_{is_training}", monkeypatch, in_model="norm(images, training=is_training)"
    )


def test_more_roundings_show_more_of_what_a_step_may_be_off() -> None:
    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        y = tf1.layers.dense(rows, 3, name="out")
        tf1.train.AdamOptimizer(0.1).minimize(tf1.reduce_sum(tf1.nn.softmax(y)))
        return y

    module = with_drawn_weights(tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])}))
    recorded = StepRecording(module, Step.of(module, None).parts, {"rows": FEEDS["rows"]}, [1, 2])
    paths = {"kernel": Weight(("out/kernel",)), "bias": Weight(("out/bias",))}
    sizes = []
    while True:
        arrays = recorded.arrays(paths) or {}
        sizes.append([float(arrays[f"rounding {number} {path}"]) for number in (1, 2) for path in paths])
        if not recorded.round_more():
            break
    assert len(sizes) == 3  # after 1, 3 and 6 runs
    assert sizes == sorted(sizes)


def test_a_random_step_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        y = tf1.layers.dense(tf1.nn.dropout(rows, rate=0.5), 1, name="out")
        tf1.train.GradientDescentOptimizer(0.1).minimize(tf1.reduce_sum(y))
        return y

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    check_step(module, {"rows": FEEDS["rows"]}, tmp_path / "random_step", monkeypatch, is_random=True)


def test_fit_takes_the_same_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, feeds = loaded(unpacked("1.12.3/mlp_adam", tmp_path / "models"))
    tf2bridge.decompile(module, tmp_path / "fitted_adam", feeds=feeds, train=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    trainer = importlib.import_module("fitted_adam").Trainer
    called, fitted = trainer.load(), trainer.load()
    batch = [feeds[name] for name in called.legacy_inputs]
    losses = [float(called.train_step(*batch)) for _ in range(3)]
    data = tf.data.Dataset.from_tensors(tuple(batch)).repeat(3)
    shown = fitted.fitted().fit(data, verbose=0).history["loss"]
    assert shown == [pytest.approx(np.mean(losses))]
    called.train_step(*batch)
    fitted.fitted().fit(batch[:-1], batch[-1], batch_size=len(batch[0]), verbose=0)
    for variable, other in zip(called.model.variables, fitted.model.variables, strict=True):
        assert np.array_equal(variable.numpy(), other.numpy())


def test_the_command_writes_the_step_and_names_the_queue(tmp_path: Path) -> None:
    model = unpacked("1.12.3/queue_input", tmp_path / "models")
    arguments = ["decompile", str(model.folder / "model.ckpt.meta"), "--output", str(tmp_path / "package"), "--train"]
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert done.exit_code == 0, done.output
    assert "train.py takes the step of GradientDescent; 3 arrays compared after three steps" in done.output
    assert "batch:1 is an input: " in done.output
    assert (tmp_path / "package/test_train.py").is_file()


def test_gradients_that_tf_gradients_did_not_make(tmp_path: Path) -> None:
    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        weights = tf1.get_variable("weights", [4])
        optimizer = tf1.train.GradientDescentOptimizer(0.1)
        optimizer.apply_gradients([(tf1.reduce_mean(rows, 0) - weights, weights)], name="step")
        return rows * weights

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    with pytest.raises(GradientCutError, match=r"step cannot be written .*tf.gradients has not made what it takes"):
        tf2bridge.decompile(module, tmp_path / "package", train=True)


def _gradients_of_a_table(taker: str) -> tuple[dict[str, Any], Backward]:
    """Returns the nodes of a lookup and a penalty on the whole table, as `tf.gradients` of TensorFlow 1.12 makes them.

    Args:
        taker: The type of what takes the values of the gradient.
    """
    rows = {
        "table": ("VariableV2",),
        "ids": ("Placeholder",),
        "lookup": ("Gather", "table", "ids"),
        "penalty": ("L2Loss", "table"),
        "gradients/penalty_grad/mul": ("Mul", "table", "ids"),
        "gradients/lookup_grad/Reshape": ("Reshape", "ids", "ids"),
        "gradients/lookup_grad/Reshape_1": ("Reshape", "ids", "ids"),
        "gradients/axis": ("Const",),
        "gradients/range": ("Range", "gradients/axis", "gradients/axis", "gradients/axis"),
        "gradients/concat": (
            "ConcatV2", "gradients/penalty_grad/mul", "gradients/lookup_grad/Reshape", "gradients/axis",
        ),
        "gradients/concat_1": (
            "ConcatV2", "gradients/range", "gradients/lookup_grad/Reshape_1", "gradients/axis",
        ),
        "taker": (taker, "gradients/concat"),
        "indices": ("Unique", "gradients/concat_1"),
    }  # fmt: skip
    nodes = {name: tf.compat.v1.NodeDef(name=name, op=op, input=inputs) for name, (op, *inputs) in rows.items()}
    inside = frozenset(name for name in nodes if name.startswith("gradients/"))
    return nodes, Backward(("gradients",), (("penalty:0",),), inside)


def _dtype(source: str) -> Any:
    return tf.int32 if source.startswith("gradients/concat_1") else tf.float32


def test_a_dense_gradient_beside_rows_is_one_of_all_rows() -> None:
    nodes, backward = _gradients_of_a_table("UnsortedSegmentSum")
    cuts = Cuts("graph", nodes, "train", backward).all(["taker", "indices"], _dtype)
    assert [(cut.variable, cut.part, cut.with_all_rows) for cut in cuts] == [
        ("table", VALUES, True),
        ("table", INDICES, True),
    ]


def test_a_norm_of_a_dense_gradient_beside_rows_is_refused() -> None:
    nodes, backward = _gradients_of_a_table("L2Loss")
    with pytest.raises(GradientCutError, match="taker takes two gradients of table one by one"):
        Cuts("graph", nodes, "train", backward).all(["taker", "indices"], _dtype)


def test_gradients_of_an_actor_which_begin_with_those_of_a_critic_are_refused(tmp_path: Path) -> None:
    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        action = tf1.layers.dense(rows, 2, name="actor")
        value = tf1.layers.dense(action, 1, name="critic")
        variables = tf1.trainable_variables("actor")
        gradients = tf1.gradients(action, variables, tf1.gradients(value, action))
        optimizer = tf1.train.AdamOptimizer(0.01)
        optimizer.apply_gradients(zip(gradients, variables, strict=True), name="train")
        return value

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    with pytest.raises(GradientCutError, match=r"its gradients begin with gradients_1/grad_ys_0, which is computed"):
        tf2bridge.decompile(module, tmp_path / "package", train=True)
