"""`tf.keras.mixed_precision.experimental` of 1.14 and 1.15: policies with a loss scale, and their optimizer."""
