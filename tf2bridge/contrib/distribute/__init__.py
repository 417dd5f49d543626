"""`tf.contrib.distribute`: strategies with the parameters that they had in contrib."""
