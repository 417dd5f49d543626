"""`tf.contrib.data`: the pipelines that became tf.data."""
