"""Classes as repositories of 2016 to 2018 wrote them, wrapped; the numbers are those of a v1 session of the code."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.legacy.char_rnn import Model
from tests.tf2bridge.graph.legacy.dcgan import DCGAN
from tests.tf2bridge.graph.legacy.dqn import DeepQNetwork
from tests.tf2bridge.graph.legacy.text_cnn import TextCNN
from tests.tf2bridge.graph.legacy.vae import VariationalAutoencoder
from tf2bridge.graph.tf1_behaviour import tf1_ways

v1 = tf.compat.v1
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@contextlib.contextmanager
def tf1_session(make: Callable[[], Any], module: Any) -> Iterator[tuple[Any, Any]]:
    """The object, built once more in a graph of its own, and a v1 session that has the module's values."""
    values = {variable.name: variable.numpy() for variable in module.variables}
    with tf.Graph().as_default(), tf1_ways():
        built = make()
        session = v1.Session()
        session.run(v1.global_variables_initializer())
        assert [variable.name for variable in v1.global_variables()] == list(values)
        for variable in v1.global_variables():
            variable.load(values[variable.name], session)
    yield built, session
    session.close()


def check_close(actual: Any, expected: Any) -> None:
    actual, expected = tf.nest.flatten(actual), tf.nest.flatten(expected)
    for one, two in zip(actual, expected, strict=True):
        if two is not None:
            np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)


def check_variables(module: Any, session: Any, unordered: str = "/") -> None:
    """Bit for bit, a training step is that of the session, but where the graph leaves the order open."""
    expected = session.run(session.graph.get_collection("variables"))
    for live, value in zip(module.variables, expected, strict=True):
        if not live.name.startswith(unordered):
            np.testing.assert_array_equal(live.numpy(), value, err_msg=live.name)


def check_trains_by_keras(module: Any, loss: str, feed: Mapping[str, Any], skipped: tuple[str, ...] = ()) -> None:
    optimizer = keras.optimizers.Adam(0.01)
    variables = [variable for variable in module.trainable_variables if not variable.name.startswith(skipped or ("/",))]
    losses = []
    for _ in range(4):
        with tf.GradientTape() as tape:
            [value] = module.function(list(feed), [loss])(**feed)
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables, strict=True))
        losses.append(float(value))
    assert losses[-1] < losses[0]


def char_rnn() -> Model:
    options = {"rnn_size": 6, "num_layers": 2, "batch_size": 3, "seq_length": 4, "vocab_size": 7, "grad_clip": 5.0}
    return Model(argparse.Namespace(**options))


def test_a_character_model() -> None:
    m = tf2bridge.wrap(char_rnn)
    x, y = np.arange(12).reshape(3, 4) % 7, np.arange(1, 13).reshape(3, 4) % 7
    assert list(m.inputs) == ["input_data", "targets"]
    assert {"logits", "probs", "cost", "initial_state.0.c", "final_state.1.h"} <= set(m.outputs)
    assert [variable.name for variable in m.trainable_variables][:3] == [
        "rnnlm/softmax_w:0",
        "rnnlm/softmax_b:0",
        "embedding:0",
    ]
    m.variables[[variable.name for variable in m.variables].index("Variable:0")].assign(0.002)

    state = [f"{end}_state.{layer}.{part}" for end in ("initial", "final") for layer in (0, 1) for part in "ch"]
    step = m.function(["input_data", "targets", *state[:4]], ["cost", *state[4:], "train_op"])
    zeros = [np.full([3, 6], 0.1 * place, np.float32) for place in range(4)]
    with tf1_session(char_rnn, m) as (model, session):
        given = {model.input_data: x, model.targets: y}
        check_close(m({"input_data": x, "targets": y})["probs"], session.run(model.probs, given))
        for _ in range(2):
            fed = dict(zip(tf.nest.flatten(model.initial_state), zeros, strict=True))
            expected = session.run([model.cost, model.final_state, model.train_op], given | fed)
            check_close(step(x, y, *zeros), expected)
        check_variables(m, session)
    check_trains_by_keras(m, "cost", {"input_data": x, "targets": y})


def test_a_sampling_model_has_its_own_sizes() -> None:
    def sampler() -> Model:
        return Model(argparse.Namespace(rnn_size=6, num_layers=1, vocab_size=7, grad_clip=5.0), training=False)

    m = tf2bridge.wrap(sampler, outputs=["probs"])
    assert {name: spec.shape.as_list() for name, spec in m.inputs.items()} == {"input_data": [1, 1]}
    with tf1_session(sampler, m) as (model, session):
        check_close(m([[3]]), session.run(model.probs, {model.input_data: [[3]]}))


def test_an_adversarial_pair() -> None:
    m = tf2bridge.wrap_class(DCGAN)(batch_size=4)
    rng = np.random.RandomState(1)
    images, z = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ([4, 8, 8, 1], [4, 5]))
    assert list(m.outputs) == ["z_sum", "sampler"]  # training's batch norms change their averages: no part of a call
    names = [variable.name for variable in m.trainable_variables]
    assert len(names) == len(set(names)) == 13  # the sampler and the second discriminator make no variables
    assert names[0] == "generator/g_h0_lin/Matrix:0"

    with tf1_session(DCGAN, m) as (gan, session):
        given = {gan.inputs: images, gan.z: z}
        for ours, theirs in (("d_optim", gan.d_optim), ("g_optim", gan.g_optim)):
            check_close(
                m.function(["inputs", "z"], [ours, "d_loss", "g_loss"])(images, z),
                session.run([theirs, gan.d_loss, gan.g_loss], given),
            )
        check_variables(m, session, unordered="discriminator/d_bn1/moving_")  # real and generated images, in any order
        sampled = m.function(["z"], ["sampler"])(z)
        check_close(sampled, [session.run(gan.sampler, {gan.z: z})])
        summary = v1.Summary.FromString(m.function(["z"], ["z_sum"])(z)[0].numpy())
        assert summary.value[0].histo.num == 20
    check_trains_by_keras(m, "d_loss", {"inputs": images, "z": z}, skipped=("generator",))


def text_cnn() -> TextCNN:
    return TextCNN(6, 2, vocab_size=9, embedding_size=5, filter_sizes=[2, 3], num_filters=3, l2=0.1)


def test_a_sentence_classifier() -> None:
    m = tf2bridge.wrap(text_cnn, outputs=["scores", "predictions", "loss", "accuracy"])
    x, y = np.arange(24).reshape(4, 6) % 9, np.eye(2, dtype=np.float32)[[0, 1, 1, 0]]
    assert list(m.inputs) == ["input_x", "input_y", "dropout_keep_prob"]
    with tf1_session(text_cnn, m) as (cnn, session):
        given = {cnn.input_x: x, cnn.input_y: y, cnn.dropout_keep_prob: 1.0}
        expected = session.run([cnn.scores, cnn.predictions, cnn.loss, cnn.accuracy], given)
        check_close(list(m(x, y, 1.0).values()), expected)
    check_trains_by_keras(m, "loss", {"input_x": x, "input_y": y, "dropout_keep_prob": 1.0})
    assert np.asarray(m.function(["input_x", "dropout_keep_prob"], ["predictions"])(x, 0.5)).shape == (1, 4)


def network() -> DeepQNetwork:
    return DeepQNetwork(n_actions=3, n_features=2)


def test_q_learning_by_the_methods_of_the_class() -> None:
    m = tf2bridge.wrap_class(DeepQNetwork)(n_actions=3, n_features=2)
    batch = np.random.RandomState(2).uniform(-1, 1, [8, 6]).astype(np.float32)
    batch[:, 2] = np.arange(8) % 3
    with tf1_session(network, m) as (plain, session):
        plain.sess = session
        for _ in range(5):
            m.learn(batch)
            plain.learn(batch)
        assert m.choose_action(batch[0, :2]) == plain.choose_action(batch[0, :2])
        np.testing.assert_array_equal(m.cost_his, plain.cost_his)
        check_variables(m, session)
    assert {"q_eval", "q_next", "q_target", "loss"} <= set(m.outputs)
    assert not any(name.startswith("target_replace_op") for name in m.outputs)  # a call of the module copies nothing
    names = [variable.name for variable in m.variables]
    e, t = (m.variables[names.index(f"{net}:0")] for net in ("eval_net/q/kernel", "target_net/t2/kernel"))
    assert not np.array_equal(e, t)
    m.function([], [f"target_replace_op.{place}" for place in range(4)])()
    np.testing.assert_array_equal(e, t)
    check_trains_by_keras(
        m, "loss", {"s": batch[:, :2], "a": batch[:, 2].astype(int), "r": batch[:, 3], "s_": batch[:, 4:]}
    )


def autoencoder() -> VariationalAutoencoder:
    built = VariationalAutoencoder({"n_hidden": 6, "n_input": 5, "n_z": 2})
    built.sess.close()
    return built


def test_a_variational_autoencoder_draws_what_a_session_draws() -> None:
    m = tf2bridge.wrap_class(VariationalAutoencoder)({"n_hidden": 6, "n_input": 5, "n_z": 2})
    assert tf.executing_eagerly()
    x = np.random.RandomState(3).uniform(0.1, 0.9, [4, 5]).astype(np.float32)
    with tf1_session(autoencoder, m) as (plain, session):
        plain.sess = session
        for _ in range(4):
            assert m.partial_fit(x) == plain.partial_fit(x)
        check_variables(m, session)
        check_close(m.transform(x), plain.transform(x))
        check_close(m.generate(np.ones([4, 2])), plain.generate(np.ones([4, 2])))
    assert m.reconstruct(x).shape == (4, 5)
    check_trains_by_keras(m, "cost", {"x": x})
