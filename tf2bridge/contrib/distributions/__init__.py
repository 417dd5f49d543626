"""`tf.contrib.distributions`: the distributions that `tf.distributions` does not have.

All are subclasses of TensorFlow's class Distribution, and draw the same random numbers as 1.15.
"""
