"""`tf.contrib.nn`: losses and activations."""
