"""`tf.contrib.model_pruning`: weights of small magnitude are masked during training."""
