"""`tf.contrib.integrate`: integration of ordinary differential equations."""
