"""`tf.contrib.rnn`."""

from __future__ import annotations

from tf2bridge.v1.listing import same

_PATH = "contrib.rnn"
_CELLS = (
    "BasicLSTMCell BasicRNNCell DeviceWrapper DropoutWrapper GRUCell LSTMCell LSTMStateTuple MultiRNNCell RNNCell "
    "ResidualWrapper"
)

ALIASES = {
    **same(_PATH, "nn.rnn_cell", _CELLS),
    **same(_PATH, "nn", "static_rnn static_bidirectional_rnn"),
    "contrib.rnn.static_state_saving_rnn": "nn.static_state_saving_rnn",
    "contrib.rnn.python.ops.core_rnn": "contrib.rnn",
    "contrib.rnn.python.ops.core_rnn_cell": "contrib.rnn",
}
