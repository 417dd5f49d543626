"""`tf.contrib.distributions.bijectors`: maps with an inverse and the logarithm of their Jacobian's determinant."""
