"""`tf.contrib.grid_rnn`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_CELLS = (
    "GridRNNCell Grid1BasicRNNCell Grid2BasicRNNCell Grid1BasicLSTMCell Grid2BasicLSTMCell Grid1LSTMCell "
    "Grid2LSTMCell Grid3LSTMCell Grid2GRUCell"
)

OWN = names("contrib.grid_rnn", "tf2bridge.contrib.grid_rnn.grid_rnn_cell", _CELLS)

ALIASES = {"contrib.grid_rnn.rnn": "contrib.rnn"}
"""The module showed what it had imported."""
