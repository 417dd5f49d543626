"""Feature columns of `tf.contrib.layers`, which `tf.feature_column` replaced later.

A column is a named tuple. A public function makes it and checks the arguments.
"""
