"""`tf.contrib.learn`: readers and preprocessing of data that TF 1.x shipped with."""
