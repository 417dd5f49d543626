"""`tf.contrib.distributions` of 0.12: other names for the parameters and methods that 1.x computes with."""
