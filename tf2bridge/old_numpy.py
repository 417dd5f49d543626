"""NumPy 1 for programs that codemods has rewritten: functions with the arguments and results of NumPy 1.

import tf2bridge.old_numpy
x = tf2bridge.old_numpy.array([[1, 2], [3]])     # rows of different lengths: an array of lists
"""

from __future__ import annotations

from tf2bridge.program.numpy_1.module import (
    array,
    asarray,
    fromstring,
    histogram,
    old_numpy,
    printing_as_numpy_1,
    reshape,
    total,
)

__all__ = ["array", "asarray", "fromstring", "histogram", "old_numpy", "printing_as_numpy_1", "reshape", "total"]
