"""`tf.contrib.factorization`: k-means, and nearest neighbours."""
