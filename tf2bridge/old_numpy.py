"""`numpy` as programs of TF 1.x used it: names that NumPy removed since, and arrays of rows of different lengths.

Removed in 1.24: `np.int` and its like, aliases of Python's types; ragged input became an error there. Removed in 2.0:
`np.float_`, `np.NaN` and others (NumPy's release notes of both).
"""

from __future__ import annotations

import builtins
from types import ModuleType
from typing import Any

import numpy as np

_TYPES = {name: getattr(builtins, name) for name in ("int", "float", "bool", "object", "str", "complex")}
_REMOVED: dict[str, Any] = {
    **_TYPES,
    "long": int,
    "unicode": str,
    "float_": np.float64,
    "complex_": np.complex128,
    "unicode_": np.str_,
    "string_": np.bytes_,
    "NaN": np.nan,
    "Inf": np.inf,
    "Infinity": np.inf,
    "infty": np.inf,
    "product": np.prod,
    "cumproduct": np.cumprod,
    "alltrue": np.all,
    "sometrue": np.any,
    "round_": np.round,
    "asscalar": lambda a: a.item(),
}


def old_numpy() -> ModuleType:
    """Returns a module `numpy` that has these names and is NumPy in all else."""
    module = ModuleType("numpy", np.__doc__)
    module.__dict__.update({name: value for name, value in vars(np).items() if name != "__builtins__"})
    # `np.bool`, `np.long` and others came back in 2.0 with another meaning.
    module.__dict__.update(_REMOVED, array=array, asarray=asarray)

    def get(name: str) -> Any:
        return getattr(np, name)

    module.__dict__["__getattr__"] = get
    return module


def array(object: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:  # noqa: A002  # NumPy's own name
    """`np.array`; rows of different lengths give an array of objects, as they did before 1.24."""
    return _ragged(np.array, object, dtype, args, kwargs)


def asarray(a: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`np.asarray`, likewise."""
    return _ragged(np.asarray, a, dtype, args, kwargs)


def _ragged(make: Any, given: Any, dtype: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    try:
        return make(given, dtype, *args, **kwargs)
    except ValueError as error:
        if dtype is not None or "inhomogeneous" not in str(error):
            raise
        return make(given, builtins.object, *args, **kwargs)
