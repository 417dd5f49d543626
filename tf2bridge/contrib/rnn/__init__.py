"""`tf.contrib.rnn`: recurrent cells, wrappers of cells and whole networks."""
