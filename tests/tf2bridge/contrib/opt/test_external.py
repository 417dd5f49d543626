"""`ScipyOptimizerInterface` with the SciPy of today."""

import numpy as np
import tensorflow as tf

import tf2bridge.v1
from tf2bridge.contrib.opt.external import ScipyOptimizerInterface

tf2bridge.v1.enable()
v1 = tf.compat.v1


def test_tnc_takes_maxiter_as_the_number_of_calls():
    # Rosenbrock's function of five variables has its minimum at ones; TNC needs more than the 100 calls SciPy gives it
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.Variable(tf.zeros(5))
        loss = tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
        optimizer = ScipyOptimizerInterface(loss, method="TNC", options={"gtol": -5, "maxiter": 1000})
        session.run(v1.global_variables_initializer())
        optimizer.minimize(session)
        np.testing.assert_allclose(session.run(x), np.ones(5), rtol=0.1)
