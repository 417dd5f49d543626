"""`tf.contrib.image`: projective transforms, dense and sparse warps."""
