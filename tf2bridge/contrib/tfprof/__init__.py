"""`tf.contrib.tfprof`: the profiler as programs of 1.0 to 1.15 called it."""
