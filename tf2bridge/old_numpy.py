"""NumPy functions as they were before 1.24, for rewritten programs that rely on it."""

from __future__ import annotations

from typing import Any

import numpy as np


def array(value: Any) -> Any:
    """Returns np.array(value); rows of unlike lengths make an array of objects, [rows, ...], as they did before 1.24.

    Raises ValueError where the older NumPy did too.
    """
    try:
        return np.array(value)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        return np.array(value, dtype=object)
