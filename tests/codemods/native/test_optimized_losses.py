"""`optimize_loss` of tf.contrib.layers: an optimizer in a scope, where nothing uses the loss that it gives."""

from __future__ import annotations

import pytest

from codemods.native.optimized_losses import with_optimizers
from codemods.native.refusals import NotNativeError
from tests import oracles
from tests.codemods.native.test_rewriting import HEAD, native, numbers, run

PROGRAM = HEAD + (
    "x = tf.placeholder(tf.float32, [None, 2])\n"
    "w = tf.get_variable('w', initializer=tf.ones([2, 1]))\n"
    "step = tf.Variable(0, trainable=False)\n"
    "loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))\n"
    "rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)\n"
    "train_op = tf.contrib.layers.optimize_loss(\n"
    "    loss, global_step=step, learning_rate=rate, optimizer='Adam')\n"
    "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    "    for row in ([1.0, 2.0], [2.0, 1.0], [0.5, 3.0]):\n"
    "        value, _ = sess.run([loss, train_op], {x: [row]})\n        print(value)\n"
    "    print(sess.run(w).ravel().tolist(), sess.run(step))\n"
)
OTHERS = ["'Adam'", "'SGD'", "'Momentum'", "'RMSProp'", "'Adagrad'", "'Adam', clip_gradients=0.5"]


@pytest.mark.oracle
@pytest.mark.parametrize("optimizer", OTHERS)
def test_steps_are_those_of_genuine_tensorflow(optimizer: str) -> None:
    text = PROGRAM.replace("'Adam'", optimizer)
    ran = oracles.run("1.15.5", text)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert numbers(run(native(text).text)) == pytest.approx(numbers(ran.stdout), rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("value, _ =", "value, shown ="),  # which is printed, below
        ("print(value)", "print(train_op)"),
        ("[loss, train_op]", "[loss, [train_op]]"),
        ("'Adam'", "'Adam', gradient_noise_scale=0.1"),
        ("'Adam'", "'Adam', clip_gradients=lambda pairs: pairs"),
        ("'Adam'", "'Ftrl'"),
        ("learning_rate=rate", "learning_rate=0.1"),  # a variable of the graph
        ("global_step=step, ", ""),
        ("with tf.Session", "merged = tf.summary.merge_all()\nwith tf.Session"),
        ("w = ", "n = tf.layers.batch_normalization(x)\nw = "),
    ],
)
def test_other_uses_stay(old: str, new: str) -> None:
    assert with_optimizers(PROGRAM) is not None
    assert old in PROGRAM
    text = PROGRAM.replace(old, new).replace(
        "print(value)", "print(value, shown)" if "shown" in new else "print(value)"
    )
    assert with_optimizers(text) is None
    with pytest.raises(NotNativeError):
        native(text)


IN_CLASS = HEAD + (
    "class Model:\n"
    "    def __init__(self, learning_rate):\n"
    "        self.learning_rate = learning_rate\n"
    "        self.x = tf.placeholder(tf.float32, [None, 2])\n"
    "        self.w = tf.get_variable('w', initializer=tf.ones([2, 1]))\n"
    "        self.step = tf.Variable(0, trainable=False)\n"
    "        self.loss_val = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w)))\n"
    "        self.train_op = self.train()\n\n"
    "    def train(self):\n"
    "        learning_rate = tf.train.exponential_decay(self.learning_rate, self.step, 2, 0.5)\n"
    "        train_op = tf.contrib.layers.optimize_loss(\n"
    "            self.loss_val, self.step, learning_rate, 'SGD')\n"
    "        return train_op\n\n"
    "model = Model(0.1)\n"
    "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    "    loss, _ = sess.run([model.loss_val, model.train_op], {model.x: [[1.0, 2.0]]})\n    print(loss)\n"
)


def test_a_step_that_a_method_gives() -> None:
    made = with_optimizers(IN_CLASS)
    assert made is not None
    assert "GradientDescentOptimizer(learning_rate).minimize(self.loss_val, global_step=self.step)" in made[0]
    given = IN_CLASS.replace("train_op = tf.", "return tf.").replace("        return train_op\n", "")
    assert with_optimizers(given) is not None
    assert with_optimizers(given.replace("loss, _ =", "_, loss =")) is None
    assert with_optimizers(IN_CLASS.replace("self.train_op = self", "self.train_op = 1 * self")) is None
    assert with_optimizers(IN_CLASS.replace("learning_rate = tf", "self.learning_rate = tf")) is None
