"""Errors of TensorFlow in the words that 1.x used, where programs and their tests look for them."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = ("tensorflow.python.ops.init_ops", "tensorflow.python.ops.init_ops_v2")


def install() -> None:
    """Rewords them in this process; twice is harmless."""
    for name in _MODULES:
        module: Any = importlib.import_module(name)
        module._assert_float_dtype = assert_float_dtype


def assert_float_dtype(dtype: Any) -> Any:
    """Returns `dtype`. Raises ValueError if it is not one of floating point numbers."""
    dtype = importlib.import_module("tensorflow.python.framework.dtypes").as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype
