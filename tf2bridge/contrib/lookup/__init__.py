"""`tf.contrib.lookup`: tables between strings and numbers."""
