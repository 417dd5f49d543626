"""`tf.contrib.cudnn_rnn`."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_PATH = "contrib.cudnn_rnn"
_HERE = "tf2bridge.contrib.cudnn_rnn"
_MODES = ("LSTM", "GRU", "RNNTanh", "RNNRelu")

OWN = {
    **names(_PATH, f"{_HERE}.cells", "CudnnCompatibleLSTMCell CudnnCompatibleGRUCell"),
    **names(_PATH, f"{_HERE}.layers", " ".join(f"Cudnn{mode}" for mode in _MODES)),
    **names(_PATH, f"{_HERE}.saving", " ".join(f"Cudnn{mode}Saveable" for mode in _MODES)),
    **names(
        _PATH,
        f"{_HERE}.weights",
        " ".join(f"CudnnParamsFormatConverter{mode.removeprefix('RNN')}" for mode in _MODES),
    ),
}
