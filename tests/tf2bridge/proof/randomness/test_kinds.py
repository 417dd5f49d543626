"""Every way to draw gives the same numbers in a session, eagerly, in a tf.function and in Keras 3, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tf2bridge import proof
from tf2bridge import v1 as old_tf

v1 = tf.compat.v1
initializers = keras.initializers
LOGITS = np.log(np.asarray([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]], np.float32))
ALPHA = np.asarray([0.5, 2.0], np.float32)
GRID = np.arange(36, dtype=np.float32).reshape(6, 6)


def in_session(draw: Callable[[], Any]) -> Any:
    with tf.Graph().as_default(), v1.Session() as session:
        return session.run(draw())


def numbers(draw: Callable[[], Any], run: Callable[..., Any] = lambda draw: draw()) -> tuple[np.ndarray, Any]:
    with proof.controlled_random(3) as control:
        value = run(draw)
    return np.asarray(value), control.draws


DRAWS: dict[str, tuple[Callable[[], Any], Callable[[], Any] | None]] = {
    "uniform": (lambda: v1.random_uniform([3, 4], -2.0, 5.0), lambda: keras.random.uniform([3, 4], -2.0, 5.0)),
    "normal": (lambda: v1.random_normal([3, 4], 1.0, 2.0), lambda: keras.random.normal([3, 4], 1.0, 2.0)),
    "truncated": (lambda: v1.truncated_normal([99], 1.0, 2.0), lambda: keras.random.truncated_normal([99], 1.0, 2.0)),
    "int32": (
        lambda: v1.random_uniform([20], 3, 50, tf.int32),
        lambda: keras.random.randint([20], 3, 50, "int32"),
    ),
    "float16": (lambda: v1.random_uniform([5], dtype=tf.float16), lambda: keras.random.uniform([5], dtype="float16")),
    "float64": (lambda: v1.random_normal([5], dtype=tf.float64), None),
    "shuffle": (lambda: v1.random_shuffle(GRID), lambda: keras.random.shuffle(GRID)),
    "categorical": (lambda: v1.multinomial(LOGITS, 9), lambda: keras.random.categorical(LOGITS, 9)),
    "gamma": (lambda: v1.random_gamma([6], ALPHA), lambda: keras.random.gamma([6, 2], ALPHA)),
    "poisson": (lambda: v1.random_poisson(ALPHA, [6]), None),
    "crop": (lambda: v1.random_crop(GRID, [3, 3]), None),
    "keep_prob": (lambda: v1.nn.dropout(GRID, keep_prob=0.7), lambda: keras.random.dropout(GRID, 0.3)),
    "noise_shape": (
        lambda: v1.nn.dropout(GRID, rate=0.3, noise_shape=[6, 1]),
        lambda: keras.random.dropout(GRID, 0.3, noise_shape=[6, 1]),
    ),
    "image": (lambda: tf.image.random_flip_left_right(GRID[:, :, None]), None),
}


@pytest.mark.parametrize("name", DRAWS)
def test_sessions_eager_code_functions_and_keras_draw_the_same(name: str) -> None:
    old, new = DRAWS[name]
    value, draws = numbers(old, in_session)
    for draw, run in ((old, lambda f: f()), (old, traced), (new, lambda f: f()), (new, traced)):
        if draw is not None:
            other, its_draws = numbers(draw, run)
            np.testing.assert_array_equal(other, value)
            proof.same_draws(draws, its_draws)
    with proof.controlled_random(4):
        other = np.asarray(old())
    assert name == "image" or not np.array_equal(other, value)


def traced(draw: Callable[[], Any]) -> Any:
    return tf.function(draw, autograph=False)()


INITIALIZERS = {
    "glorot_uniform": (old_tf.glorot_uniform_initializer, initializers.GlorotUniform()),
    "glorot_normal": (old_tf.glorot_normal_initializer, initializers.GlorotNormal()),
    "xavier": (old_tf.contrib.layers.xavier_initializer, initializers.GlorotUniform()),
    "variance_scaling": (old_tf.variance_scaling_initializer, initializers.VarianceScaling()),
    "untruncated": (
        lambda: old_tf.variance_scaling_initializer(2.0, "fan_out", "untruncated_normal"),
        initializers.VarianceScaling(2.0, "fan_out", "untruncated_normal"),
    ),
    "uniform": (lambda: old_tf.random_uniform_initializer(-0.05, 0.05), initializers.RandomUniform()),
    "normal": (lambda: old_tf.random_normal_initializer(0.0, 0.05), initializers.RandomNormal()),
    "truncated": (lambda: old_tf.truncated_normal_initializer(0.0, 0.05), initializers.TruncatedNormal()),
    "orthogonal": (old_tf.orthogonal_initializer, initializers.Orthogonal()),
    "unit_scaling": (old_tf.uniform_unit_scaling_initializer, initializers.VarianceScaling(1.0, "fan_in", "uniform")),
}


def in_get_variable(initializer: Any, shape: tuple[int, ...]) -> Any:
    with tf.Graph().as_default(), v1.Session() as session:
        variable = v1.get_variable("w", shape, initializer=initializer)
        session.run(variable.initializer)
        return session.run(variable)


@pytest.mark.parametrize("shape", [(32, 16), (3, 3, 4, 8)])
@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers_of_both_give_the_same_values(name: str, shape: tuple[int, ...]) -> None:
    old, new = INITIALIZERS[name]
    value, draws = numbers(lambda: in_get_variable(old(), shape))
    other, its_draws = numbers(lambda: keras.Variable(new, shape=shape, name="w").value)
    np.testing.assert_array_equal(other, value)
    proof.same_draws(draws, its_draws)


def test_normal_initializers_of_contrib_are_wider() -> None:
    """They take 1.3 for the variance that truncation loses (contrib/layers/python/layers/initializers.py), Keras
    0.87962566103423978 for its root; the ratio of both is what their values differ by."""
    old, _ = numbers(lambda: in_get_variable(old_tf.contrib.layers.xavier_initializer(uniform=False), (32, 16)))
    new, _ = numbers(lambda: keras.Variable(initializers.GlorotNormal(), shape=(32, 16)).value)
    np.testing.assert_allclose(old / new, np.sqrt(1.3) * 0.87962566103423978, rtol=1e-6)


def test_generators_draw_by_their_place_too() -> None:
    def draw() -> list[Any]:
        generator = tf.random.Generator.from_seed(1)
        kinds = (generator.uniform([3]), generator.normal([3]), generator.truncated_normal([3]))
        return [*kinds, generator.uniform([3], 0, 9, tf.int32), generator.binomial([3], 9.0, 0.5)]

    with proof.controlled_random(3) as control:
        values = [value.numpy() for value in draw()]
    assert [d.kind for d in control.draws] == ["uniform", "normal", "truncated normal", "integers", "binomial"]
    expected, _ = numbers(lambda: v1.random_uniform([3]), in_session)
    np.testing.assert_array_equal(values[0], expected)


def test_stateless_draws_with_seeds_of_their_own_are_left_alone() -> None:
    expected = tf.random.stateless_uniform([3], [1, 2]).numpy()
    with proof.controlled_random(3) as control:
        assert tf.random.stateless_uniform([3], [1, 2]).numpy().tolist() == expected.tolist()
    assert control.draws == ()


def test_gradients_go_through() -> None:
    with proof.controlled_random(3):
        alpha, x = tf.Variable(ALPHA), tf.Variable(GRID)
        with tf.GradientTape() as tape:
            value = tf.reduce_sum(tf.random.gamma([4], alpha)) + tf.reduce_sum(tf.nn.dropout(x, 0.5))
        by_alpha, by_x = tape.gradient(value, [alpha, x])
    assert np.all(by_alpha.numpy() > 0)
    assert set(np.unique(by_x)) == {0.0, 2.0}
