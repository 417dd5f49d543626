"""What `evaluate` says of the loss of weighted examples: 1.15.5 printed 0.412 and 1.057."""

from __future__ import annotations

import pytest

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
tf.enable(api="1.15")
def examples(first):
    features = {{"x": tf.ones([4, 1]), "w": tf.constant([[first], [1.0], [1.0], [1.0]])}}
    return features, tf.constant([[1.0], [0.0], [0.0], [0.0]])
model = tf.contrib.learn.{kind}(
    weight_column_name="w",
    feature_columns=[tf.contrib.layers.real_valued_column("x")],
    config=tf.contrib.learn.RunConfig(tf_random_seed=1),
)
model.fit(input_fn=lambda: examples(1.0), steps=100)
print(round(float(model.evaluate(input_fn=lambda: examples(7.0), steps=1)["loss"]), 3))
"""


@pytest.mark.parametrize(("kind", "loss"), [("LinearRegressor", 0.412), ("LinearClassifier", 1.057)])
def test_the_loss_is_divided_by_the_sum_of_weights(kind: str, loss: float) -> None:
    done = forked.run(PROGRAM.format(kind=kind))
    assert done.returncode == 0, done.stderr[-2000:]
    assert float(done.stdout) == pytest.approx(loss, abs=0.002)
