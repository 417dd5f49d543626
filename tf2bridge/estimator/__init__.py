"""`tf.estimator` as of 1.15, on `tf2bridge.train.MonitoredTrainingSession`."""
