"""`tf.contrib.learn`: estimators, heads, input functions and preprocessing."""
