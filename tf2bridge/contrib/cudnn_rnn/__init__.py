"""`tf.contrib.cudnn_rnn` without cuDNN: the same weights, in the same order, and the same numbers on any device."""
