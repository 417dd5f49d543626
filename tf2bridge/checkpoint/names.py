"""What a variable of an older release is called in TensorFlow 1.2 and later.

Measured on checkpoints that genuine 0.12.1, 1.0.1, 1.1.0, 1.2.1 and 1.15.5 wrote of the same models.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Each rule: (a pattern of whole path segments, its replacement).  All are applied, in this order.
RENAMES: tuple[tuple[str, str], ...] = (
    # Scopes of TensorFlow 0.x.
    (r"BiRNN/FW", r"bidirectional_rnn/fw"),
    (r"BiRNN/BW", r"bidirectional_rnn/bw"),
    (r"BiRNN", r"bidirectional_rnn"),
    (r"RNN", r"rnn"),
    (r"MultiRNNCell", r"multi_rnn_cell"),
    (r"Cell(\d+)", r"cell_\1"),
    # Cells of TensorFlow 0.x.
    (r"BasicRNNCell/Linear/Matrix", r"basic_rnn_cell/kernel"),
    (r"BasicRNNCell/Linear/Bias", r"basic_rnn_cell/bias"),
    (r"BasicLSTMCell/Linear/Matrix", r"basic_lstm_cell/kernel"),
    (r"BasicLSTMCell/Linear/Bias", r"basic_lstm_cell/bias"),
    (r"GRUCell/Gates/Linear/Matrix", r"gru_cell/gates/kernel"),
    (r"GRUCell/Gates/Linear/Bias", r"gru_cell/gates/bias"),
    (r"GRUCell/Candidate/Linear/Matrix", r"gru_cell/candidate/kernel"),
    (r"GRUCell/Candidate/Linear/Bias", r"gru_cell/candidate/bias"),
    (r"LSTMCell/W_0", r"lstm_cell/kernel"),
    (r"LSTMCell/B", r"lstm_cell/bias"),
    (r"LSTMCell/W_F_diag", r"lstm_cell/w_f_diag"),
    (r"LSTMCell/W_I_diag", r"lstm_cell/w_i_diag"),
    (r"LSTMCell/W_O_diag", r"lstm_cell/w_o_diag"),
    (r"LSTMCell/W_P_0", r"lstm_cell/projection/kernel"),
    (r"LSTMBlockCell/W", r"lstm_cell/kernel"),
    (r"LSTMBlockCell/b", r"lstm_cell/bias"),
    # Cells of TensorFlow 1.0 and 1.1.
    (r"((?:basic_rnn|basic_lstm|lstm)_cell(?:/projection)?)/weights", r"\1/kernel"),
    (r"((?:basic_rnn|basic_lstm|lstm)_cell(?:/projection)?)/biases", r"\1/bias"),
    (r"(gru_cell/(?:gates|candidate))/weights", r"\1/kernel"),
    (r"(gru_cell/(?:gates|candidate))/biases", r"\1/bias"),
)

_COMPILED = tuple((re.compile(rf"(?:(?<=/)|^){old}(?=/|$)"), new) for old, new in RENAMES)


@lru_cache(maxsize=65536)
def modern(name: str) -> str:
    """Returns the name that TensorFlow 1.2 and later give to the variable or op that was called `name`."""
    for pattern, replacement in _COMPILED:
        name = pattern.sub(replacement, name)
    return name


def same_variable(legacy: str, other: str) -> bool:
    """Whether both names are of one variable, written by the same or by different releases."""
    return legacy == other or modern(legacy) == modern(other)
