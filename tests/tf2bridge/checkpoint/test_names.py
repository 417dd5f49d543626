"""Variables that were renamed between releases, each pair as genuine releases wrote it."""

from __future__ import annotations

import pytest

from tf2bridge.checkpoint.names import modern, same_variable


@pytest.mark.parametrize(
    "legacy, newest",
    [
        ("RNN/BasicLSTMCell/Linear/Matrix", "rnn/basic_lstm_cell/kernel"),
        (
            "rnnlm/RNN/MultiRNNCell/Cell1/BasicLSTMCell/Linear/Bias",
            "rnnlm/rnn/multi_rnn_cell/cell_1/basic_lstm_cell/bias",
        ),
        ("RNN/GRUCell/Gates/Linear/Matrix", "rnn/gru_cell/gates/kernel"),
        ("RNN/LSTMCell/W_F_diag", "rnn/lstm_cell/w_f_diag"),
        ("RNN/LSTMCell/W_P_0", "rnn/lstm_cell/projection/kernel"),
        ("BiRNN/FW/BasicLSTMCell/Linear/Matrix", "bidirectional_rnn/fw/basic_lstm_cell/kernel"),
        ("rnn/basic_lstm_cell/weights", "rnn/basic_lstm_cell/kernel"),
        ("rnn/gru_cell/candidate/biases", "rnn/gru_cell/candidate/bias"),
        ("RNN/BasicLSTMCell/Linear/Matrix/Adam_1", "rnn/basic_lstm_cell/kernel/Adam_1"),
    ],
)
def test_renamed(legacy: str, newest: str) -> None:
    assert modern(legacy) == newest
    assert same_variable(legacy, newest)


@pytest.mark.parametrize(
    "name", ["weights", "layer1/biases", "MyRNN/kernel", "conv1/weights/Momentum", "Cell/x", "RNNs/w"]
)
def test_other_names_stay(name: str) -> None:
    assert modern(name) == name


def test_different_variables_stay_different() -> None:
    assert not same_variable("RNN/BasicLSTMCell/Linear/Matrix", "rnn/basic_lstm_cell/bias")
