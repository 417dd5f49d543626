"""`tf.contrib.seq2seq`: decoders, what feeds them, attention and beam search."""
