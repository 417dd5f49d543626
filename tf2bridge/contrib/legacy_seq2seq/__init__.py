"""`tf.contrib.legacy_seq2seq` (`tf.nn.seq2seq` in 0.12): encoders and decoders over lists of inputs."""
