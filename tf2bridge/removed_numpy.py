"""Names that NumPy removed and what computes the same, for `old_numpy`.

Sources: the release notes of NumPy 1.23, 1.24, 2.0 and 2.4, and the documentation of 1.16.
"""

from __future__ import annotations

import ast
import builtins
import math
import pickle
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib import array_utils, npyio

_BUILTINS = {name: getattr(builtins, name) for name in ("int", "float", "bool", "object", "str", "complex")}
_TYPES: dict[str, Any] = {
    **_BUILTINS,
    "long": int,
    "unicode": str,
    "float_": np.float64,
    "complex_": np.complex128,
    "cfloat": np.complex128,
    "singlecomplex": np.complex64,
    "longfloat": np.longdouble,
    "clongfloat": np.clongdouble,
    "longcomplex": np.clongdouble,
    "unicode_": np.str_,
    "str0": np.str_,
    "string_": np.bytes_,
    "bytes0": np.bytes_,
    "object0": np.object_,
    "void0": np.void,
    "bool8": np.bool_,
    "int0": np.intp,
    "uint0": np.uintp,
    "typeDict": np.sctypeDict,
    "sctypes": {
        "int": [np.int8, np.int16, np.int32, np.int64],
        "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [bool, object, bytes, str, np.void],
    },
}
_NUMBERS: dict[str, Any] = {
    **dict.fromkeys(("NaN", "NAN"), np.nan),
    **dict.fromkeys(("Inf", "Infinity", "infty", "PINF"), np.inf),
    "NINF": -np.inf,
    "PZERO": 0.0,
    "NZERO": -0.0,
    "MAXDIMS": 32,
}


class _ByType(dict[Any, Any]):
    """A mapping from types, in any spelling, to what `make` makes of the type."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        return self._make(np.dtype(key))


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """Whether each element of the flattened `ar1` is in `ar2`."""
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def asfarray(a: Any, dtype: Any = np.float64) -> Any:
    """`a` as an array of floating-point numbers."""
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Writes a message."""
    device = sys.stdout if device is None else device
    device.write(f"{mesg}\n" if linefeed else f"{mesg}")
    device.flush()


def find_common_type(array_types: Any, scalar_types: Any) -> Any:
    """The type of arrays and scalars together: scalars count if they are of a higher kind than the arrays."""
    arrays = np.result_type(*array_types) if array_types else None
    scalars = np.result_type(*scalar_types) if scalar_types else None
    if arrays is None or scalars is None:
        return arrays if scalars is None else scalars
    kinds = "buifc"
    higher = arrays.kind not in kinds or kinds.find(scalars.kind) > kinds.find(arrays.kind)
    return np.promote_types(arrays, scalars) if higher else arrays


def deprecate(*arguments: Any, **_named: Any) -> Any:
    """A decorator that marks functions as old; here they stay as they are."""
    return arguments[0] if arguments and callable(arguments[0]) else lambda function: function


def is_a_type(rep: Any) -> bool:
    """Whether `rep` stands for the type of an array's elements."""
    if not isinstance(rep, type | np.dtype):
        return False
    try:
        return np.dtype(rep) != np.object_ or rep in (object, np.object_)
    except TypeError:
        return False


def scalar_type(rep: Any, default: Any = None) -> Any:
    """The scalar type of an array, a type or a name; `default` for anything else."""
    try:
        return np.asarray(rep).dtype.type if isinstance(rep, np.ndarray) else np.dtype(rep).type
    except TypeError:
        return default


_FUNCTIONS: dict[str, Any] = {
    "product": np.prod,
    "cumproduct": np.cumprod,
    "alltrue": np.all,
    "sometrue": np.any,
    "round_": np.round,
    "row_stack": np.vstack,
    "mat": np.asmatrix,
    "rank": np.ndim,
    "trapz": np.trapezoid,
    "asscalar": lambda a: np.asarray(a).item(),
    "alen": lambda a: len(np.atleast_1d(a)),
    "msort": lambda a: np.sort(a, axis=0),
    "in1d": in1d,
    "asfarray": asfarray,
    "issubclass_": lambda arg1, arg2: isinstance(arg1, type) and issubclass(arg1, arg2),
    "issubsctype": lambda arg1, arg2: issubclass(scalar_type(arg1), scalar_type(arg2)),
    "issctype": is_a_type,
    "obj2sctype": scalar_type,
    "sctype2char": lambda sctype: np.dtype(scalar_type(sctype)).char,
    "cast": _ByType(lambda kind: lambda x: np.asarray(x).astype(kind)),
    "nbytes": _ByType(lambda kind: kind.itemsize),
    "find_common_type": find_common_type,
    "fastCopyAndTranspose": lambda a: np.array(np.transpose(a), order="C"),
    "disp": disp,
    "loads": pickle.loads,
    "safe_eval": ast.literal_eval,
    "deprecate": deprecate,
    "deprecate_with_doc": deprecate,
    "byte_bounds": array_utils.byte_bounds,
    "compare_chararrays": np.char.compare_chararrays,
    "format_parser": np.rec.format_parser,
    "DataSource": npyio.DataSource,
    "MachAr": lambda: np.finfo(np.float64),
}
_OTHERS: dict[str, Any] = {
    **{name: getattr(np.exceptions, name) for name in ("AxisError", "ComplexWarning", "RankWarning", "TooHardError")},
    "VisibleDeprecationWarning": np.exceptions.VisibleDeprecationWarning,
    "ModuleDeprecationWarning": getattr(np.exceptions, "ModuleDeprecationWarning", DeprecationWarning),
    "math": math,
    "sys": sys,
    "warnings": warnings,
}
REMOVED: dict[str, Any] = {**_TYPES, **_NUMBERS, **_FUNCTIONS, **_OTHERS}
"""Name in NumPy 1.16 -> what it is here."""
