"""Feature columns of `tf.contrib.layers`, which `tf.feature_column` took the place of.

A column is a tuple; its public name makes one and checks its arguments.
"""
