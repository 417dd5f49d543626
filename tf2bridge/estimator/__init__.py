"""`tf.estimator` as of 1.15, on `tf.compat.v1.train.MonitoredTrainingSession`."""
