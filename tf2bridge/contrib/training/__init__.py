"""`tf.contrib.training`: hyperparameters, train ops and loops, evaluation, and queues that bucket and resample."""
