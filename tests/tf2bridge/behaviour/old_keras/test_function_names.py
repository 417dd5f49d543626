"""Losses and metrics are called as in genuine TensorFlow 1.15.5, in histories and in h5 files."""

from __future__ import annotations

import json

from tests import forked

NAMES = """
import json
from tf2bridge import v1 as tf
tf.enable(api="1.15")
K = tf.keras
model = K.Sequential([K.layers.Dense(3, input_shape=(3,))])
model.compile("sgd", "mse", metrics=["cosine_proximity", "kullback_leibler_divergence", "logcosh", "mae"])
losses = [K.losses.KLDivergence(), K.losses.LogCosh()]
print(json.dumps([model.metrics_names, [loss.name for loss in losses], K.losses.get("huber_loss").__name__]))
"""
FILE = """
import json, tempfile
import h5py
from tf2bridge import v1 as tf
tf.enable(api="1.15")
K = tf.keras
model = K.Sequential([K.layers.Dense(3, input_shape=(3,))])
metrics = [K.metrics.MeanIoU(3), K.losses.kld, K.losses.cosine_proximity]
model.compile("sgd", K.losses.CategoricalCrossentropy(), metrics=metrics)
path = tempfile.mkdtemp() + "/model.h5"
model.save(path)
with h5py.File(path) as file:
    written = json.loads(file.attrs["training_config"])
print(json.dumps([written["loss"], written["metrics"]]))
print(K.models.load_model(path).metrics_names)
"""


def test_metrics_have_the_names_of_their_functions() -> None:
    done = forked.run(NAMES)
    metrics = ["loss", "cosine_proximity", "kullback_leibler_divergence", "logcosh", "mean_absolute_error"]
    assert json.loads(done.stdout) == [metrics, ["kullback_leibler_divergence", "logcosh"], "huber_loss"], done.stderr


def test_a_file_has_the_arguments_that_1_15_knows() -> None:
    done = forked.run(FILE)
    loss, (iou, *functions) = json.loads(done.stdout.splitlines()[0])
    assert sorted(loss["config"]) == ["from_logits", "label_smoothing", "name", "reduction"], done.stderr
    assert iou == {"class_name": "MeanIoU", "config": {"name": "mean_io_u", "dtype": "float32", "num_classes": 3}}
    assert functions == ["kullback_leibler_divergence", "cosine_proximity"]
    assert done.stdout.splitlines()[1] == "['loss', 'mean_io_u', 'kullback_leibler_divergence', 'cosine_proximity']"
