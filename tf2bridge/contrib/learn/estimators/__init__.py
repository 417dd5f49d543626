"""The estimators of `tf.contrib.learn`, and what they are made of."""
