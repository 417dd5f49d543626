"""`tf.estimator.inputs`: arrays and data frames in memory as input_fns."""
