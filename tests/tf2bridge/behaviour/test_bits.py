"""`compare_and_bitpack` gives what it gave in 1.15.5, of every type; its bits are those of `numpy.packbits`."""

from __future__ import annotations

import pytest

from tests.same_text import lines

PROGRAM = """
import numpy as np
import {module} as tf
{enable}
from {module}.python.ops import math_ops
draws = np.random.RandomState(0)
with tf.Session() as session:
    for kind in (np.bool_, np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64):
        given = draws.randn(2, 3, 16) * 3
        given = given > 0 if kind is np.bool_ else given.astype(kind)
        bits = given if kind is np.bool_ else given > 0
        packed = math_ops.compare_and_bitpack(given, kind(0))
        found = session.run(packed)
        print(np.dtype(kind).name, packed.dtype.name, packed.shape, found.ravel().tolist())
        assert (found == np.packbits(bits, -1)).all()
    print(math_ops.compare_and_bitpack(tf.placeholder(tf.float32, [None, 24]), 0.5).shape)
"""


@pytest.mark.oracle
def test_bits_are_packed_as_in_1_15() -> None:
    assert lines(PROGRAM, None, "1.15.5") == lines(PROGRAM, "1.15.5", "1.15.5")
