"""Means, weights of classes by output and configs of eager models: one program on both sides."""

from __future__ import annotations

import pytest

from tests.same_text import lines

BEGIN = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
layers, value = tf.keras.layers, tf.keras.initializers.Constant(0.2)
def model(outputs):
    given = layers.Input((2,))
    made = [layers.Dense(1, kernel_initializer=value, name="abc"[number])(given) for number in range(outputs)]
    return tf.keras.Model(given, made if outputs > 1 else made[0])
def told(*lists):
    print([["%.3f" % number for number in np.ravel(each)] for each in lists])
x = np.arange(10.0, dtype=np.float32).reshape(5, 2) / 8
y = np.array([[2], [4], [6], [8], [1]], np.float32)
"""

MEANS = (
    BEGIN
    + """
for outputs in (1, 2):
    for metrics in (None, ["mae"]):
        trained, labels = model(outputs), [y] * outputs if outputs > 1 else y
        trained.compile("sgd", "mse", metrics=metrics)
        step = lambda **options: trained.train_on_batch(x, labels, **options)
        told(step(), step())
        history = trained.fit(x, labels, batch_size=2, epochs=2, shuffle=False, verbose=0, validation_split=0.4).history
        told(*[history[name] for name in sorted(history)])
        told(step(), trained.test_on_batch(x, labels), trained.evaluate(x, labels, batch_size=2, verbose=0))
        told(step(reset_metrics=False), step(reset_metrics=False), trained.test_on_batch(x, labels), step())
"""
)

CLASSES = (
    BEGIN
    + """
weights = {{"a": {{2: 2, 4: 3, 6: 4, 8: 5}}, "b": {{1: 3.5, 2: 2.5, 3: 1.5, 4: 0.5}}}}
x, y = x[:4], y[:4]
own = np.array([1, 2, 3, 4], np.float32)
for classes in (weights, {{"a": weights["a"]}}):
    for labels in ([y, y / 2], {{"a": y, "b": y / 2}}):
        for samples in (None, [own, np.ones(4, np.float32)]):
            trained = model(2)
            trained.compile("sgd", "mse", metrics=["mae"])
            options = dict(class_weight=classes, sample_weight=samples)
            history = trained.fit(x, labels, batch_size=2, epochs=2, shuffle=False, verbose=0, **options).history
            told(*[history[name] for name in sorted(history)])
            told(trained.train_on_batch(x, labels, **options))
try:
    model(1).fit(x, np.ones((4, 2, 2), np.float32), class_weight={{"a": {{1: 2.0}}}})
except Exception as error:
    print("refused")
class Own(tf.keras.Model):
    def call(self, inputs):
        return inputs
for copy in (lambda: Own().get_config(), lambda: tf.keras.models.clone_model(Own())):
    try:
        print(copy())
    except NotImplementedError:
        print("no config")
    except ValueError:
        print("no config")
"""
)


@pytest.mark.oracle
@pytest.mark.parametrize("text", [MEANS, CLASSES], ids=["means", "classes"])
def test_eager_models_report_what_1_15_reported(text: str) -> None:
    assert lines(text, None, "1.15.5") == lines(text, "1.15.5", "1.15.5")
