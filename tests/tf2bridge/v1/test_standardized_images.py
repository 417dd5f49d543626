"""The type and the values of standardized images: what is expected was printed by the genuine releases."""

from __future__ import annotations

import pytest

from tests import forked

PROGRAM = """
from tf2bridge import v1 as tf
import numpy as np
tf.enable(api={api!r})
image = np.arange(18).reshape(2, 3, 3)
with tf.Session() as session:
    for kind in (np.uint8, np.int32, np.float32):
        result = tf.image.per_image_standardization(image.astype(kind))
        values = session.run(result)
        print(result.dtype.name, *np.round(values[0, 0], 3), *np.round(values[1, 2], 3))
"""

FLOATS = "float32 -1.638 -1.446 -1.253 1.253 1.446 1.638\n"
OF_1_15 = f"uint8 0 0 0 27 31 36\nint32 -36 -31 -27 27 31 36\n{FLOATS}"
OF_1_12 = FLOATS * 3


@pytest.mark.parametrize(("api", "expected"), [("1.15", OF_1_15), ("1.12", OF_1_12)])
def test_integers_stay_integers_in_1_15_only(api: str, expected: str) -> None:
    done = forked.run(PROGRAM.format(api=api))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == expected
