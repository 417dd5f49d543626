"""The images of summaries have the numbers that TensorFlow 1 gave them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from codemods.native.image_summaries import FORMULA

_NAN, _INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ([0.0, 1.0, 0.5, 0.25], [0, 255, 127, 63]),
        ([-2.0, 1.0, 0.5, -0.25], [1, 191, 159, 112]),
        ([0.0, 0.0, 0.0, 1e-9], [0, 0, 0, 0]),
        ([_NAN, 3.0, 1.0, _INF], [255, 255, 85, 255]),
        ([-3.0, -1.0, -0.5, -2.0], [1, 85, 106, 43]),
    ],
)
def test_an_image_has_the_numbers_of_genuine_1_15_5(picture: list[float], expected: list[int]) -> None:
    """Expected: what `tf.summary.image` of genuine TensorFlow 1.15.5 stores, read by `tf.image.decode_png`."""
    space: dict[str, Any] = {"tf": tf}
    exec(FORMULA, space)  # noqa: S102 - it is the text that programs get
    scaled = space["scaled_images"](np.array(picture, np.float32).reshape(1, 2, 2, 1), 3)
    assert scaled.numpy().ravel().tolist() == expected
