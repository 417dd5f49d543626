"""A TF 1.x program and its Keras 3 rewriting: the same initial values, masks and losses, and no weight is copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf2bridge import proof
from tf2bridge import v1 as old_tf
from tf2bridge.proof.randomness.refusals import DrawsDifferError

v1 = tf.compat.v1
X = np.linspace(-1, 1, 60, dtype=np.float32).reshape(10, 6)
Y = np.arange(10) % 3
STEPS = 10


def in_a_session() -> tuple[list[Any], list[Any], list[Any]]:
    """As of 1.x: initial values, the masks of two dropouts at each step, the losses."""
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = v1.placeholder(tf.float32, [None, 6]), v1.placeholder(tf.int64, [None])
        with v1.variable_scope("RNN/GRUCell/Gates"):
            w = v1.get_variable("Linear/Matrix", [6, 8], initializer=old_tf.glorot_uniform_initializer())
        one = v1.nn.dropout(tf.nn.relu(tf.matmul(x, w)), keep_prob=0.8, name="drop1")
        w = v1.Variable(v1.truncated_normal([8, 5], stddev=0.1), name="out/kernel")
        two = old_tf.layers.dropout(tf.nn.tanh(tf.matmul(one, w)), 0.5, training=True, name="drop2")
        logits = old_tf.layers.dense(two, 3, name="logits")
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        initial = session.run(v1.trainable_variables())
        steps = [session.run([one, two, loss, train], {x: X, y: Y}) for _ in range(STEPS)]
    return initial, [(np.equal(a, 0), np.equal(b, 0)) for a, b, *_ in steps], [row[2] for row in steps]


def build() -> keras.Model:
    return keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(8, "relu", use_bias=False, name="first"),
            keras.layers.Dropout(0.2, name="drop1"),
            keras.layers.Dense(5, "tanh", False, keras.initializers.TruncatedNormal(stddev=0.1), name="out"),
            keras.layers.Dropout(0.5, name="drop2"),
            keras.layers.Dense(3, name="logits"),
        ]
    )


def in_a_loop() -> tuple[list[Any], list[Any], list[Any]]:
    """The same in Keras 3, with a loop of one's own."""
    model, optimizer = build(), keras.optimizers.SGD(0.1)
    initial = [weight.numpy() for weight in model.trainable_variables]
    ends = keras.Model(model.inputs[0], [model.get_layer(name).output for name in ("drop1", "drop2", "logits")])
    masks, losses = [], []
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            one, two, logits = ends(X, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=Y, logits=logits))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        masks.append((np.equal(one, 0), np.equal(two, 0)))
        losses.append(float(loss))
    return initial, masks, losses


def by_fit() -> tuple[list[Any], list[Any], list[Any]]:
    """The same by `fit`, which traces one function."""
    model = build()
    initial = [weight.numpy() for weight in model.trainable_variables]
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(0.1), loss, jit_compile=False)
    history = model.fit(X, Y, batch_size=10, epochs=STEPS, shuffle=False, verbose=0)
    return initial, [], history.history["loss"]


NAMES = {"rnn/gru_cell/gates": "first"}


@pytest.mark.filterwarnings("ignore:`tf.layers")
@pytest.mark.parametrize("by", ["order", "name"])
@pytest.mark.parametrize("rewritten", [in_a_loop, by_fit])
def test_the_rewriting_trains_as_the_old_program(by: str, rewritten: Callable[[], Any]) -> None:
    with proof.controlled_random(7, by=by, names=NAMES) as old:
        initial, masks, losses = in_a_session()
    with proof.controlled_random(7, by=by) as new:
        new_initial, new_masks, new_losses = rewritten()
    for one, other in zip(initial, new_initial, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_equal(new_masks, masks[: len(new_masks)])
    np.testing.assert_allclose(new_losses, losses, rtol=0, atol=1e-6)
    assert losses[0] != losses[1]
    proof.same_draws(old.draws, new.draws, by)
    assert old.total == new.total == 3 + 2 * STEPS


def test_other_seeds_draw_other_numbers() -> None:
    with proof.controlled_random(1):
        one = build().get_weights()
    with proof.controlled_random(2):
        two = build().get_weights()
    assert not np.array_equal(one[0], two[0])


def test_the_first_draw_that_differs_is_named_with_both_lines() -> None:
    def old(shape: list[int]) -> None:
        with tf.Graph().as_default(), v1.Session() as session:
            session.run([v1.random_normal([2]), v1.random_uniform(shape)])

    with proof.controlled_random() as one:
        old([3, 4])
    with proof.controlled_random() as two:
        keras.random.normal([2])
        keras.random.uniform([4, 3])
    with pytest.raises(DrawsDifferError) as caught:
        proof.same_draws(one.draws, two.draws)
    text = str(caught.value)
    assert text.startswith("the draws differ at draw 1: the old program draws uniform [3, 4] float32")
    assert "the new one uniform [4, 3] float32" in text
    assert text.count("test_training.py:") == 2
    with pytest.raises(DrawsDifferError, match="the new one draws nothing more there"):
        proof.same_draws(two.draws, two.draws[:1])


def test_the_old_keras_in_a_graph_and_keras_3_train_alike() -> None:
    def losses(keras: Any, first: Any) -> list[float]:
        layers = [*first, keras.layers.Dropout(0.5), keras.layers.Dense(1)]
        model = keras.Sequential(layers)
        model.compile("sgd", "mse")
        result = []
        for _ in range(3):
            model.reset_metrics()  # Keras 3.12 gives the mean of all batches since
            result.append(float(model.train_on_batch(X, X[:, :1])))
        return result

    from tf_keras.api._v1 import keras as old_keras

    with proof.controlled_random(3) as old, tf.Graph().as_default():
        expected = losses(old_keras, [old_keras.layers.Dense(3, input_shape=(6,))])
    with proof.controlled_random(3) as new:
        result = losses(keras, [keras.Input((6,)), keras.layers.Dense(3)])
    np.testing.assert_allclose(result, expected, rtol=1e-6)
    proof.same_draws(old.draws, new.draws)


def test_a_recurrent_layer_draws_the_same_traced_and_not() -> None:
    values = []
    for traced in (False, True):
        layer = keras.layers.LSTM(3, dropout=0.5, recurrent_dropout=0.5)

        def call(x: Any, layer: Any = layer) -> Any:
            return layer(x, training=True)

        with proof.controlled_random(3) as control:
            layer.build((4, 5, 6))
            values.append(np.asarray((tf.function(call, autograph=False) if traced else call)(np.ones([4, 5, 6]))))
        assert control.total == 2 + 8
    np.testing.assert_array_equal(*values)
