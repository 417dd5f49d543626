"""`tf.contrib.cudnn_rnn`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.cudnn_rnn"
_HERE = "tf2bridge.contrib.cudnn_rnn"
_MODES = ("LSTM", "GRU", "RNNTanh", "RNNRelu")

_CONSTANTS = (
    "CUDNN_RNN_UNIDIRECTION CUDNN_RNN_BIDIRECTION CUDNN_LSTM CUDNN_GRU CUDNN_RNN_RELU CUDNN_RNN_TANH "
    "CUDNN_LSTM_PARAMS_PER_LAYER CUDNN_GRU_PARAMS_PER_LAYER CUDNN_RNN_TANH_PARAMS_PER_LAYER "
    "CUDNN_RNN_RELU_PARAMS_PER_LAYER CUDNN_INPUT_LINEAR_MODE CUDNN_INPUT_SKIP_MODE CUDNN_INPUT_AUTO_MODE"
)

OWN = {
    **names(f"{_PATH}.python.ops.cudnn_rnn_ops", f"{_HERE}.cudnn_rnn_ops.constants", _CONSTANTS),
    **names(_PATH, f"{_HERE}.cudnn_rnn_ops.cells", "CudnnCompatibleLSTMCell CudnnCompatibleGRUCell"),
    **names(_PATH, f"{_HERE}.cudnn_rnn", " ".join(f"Cudnn{mode}" for mode in _MODES)),
    **names(_PATH, f"{_HERE}.cudnn_rnn_ops.saving", " ".join(f"Cudnn{mode}Saveable" for mode in _MODES)),
    **names(
        _PATH,
        f"{_HERE}.cudnn_rnn_ops.weights",
        " ".join(f"CudnnParamsFormatConverter{mode.removeprefix('RNN')}" for mode in _MODES),
    ),
}
