"""Transforms images for Keras as in 1.15, about the same centre and axes.

1.15 rotated an image of an even size about a point one pixel off its middle, and exchanged rows and columns for shear
and zoom (`transform_matrix_offset_center` and `apply_affine_transform` of keras_preprocessing 1.1.2, beside tf_keras
2.21).
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from tf2bridge.patching import put

_EXCHANGED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_DEFAULTS = (0, 0, 0, 0, 1, 1, 0, 1, 2, "nearest", 0.0, 1)
"""Of theta, tx, ty, shear, zx, zy, the axes of rows, columns and channels, fill_mode, cval and order."""


def install() -> None:
    """Changes tf_keras, for the whole process."""
    module: Any = importlib.import_module("tf_keras.src.preprocessing.image")
    put(module, "transform_matrix_offset_center", centred)
    put(module.apply_affine_transform, "__defaults__", _DEFAULTS)


def centred(matrix: Any, x: int, y: int) -> Any:
    """Returns the affine transform `matrix` [3, 3] about the centre of an image of `x` by `y` pixels, as of 1.15.

    Rows and columns are exchanged in what is returned: tf_keras exchanges them once more.
    """
    middle = np.array([x / 2 + 0.5, y / 2 + 0.5])
    there, back = np.eye(3), np.eye(3)
    there[:2, 2], back[:2, 2] = middle, -middle
    return _EXCHANGED @ there @ matrix @ back @ _EXCHANGED
