"""`tf.contrib.seq2seq`: decoders, helpers, attention and beam search."""
