"""`tf.contrib.distributions`: what TensorFlow's own `tf.distributions` has not.

All are written on the class Distribution that TensorFlow still has, and draw the random numbers that 1.15 drew.
"""
