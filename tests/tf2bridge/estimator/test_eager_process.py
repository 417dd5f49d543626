"""Estimators in a process that executes eagerly: their graphs have TF 1.x behaviour, the process stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge import v1

X, Y = np.ones([6, 2], np.float32), np.ones([6, 1], np.float32)
FED = v1.estimator.inputs.numpy_input_fn({"a": X}, Y, batch_size=3, num_epochs=2, shuffle=False)


def model_fn(features: Any, labels: Any, mode: str) -> Any:
    out = v1.layers.dense(features["a"], features["a"].shape[1].value, kernel_initializer=v1.ones_initializer())
    if mode == "infer":
        return v1.estimator.EstimatorSpec(mode, {"out": out})
    loss = v1.losses.mean_squared_error(labels, out[:, :1])
    step = v1.train.AdamOptimizer(0.1).minimize(loss, v1.train.get_global_step())
    return v1.estimator.EstimatorSpec(mode, loss=loss, train_op=step)


def test_train_predict_and_export(tmp_path: Path) -> None:
    if not tf.executing_eagerly():
        pytest.skip("this process was switched to graphs")
    made = v1.estimator.Estimator(model_fn, str(tmp_path / "model")).train(FED)
    predicted = next(made.predict(FED))["out"]
    receiver = v1.estimator.export.build_raw_serving_input_receiver_fn({"a": tf.zeros([1, 2])})

    path = made.export_saved_model(str(tmp_path / "export"), receiver)

    served = tf.saved_model.load(path.decode()).signatures["serving_default"]
    assert made.evaluate(FED)["global_step"] == 4  # 12 rows in batches of 3
    np.testing.assert_allclose(served(tf.constant(X[:1]))["out"][0], predicted, rtol=1e-6)
    assert tf.executing_eagerly()
    assert tf.zeros([2, 3]).shape[1] == 3


def test_pandas_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4, 5, 6]})
    labels = pandas.Series([7, 8, 9])
    with tf.Graph().as_default():
        read = v1.estimator.inputs.pandas_input_fn(frame, labels, batch_size=2, shuffle=False)()
        with v1.train.MonitoredSession() as session:
            features, target = session.run(read)
    np.testing.assert_array_equal(features["a"], [1.0, 2.0])
    np.testing.assert_array_equal(target, [7, 8])
