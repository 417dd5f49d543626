"""`tf.contrib.tensorboard`: the configuration of the projector."""
