"""Policies and loss scales of Keras compute and refuse what those of 1.15.5 do."""

from __future__ import annotations

from pathlib import Path

from tests.same_text import lines

_BEGIN = """
import numpy as np
import {module} as tf
{enable}
mixed = tf.keras.mixed_precision.experimental
optimizers = tf.keras.optimizers

def refused(call, *args):
    try:
        call(*args)
    except Exception as error:
        print(type(error).__name__, str(error).split(" <")[0].split(" when ")[0])
"""

_POLICIES = (
    _BEGIN
    + """
print(mixed.global_policy())
for name in "float16 mixed_float16 float16_with_float32_vars infer infer_float32_vars mixed_bfloat16".split():
    policy = mixed.Policy(name)
    print(policy, policy.compute_dtype, policy.variable_dtype, policy.should_cast_variables)
for bad in ("abc", "abc_with_float32_vars", 3, tf.float32):
    refused(mixed.Policy, bad)
refused(mixed.Policy, "float16", "abc")
refused(mixed.set_policy, "mixed_float16")
mixed.set_policy("infer_float32_vars")
print(mixed.global_policy())
x = tf.constant(np.ones((2, 3, 4), np.float16))
for layer in (tf.keras.layers.Dense(2), tf.keras.layers.GRU(2)):
    print(layer(x).dtype, [weight.dtype for weight in layer.weights], layer.dtype)
mixed.set_policy(None)
"""
)

_TRAINING = (
    _BEGIN
    + """
for given in (("mixed_float16",), ("float16_with_float32_vars", 8.0), ("mixed_float16", None)):
    tf.keras.backend.clear_session()
    policy = mixed.Policy(*given)
    layers = [tf.keras.layers.Dense(size, kernel_initializer="ones", dtype=policy) for size in (2, 1)]
    inputs = tf.keras.Input((3,), dtype="float16")
    model = tf.keras.Model(inputs, layers[1](layers[0](inputs)))
    model._set_dtype_policy(policy)
    refused(model.compile, tf.train.AdamOptimizer(), "mse")
    model.compile(optimizers.SGD(0.125), "mse")
    losses = [float(model.train_on_batch(np.ones((4, 3)), np.ones((4, 1)))) for _ in range(3)]
    print(type(model.optimizer).__name__, losses, [weight.tolist() for weight in model.get_weights()])
"""
)

_SCALES = (
    _BEGIN
    + """
scales = tf.train.experimental
for scale in (4.0, "dynamic", scales.DynamicLossScale(8.0, increment_period=2, multiplier=4.0)):
    optimizer = mixed.LossScaleOptimizer(optimizers.Adam(0.1), scale)
    variable = tf.Variable([1.0, 2.0], use_resource=True)
    step = optimizer.minimize(lambda: tf.reduce_sum(variable * variable), [variable])
    saved = tf.train.Checkpoint(model=variable, optimizer=optimizer)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(5):
            session.run(step)
        found = session.run([variable, optimizer.loss_scale(), optimizer.iterations, optimizer.lr])
        print([np.round(value, 5).tolist() for value in found], optimizer.get_slot_names())
        path = saved.save(FOLDER, session)
        print(sorted(name for name, _ in tf.train.list_variables(path)))
refused(mixed.LossScaleOptimizer, optimizers.SGD(0.1, clipnorm=1.0), 2.0)
refused(mixed.LossScaleOptimizer, "sgd", 2.0)
refused(optimizer.get_config)
refused(getattr, optimizer, "beta_1")
"""
)


def test_policies_are_those_of_1_15() -> None:
    there = lines(_POLICIES, "1.15.5")
    assert lines(_POLICIES, None, "1.15.5") == there
    assert len(there) == 16


def test_models_train_under_their_policy() -> None:
    there = lines(_TRAINING, "1.15.5")
    assert lines(_TRAINING, None, "1.15.5") == there
    assert len(there) == 5


def test_optimizers_scale_the_loss_and_are_saved(tmp_path: Path) -> None:
    text = _SCALES.replace("FOLDER", repr(str(tmp_path / "saved")))
    there = lines(text, "1.15.5")
    assert lines(text, None, "1.15.5") == there
    assert len(there) == 10
