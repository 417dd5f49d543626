"""Conditions of TensorFlow 1.x, with `Switch` and `Merge`, that change variables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of

v1 = tf.compat.v1


def saved(folder: Path) -> Path:
    """Saves the variables of the default graph, and returns the path of the graph."""
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "model.ckpt"))
    return folder / "model.ckpt.meta"


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize("count", [1, 2])
def test_a_branch_changes_variables_whose_new_values_nothing_takes(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the moving averages of `tf.layers.batch_normalization` with a tensor for `training`, in 1.4.1 and 1.12.3."""
    with tf.Graph().as_default():
        x, training = v1.placeholder(tf.float32, [None, 3], "x"), v1.placeholder(tf.bool, [], "training")
        averages = [v1.get_variable(f"average_{place}", [3], use_resource=False) for place in range(count)]
        moments = tf.nn.moments(x, [0])
        updates = [
            v1.cond(training, lambda a=average, m=moment: v1.assign_sub(a, (a - m) * 0.1), lambda a=average: a)
            for average, moment in zip(averages, moments, strict=False)
        ]
        with tf.control_dependencies(updates):
            tf.add(x, 1.0, "y")
        path = saved(tmp_path)
    module = tf2bridge.load(path, ["y"], ["x", "training"])
    text = text_of(module, "about")
    assert text.source.count(".assign_sub(") == count
    check_equal(text, module, {"training": np.bool_(True)}, tmp_path / f"updated_{count}", monkeypatch)


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize("is_training", [True, False])
def test_batch_normalization_whose_updates_give_the_averages_back(
    is_training: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `tf.layers.batch_normalization` of 1.12.3 computes rows: with five conditions on one truth value."""
    with tf.Graph().as_default():
        x, training = v1.placeholder(tf.float32, [None, 3], "x"), v1.placeholder(tf.bool, [], "training")
        ones = v1.ones_initializer()
        averages = [v1.get_variable(name, [3], initializer=ones, use_resource=False, trainable=False) for name in "mv"]
        beta, gamma = (v1.get_variable(name, [3], initializer=ones, use_resource=False) for name in "bg")
        pairs = list(zip(tf.nn.moments(x, [0]), averages, strict=True))
        chosen = [v1.cond(training, lambda m=moment: m, lambda a=average: a) for moment, average in pairs]
        updates = [
            v1.cond(training, lambda a=average, c=value: v1.assign_sub(a, (a - c) * 0.1), lambda a=average: a)
            for average, value in zip(averages, chosen, strict=True)
        ]
        y = tf.nn.batch_normalization(x, chosen[0], chosen[1], beta, gamma, 0.01)
        with tf.control_dependencies(updates):
            tf.tanh(y, "y")
        path = saved(tmp_path)
    module = tf2bridge.load(path, ["y"], ["x", "training"])
    text = text_of(module, "about")
    layer = "normalization.BatchNormalization(momentum=0.9,epsilon=0.01,fused=False)"
    assert layer in "".join(text.source.split())
    assert "tf.cond" not in text.source
    feeds = {"training": np.bool_(is_training)}
    check_equal(text, module, feeds, tmp_path / f"given_back_{is_training}", monkeypatch)


def test_a_layer_that_waits_for_an_update_calls_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 3], "x")
        mean, variance = (v1.get_variable(name, [3], use_resource=False, trainable=False) for name in "mv")
        beta, kernel = (v1.get_variable(name, shape, use_resource=False) for name, shape in (("b", [3]), ("k", [3, 2])))
        moments = tf.nn.moments(x, [0])
        pairs = zip((mean, variance), moments, strict=True)
        updates = [v1.assign_sub(average, (average - moment) * 0.1) for average, moment in pairs]
        y = tf.nn.batch_normalization(x, moments[0], moments[1], beta, None, 0.01)
        with tf.control_dependencies(updates):
            tf.add(tf.reduce_sum(y, 1, True), tf.matmul(x, kernel), "y")
        path = saved(tmp_path)
    module = tf2bridge.load(path, ["y"], ["x"])
    text = text_of(module, "about")
    assert text.source.count("training=True") == 1
    check_equal(text, module, {}, tmp_path / "called_once", monkeypatch)


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize("is_taken", [True, False])
def test_a_condition_on_a_constant_is_the_branch_that_it_takes(
    is_taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a rank that is known, also within another condition."""
    with tf.Graph().as_default():
        x, training = v1.placeholder(tf.float32, [None, 3], "x"), v1.placeholder(tf.bool, [], "training")
        v1.get_variable("unused", [])

        def inner() -> tf.Tensor:
            return v1.cond(tf.constant(is_taken), lambda: x + 7.0, lambda: x - 5.0)

        tf.add(v1.cond(training, inner, lambda: x), 1.0, "y")
        path = saved(tmp_path)
    module = tf2bridge.load(path, ["y"], ["x", "training"])
    text = text_of(module, "about")
    assert text.source.count("tf.cond(") == 1
    assert ("7.0" in text.source, "5.0" in text.source) == (is_taken, not is_taken)
    check_equal(text, module, {"training": np.bool_(True)}, tmp_path / f"taken_{is_taken}", monkeypatch)


@pytest.mark.usefixtures("old_control_flow")
def test_conditions_in_different_scopes_are_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions on one truth value are one after loading, if none takes what another one gives."""
    with tf.Graph().as_default():
        x, training = v1.placeholder(tf.float32, [None, 3], "x"), v1.placeholder(tf.bool, [], "training")
        parts = []
        for scope in ("first", "second"):
            with v1.variable_scope(scope):
                weight = v1.get_variable("weight", [3], use_resource=False)
                parts.append(v1.cond(training, lambda w=weight: x * w + 2.0, lambda w=weight: x - w))
        tf.add(*parts, "y")
        path = saved(tmp_path)
    module = tf2bridge.load(path, ["y"], ["x", "training"])
    text = text_of(module, "about")
    assert text.source.count(" = tf.cond(") == 2
    check_equal(text, module, {"training": np.bool_(True)}, tmp_path / "apart", monkeypatch)


def test_trained_averages_of_batch_normalization(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in FaceNet, whose `variables_collections` are those of trainable variables."""

    def build(images: Any, training: Any) -> Any:
        tf1 = tf2bridge.v1
        collections = [tf1.GraphKeys.TRAINABLE_VARIABLES]
        options = {"updates_collections": None, "variables_collections": collections, "is_training": training}
        branches = [tf1.contrib.layers.batch_norm(images * scale, decay=0.9, **options) for scale in (2.0, 3.0)]
        return tf1.concat(branches, 3)

    specs = {"images": tf.TensorSpec([None, 4, 4, 3]), "training": tf.TensorSpec([], tf.bool)}
    module = tf2bridge.wrap(build, inputs=specs)
    text = text_of(module, "about")
    assert text.source.count("normalization.BatchNormalization(") == 2
    assert "averages_train=True" in text.source
    assert "tf.cond" not in text.source
    images = np.random.default_rng(1).normal(size=[2, 4, 4, 3]).astype("f")
    for name, training in (("in_training", True), ("by_averages", False)):
        feeds = {"images": images, "training": np.array(training)}
        check_equal(text, module, feeds, tmp_path / name, monkeypatch)
