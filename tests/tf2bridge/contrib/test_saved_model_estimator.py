"""`SavedModelEstimator`, which takes the path that an Estimator's export returns: bytes. As on genuine 1.15.5."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import oracles, under_run

PROGRAM = """
import os, tempfile
import tensorflow as tf

estimators = tf.estimator


def model_fn(features, labels, mode):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
    p = features["x"] * w
    if mode == estimators.ModeKeys.PREDICT:
        return estimators.EstimatorSpec(mode, p, export_outputs={"serving_default": estimators.export.PredictOutput(p)})
    loss = tf.reduce_mean(tf.square(p - labels))
    optimizer = tf.train.GradientDescentOptimizer(0.25)
    return estimators.EstimatorSpec(mode, p, loss, optimizer.minimize(loss, tf.train.get_global_step()))


def input_fn():
    return tf.data.Dataset.from_tensors(({"x": [1.0]}, [1.0])).repeat()


def received():
    x = tf.placeholder(tf.float32, [None])
    return {"x": x}, {"x": x}


def serving():
    return estimators.export.ServingInputReceiver(*received())


def supervised():
    features, labels = {"x": tf.placeholder(tf.float32, [None])}, tf.placeholder(tf.float32, [None])
    return estimators.experimental.build_raw_supervised_input_receiver_fn(features, labels)()


first = estimators.Estimator(model_fn, tempfile.mkdtemp())
first.train(input_fn, steps=1)
exported = first.experimental_export_all_saved_models(
    os.path.join(tempfile.mkdtemp(), "exported"),
    {estimators.ModeKeys.TRAIN: supervised, estimators.ModeKeys.EVAL: supervised, estimators.ModeKeys.PREDICT: serving},
)
second = tf.contrib.estimator.SavedModelEstimator(exported, tempfile.mkdtemp())
print(second.evaluate(input_fn, steps=1)["loss"])
second.train(input_fn, steps=1)
print(second.evaluate(input_fn, steps=1)["loss"])
print(second.get_variable_value("w"), [each["output"] for _, each in zip(range(1), second.predict(input_fn))])
try:
    tf.contrib.estimator.SavedModelEstimator(b"/none")
except ValueError as error:
    print(error)
"""
PRINTED = """\
0.25
0.0625
1.25 [1.25]
Directory provided has an invalid SavedModel format: b'/none'
"""


def test_it_trains_evaluates_and_predicts(tmp_path: Path) -> None:
    done = under_run.run(PROGRAM, tmp_path, "1.15")
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_prints_this() -> None:
    done = oracles.run("1.15.5", PROGRAM)
    assert done.stdout == PRINTED, done.stderr
