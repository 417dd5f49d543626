"""`tf.contrib.losses`: the losses as they were before `tf.losses`, and losses of learned distances."""
