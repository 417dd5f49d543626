"""Names of tf.contrib, which TensorFlow 2.0 removed."""
