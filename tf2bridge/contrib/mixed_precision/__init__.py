"""`tf.contrib.mixed_precision`: loss scaling."""
