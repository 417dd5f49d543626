"""`decompile(idiomatic=True)`: optimizers and losses of Keras, and how far they are from the old graph."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.test_training import FEEDS
from tests.tf2bridge.decompile.trained import with_drawn_weights
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.cli import cli
from tf2bridge.decompile.emitted.weights import transformed
from tf2bridge.decompile.idiomatic.keras_step import keras_step
from tf2bridge.decompile.training.step import Step

CLASSIFIER = {"rows": FEEDS["rows"], "labels": np.array([0, 1, 2, 1, 0, 2], np.int32)}


def classifier(optimizer: str, applied: str = "gradients") -> Any:
    """Returns the module of a net with a mean of cross entropies, and a penalty on its weights."""

    def build(rows: Any, labels: Any, rate: Any) -> Any:
        tf1 = tf2bridge.v1
        step = tf1.train.get_or_create_global_step()
        hidden = tf1.layers.dense(rows, 5, tf1.nn.tanh, name="hidden")
        logits = tf1.layers.dense(hidden, 3, name="out")
        weights = tf1.trainable_variables()
        decay = tf1.add_n([tf1.nn.l2_loss(variable) for variable in weights if "kernel" in variable.name])
        losses = tf1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf1.add(tf1.reduce_mean(losses), 0.01 * decay, name="loss")
        names = {"tf": tf1, "step": step, "rate": rate, "gradients": tf1.gradients(loss, weights)}
        made = eval(optimizer, names)
        made.apply_gradients(zip(eval(applied, names), weights, strict=True), global_step=step, name="train")
        return {"logits": logits, "right": tf1.equal(tf1.argmax(logits, 1, output_type=tf1.int32), labels)}

    specs = {"rows": tf.TensorSpec([None, 4]), "labels": tf.TensorSpec([None], tf.int32), "rate": tf.TensorSpec([])}
    return with_drawn_weights(tf2bridge.wrap(build, inputs=specs))


def imported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(folder.parent))
    return importlib.import_module(folder.name)


def test_momentum_of_keras_under_a_schedule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = classifier("tf.train.MomentumOptimizer(tf.train.exponential_decay(0.1, step, 2, 0.5), 0.9)")
    done = tf2bridge.decompile(module, tmp_path / "idiomatic_sgd", feeds=CLASSIFIER, idiomatic=True, worst=0)
    optimizer, loss = done.choices
    assert (optimizer.keras, loss.keras) == ("keras.optimizers.SGD", "keras.losses.SparseCategoricalCrossentropy")
    assert "a change of the rate acts later" in optimizer.why
    assert loss.why == "outputs that need labels are not in the package: right, loss"
    # The rate is halved every two steps: from the second step on, Keras moves by momentum with the rates before.
    assert optimizer.figures["variables, step 1"] == (0, 0)
    own, exact = optimizer.figures["variables, step 10"]
    assert own > 0.05 and exact < 1e-3
    assert "a change of the rate acts later" in (done.path / "report.html").read_text("utf-8")
    package = imported(done.path, monkeypatch)
    trainer = package.Trainer.load()
    before = trainer.model.hidden.kernel.numpy()
    history = trainer.fitted().fit(CLASSIFIER["rows"], CLASSIFIER["labels"], epochs=20, verbose=0).history["loss"]
    assert history[-1] < history[0]
    assert trainer.fitted().predict(CLASSIFIER["rows"], verbose=0).shape == (6, 3)
    assert not np.array_equal(trainer.model.hidden.kernel.numpy(), before)
    importlib.import_module("idiomatic_sgd.test_train").test_variables_after_each_step_are_those_of_the_old_graph()


OPTIMIZERS = {
    "tf.train.AdamOptimizer(rate, epsilon=1e-4)": "keras.optimizers.Adam(epsilon=0.0001)",
    "tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)": "SGD(0.1, momentum=0.9, nesterov=True)",
    "tf.train.RMSPropOptimizer(0.01, momentum=0.5, centered=True)": "RMSprop(0.01, centered=True, momentum=0.5, ",
}
CLIPS = {
    "tf.clip_by_global_norm(gradients, 0.1)[0]": "global_clipnorm=0.1)",
    "[tf.clip_by_value(g, -0.01, 0.01) for g in gradients]": "clipvalue=0.01)",
    "[tf.clip_by_norm(g, 0.1) for g in gradients]": "clipnorm=0.1)",
}


@pytest.mark.parametrize(
    ("optimizer", "applied", "text"),
    [
        *((optimizer, "gradients", text) for optimizer, text in OPTIMIZERS.items()),
        *(("tf.train.GradientDescentOptimizer(0.1)", applied, text) for applied, text in CLIPS.items()),
    ],
)
def test_optimizers_and_clipping(optimizer: str, applied: str, text: str, tmp_path: Path) -> None:
    folder = tmp_path / "package"
    feeds = CLASSIFIER | ({"rate": np.float32(0.02)} if "rate" in optimizer else {})
    done = tf2bridge.decompile(classifier(optimizer, applied), folder, feeds=feeds, idiomatic=True, worst=0)
    source = " ".join((folder / "train.py").read_text("utf-8").split()).replace("( ", "(").replace(", )", ")")
    assert text in source
    largest = max(own for choice in done.choices for own, _ in choice.figures.values())
    assert largest < 1e-3, done.choices


REFUSED = {
    ("tf.train.ProximalGradientDescentOptimizer(0.1)", "gradients"): "no optimizer of Keras does what",
    ("tf.train.GradientDescentOptimizer(0.1)", "[g / 4.0 for g in gradients]"): "no argument of Keras computes",
    ("tf.train.GradientDescentOptimizer(rate * 2.0)", "gradients"): "no function of the number of steps alone",
}


@pytest.mark.parametrize(("optimizer", "applied"), REFUSED)
def test_what_keras_has_no_counterpart_for(optimizer: str, applied: str) -> None:
    step, choices = keras_step(Step.of(classifier(optimizer, applied), None))
    assert step is None
    assert REFUSED[optimizer, applied] in choices[0].why and not choices[0].keras


def test_the_number_of_steps_follows_from_the_power_that_is_0_last() -> None:
    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        y = tf1.layers.dense(rows, 1, name="out")
        tf1.train.AdamOptimizer(0.1).minimize(tf1.reduce_mean(tf1.square(y - 1.0)), name="train")
        return y

    step, _ = keras_step(Step.of(tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])}), None))
    assert step is not None and step.optimizer.power == ("beta2_power", 0.999)
    # After 2,000 steps, 0.9 to the power of 2,001 is 0 in float32; 0.999 to this power is 0.135.
    assert transformed([np.float32(0.999**2001)], "steps 0.999") == 2000


def test_what_stays_exact_is_written_exactly(tmp_path: Path) -> None:
    model = unpacked("1.12.3/mlp_averages", tmp_path / "models")
    arguments = ["decompile", str(model.folder / "model.ckpt.meta"), "--output", str(tmp_path / "averages")]
    done = CliRunner().invoke(cli, [*arguments, "--idiomatic", "--worst", "0"], standalone_mode=False)
    assert done.exit_code == 0, done.output
    assert "optimizer: as the graph has it, not one of Keras: the step changes " in done.output
    assert "tf.raw_ops.ResourceApplyGradientDescent" in (tmp_path / "averages/train.py").read_text("utf-8")


def test_checkpoints_of_the_old_graph_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = unpacked("1.12.3/mlp_adam", tmp_path / "models")
    model_path = str(model.folder / "model.ckpt")
    arguments = ["decompile", model_path, "--output", str(tmp_path / "own_adam"), "--output-format=json"]
    done = CliRunner().invoke(cli, [*arguments, "--idiomatic", "--worst", "0"], standalone_mode=False)
    assert done.exit_code == 0, done.output
    choices = json.loads(done.output)["choices"]
    assert [choice["keras"] for choice in choices] == ["keras.optimizers.Adam", "keras.losses.CategoricalCrossentropy"]
    trainer = imported(tmp_path / "own_adam", monkeypatch).Trainer.from_checkpoint(str(model.folder / "model.ckpt"))
    reader = tf.train.load_checkpoint(str(model.folder / "model.ckpt"))
    assert np.array_equal(trainer.velocity[1].numpy(), reader.get_tensor("hidden/biases/Adam_1"))
    assert trainer.optimizer.iterations.numpy() == reader.get_tensor("global_step")
