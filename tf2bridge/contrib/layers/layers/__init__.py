"""The layers of `tf.contrib.layers`, and the functions beside them."""
