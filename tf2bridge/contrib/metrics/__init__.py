"""`tf.contrib.metrics`: metrics that are summed up over batches, under their older names."""
