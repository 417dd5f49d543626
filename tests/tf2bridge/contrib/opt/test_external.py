"""`ScipyOptimizerInterface` with the SciPy of today."""

import tensorflow as tf

from tf2bridge.contrib.opt.external_optimizer import ScipyOptimizerInterface

v1 = tf.compat.v1


def calls_of_the_loss(**options):
    """How often TNC asks for Rosenbrock's function of five variables."""
    calls = []
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.Variable(tf.zeros(5))
        loss = tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
        optimizer = ScipyOptimizerInterface(loss, method="TNC", options=options)
        session.run(v1.global_variables_initializer())
        optimizer.minimize(session, fetches=[loss], loss_callback=calls.append)
    return len(calls)


def test_tnc_takes_maxiter_as_the_number_of_calls():
    # SciPy's documentation of TNC: maxfun is the number of function evaluations, 100 for five variables
    assert calls_of_the_loss(maxiter=4) == calls_of_the_loss(maxfun=4) < calls_of_the_loss()
