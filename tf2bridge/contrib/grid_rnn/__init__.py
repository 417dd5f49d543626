"""`tf.contrib.grid_rnn`: cells with an LSTM, or another cell, along each of several dimensions."""
