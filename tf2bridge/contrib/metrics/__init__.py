"""`tf.contrib.metrics`: metrics that accumulate over batches, under their older names."""
