"""`tf.contrib.slim`: training and evaluation loops, data providers, model analyzer, summaries and nets."""
