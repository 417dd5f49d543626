"""`tf.contrib.feature_column`: feature columns of sequences."""
