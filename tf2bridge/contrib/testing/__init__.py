"""`tf.contrib.testing`: reading summaries in tests."""
