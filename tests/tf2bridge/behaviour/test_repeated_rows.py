"""Rows that a batch looks up twice: optimizers of 0.12 applied them one after another, later ones add them up."""

from __future__ import annotations

import pytest

from tests import forked, oracles

PROGRAM = """
OPTIMIZERS = {
    "adagrad": tf.train.AdagradOptimizer(0.1),
    "adam": tf.train.AdamOptimizer(0.1),
    "ftrl": tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    "momentum": tf.train.MomentumOptimizer(0.1, 0.9),
    "proximal": tf.train.ProximalAdagradOptimizer(0.1),
    "rms": tf.train.RMSPropOptimizer(0.1, 0.9, 0.1),
    "sgd": tf.train.GradientDescentOptimizer(0.1),
}
for name, optimizer in sorted(OPTIMIZERS.items()):
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.Variable([[0.0, 0.25], [0.5, 0.75], [1.0, 1.25]])
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(rows, [1, 1, 2]) - 1.0))
        step = optimizer.minimize(loss)
        session.run(tf.initialize_all_variables())
        for _ in range(3):
            session.run(step)
        print(" ".join([name] + ["%.5f" % value for value in session.run(rows).flatten()]))
"""
PRINTED = {
    "0.12": """\
adagrad 0.00000 0.25000 0.80053 0.97329 1.00000 1.08412
adam 0.00000 0.25000 0.91090 1.11289 1.00000 0.96979
ftrl 0.00000 0.25000 0.68660 0.71642 0.16479 0.64007
momentum 0.00000 0.25000 1.49904 1.24952 1.00000 1.01550
proximal 0.00000 0.25000 0.80053 0.97329 1.00000 1.08412
rms 0.00000 0.25000 0.92993 0.97413 1.00000 1.11090
sgd 0.00000 0.25000 0.89200 0.94600 1.00000 1.12800
""",
    "1.4": """\
adagrad 0.00000 0.25000 0.70737 0.92844 1.00000 1.08412
adam 0.00000 0.25000 0.79513 1.03021 1.00000 0.96979
ftrl 0.00000 0.25000 0.63975 0.75497 0.16479 0.64007
momentum 0.00000 0.25000 1.27000 1.13500 1.00000 1.01550
proximal 0.00000 0.25000 0.70737 0.92844 1.00000 1.08412
rms 0.00000 0.25000 0.88743 0.96301 1.00000 1.11090
sgd 0.00000 0.25000 0.89200 0.94600 1.00000 1.12800
""",
}
GENUINE = {"0.12": "0.12.1", "1.4": "1.4.1"}


@pytest.mark.parametrize("api", PRINTED)
def test_they_move_as_in_the_release(api: str) -> None:
    module = "v0" if api == "0.12" else "v1"
    done = forked.run(f"from tf2bridge import {module} as tf\ntf.enable(api={api!r})\n{PROGRAM}")
    assert done.stdout == PRINTED[api], done.stderr


@pytest.mark.oracle
@pytest.mark.parametrize("api", PRINTED)
def test_the_genuine_release_moves_them_so(api: str) -> None:
    done = oracles.run(GENUINE[api], f"import tensorflow as tf\n{PROGRAM}")
    assert done.stdout == PRINTED[api], done.stderr
