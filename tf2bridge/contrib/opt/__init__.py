"""`tf.contrib.opt`: the optimizers that TF 1.x kept outside its core."""
