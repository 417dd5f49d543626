"""`tf.contrib.input_pipeline`: the next of a list of strings, for several workers."""
