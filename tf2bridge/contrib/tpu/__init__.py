"""`tf.contrib.tpu` on a CPU or GPU: the same programs, one replica, no TPU."""
