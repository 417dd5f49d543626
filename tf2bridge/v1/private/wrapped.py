"""Functions of `tensorflow.python.pywrap_tensorflow`, the C++ library as 1.x wrapped it, that TensorFlow 2 has not."""

from __future__ import annotations

import socket
from typing import Any

import tensorflow as tf


def TF_bfloat16_type() -> Any:  # noqa: N802  # TensorFlow's name
    """Returns NumPy's type of bfloat16."""
    return tf.bfloat16.as_numpy_dtype


def TF_PickUnusedPortOrDie() -> int:  # noqa: N802  # as above
    """Returns a port of this machine that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("", 0))
        port: int = listener.getsockname()[1]
        return port
