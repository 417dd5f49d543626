"""What classes of Keras say about themselves, as genuine 1.15.5 says it."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
import inspect
layers = tf.keras.layers
print(" ".join(inspect.signature(layers.BatchNormalization.__init__).parameters))
print(" ".join(inspect.getfullargspec(layers.Permute.__init__).args))
def described(*parts):
    model = tf.keras.Sequential(parts)
    config = model.get_config()["layers"]
    again = tf.keras.Sequential.from_config(model.get_config())
    shape = config[0]["config"].get("batch_input_shape")
    print([part["class_name"] for part in config], shape, again.input_shape, len(again.layers))
described(layers.Dense(3, input_shape=(2,)), layers.Dense(1))
described(layers.InputLayer((2,)), layers.Dense(1))
described(tf.keras.Sequential([layers.Dense(3, input_shape=(2,))]), layers.Dense(1))
inner = layers.Input((2,))
described(tf.keras.Model(inner, layers.Dense(3)(inner)), layers.Dense(1))
convolution = tf.keras.Sequential([layers.Conv2D(1, 1, input_shape=(2, 2, 1))]).get_config()["layers"][0]["config"]
print("groups" in convolution, "dilation_rate" in convolution)
copied = tf.keras.models.model_from_json(tf.keras.Sequential([layers.Dense(3, input_shape=(2,))]).to_json())
print(copied.output_shape)
"""
NORMALIZATION = """self axis momentum epsilon center scale beta_initializer gamma_initializer moving_mean_initializer
    moving_variance_initializer beta_regularizer gamma_regularizer beta_constraint gamma_constraint renorm
    renorm_clipping renorm_momentum fused trainable virtual_batch_size adjustment name kwargs"""
ANSWERS = [
    " ".join(NORMALIZATION.split()),
    "self dims",
    "['Dense', 'Dense'] (None, 2) (None, 2) 2",
    "['Dense'] (None, 2) (None, 2) 1",
    "['Sequential', 'Dense'] (None, 2) (None, 2) 2",
    "['Model', 'Dense'] (None, 2) (None, 2) 2",
    "False True",
    "(None, 3)",
]


def check(done: subprocess.CompletedProcess[str]) -> None:
    assert done.stdout.splitlines()[-len(ANSWERS) :] == ANSWERS, done.stderr


def test_classes_describe_themselves_so() -> None:
    check(forked.run(f"from tf2bridge import v1 as tf\ntf.enable(api='1.15')\n{PROGRAM}"))


@pytest.mark.oracle
def test_genuine_1_15_5_describes_them_so() -> None:
    command = [str(oracles.interpreter("1.15.5")), "-c", f"import tensorflow as tf\n{PROGRAM}"]
    check(subprocess.run(command, capture_output=True, text=True, check=False))
