"""Holds a checkpoint, as it is read here, against what TensorFlow's own reader says of the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tensorflow as tf

from tf2bridge.formats.checkpoints.objects import OBJECT_GRAPH
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.dtypes import STRING


def check_same_tensors(prefix: Path) -> int:
    """All names, shapes, types and values are the same, bit by bit. Returns how many tensors there are."""
    reader = tf.train.load_checkpoint(str(prefix))
    dtypes = reader.get_variable_to_dtype_map()
    with open_checkpoint(prefix) as checkpoint:
        assert set(checkpoint) == set(dtypes) - {OBJECT_GRAPH}
        for name, info in checkpoint.tensors.items():
            expected, result = reader.get_tensor(name), checkpoint[name]
            assert info.dtype == dtypes[name].name, name
            assert info.shape == result.shape == np.shape(expected), name
            if info.dtype == STRING:
                assert result.ravel().tolist() == np.asarray(expected, object).ravel().tolist(), name
            else:
                assert result.dtype == expected.dtype, name
                assert result.tobytes() == expected.tobytes() == b"".join(checkpoint.pieces(name)), name
        return len(checkpoint)
