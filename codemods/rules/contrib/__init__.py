"""What became of tf.contrib."""
