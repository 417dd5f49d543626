"""Names that NumPy removed and what computes the same, for the program's NumPy.

Sources: the release notes of NumPy 1.23, 1.24, 2.0 and 2.4, and the documentation of 1.16.
"""

from __future__ import annotations

import ast
import contextlib
import math
import pickle
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.ma import mrecords

from codemods.removed import of_numpy
from tf2bridge.program.values_today import value_of

_SCTYPES: dict[str, list[Any]] = {
    "int": [np.int8, np.int16, np.int32, np.int64],
    "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
    "float": [np.float16, np.float32, np.float64, np.longdouble],
    "complex": [np.complex64, np.complex128, np.clongdouble],
    "others": [bool, object, bytes, str, np.void],
}
_KINDS = {"i": "int", "u": "uint", "f": "float", "c": "complex"}


class _ByType(dict[Any, Any]):
    """A mapping from types, in any spelling, to the result of `make` for the type."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        return self._make(np.dtype(key))


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """Returns whether each element of the flattened `ar1` is in `ar2`."""
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def asfarray(a: Any, dtype: Any = np.float64) -> Any:
    """`a` as an array of floating-point numbers."""
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """`np.issubdtype`; a type of Python stands for all NumPy types of its kind: `float` for float32, too.

    So up to NumPy 1.19. There `bool` and `object` stood for every type (measured with 1.16.6 and 1.18.5).
    """
    if isinstance(arg2, type) and not issubclass(arg2, np.generic):
        kind = np.dtype(arg2).type.mro()[1]
        return issubclass(arg1 if _is_scalar_type(arg1) else np.dtype(arg1).type, kind)
    return np.issubdtype(arg1, arg2)


def _is_scalar_type(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, np.generic)


def expand_dims(a: Any, axis: Any) -> Any:
    """`np.expand_dims`; up to NumPy 1.17 a place behind the last axis was the end, with a warning."""
    values = a if isinstance(a, np.ndarray) else np.asanyarray(a)
    if isinstance(axis, int | np.integer) and not -values.ndim - 1 <= axis <= values.ndim:
        place = axis if axis > 0 else axis + values.ndim + 1
        return values.reshape((*values.shape[:place], 1, *values.shape[place:]))
    return np.expand_dims(values, axis)


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Writes a message."""
    device = sys.stdout if device is None else device
    device.write(f"{mesg}\n" if linefeed else f"{mesg}")
    device.flush()


def find_common_type(array_types: Any, scalar_types: Any) -> Any:
    """Returns the type of arrays and scalars together: scalars count if they are of a higher kind than the arrays."""
    arrays = np.result_type(*array_types) if array_types else None
    scalars = np.result_type(*scalar_types) if scalar_types else None
    if arrays is None or scalars is None:
        return arrays if scalars is None else scalars
    kinds = "buifc"
    higher = arrays.kind not in kinds or kinds.find(scalars.kind) > kinds.find(arrays.kind)
    return np.promote_types(arrays, scalars) if higher else arrays


def deprecate(*arguments: Any, **_named: Any) -> Any:
    """Returns a decorator that marks functions as old; here they stay as they are."""
    return arguments[0] if arguments and callable(arguments[0]) else lambda function: function


def is_a_type(rep: Any) -> bool:
    """Returns whether `rep` stands for the type of an array's elements."""
    if not isinstance(rep, type | np.dtype):
        return False
    try:
        return np.dtype(rep) != np.object_ or rep in (object, np.object_)
    except TypeError:
        return False


def scalar_type(rep: Any, default: Any = None) -> Any:
    """Returns the scalar type of an array, a type or a name; `default` for anything else."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    try:
        return np.asarray(rep).dtype.type if isinstance(rep, np.ndarray) else np.dtype(rep).type
    except TypeError:
        return default


def maximum_sctype(t: Any) -> Any:
    """Returns the scalar type of highest precision of the kind of `t`."""
    kind = scalar_type(t)
    if kind is None:
        return t
    name = _KINDS.get(np.dtype(kind).kind)
    return kind if name is None else _SCTYPES[name][-1]


def mafromtxt(fname: Any, **kwargs: Any) -> Any:
    """Returns the numbers of a text file, as a masked array."""
    return np.genfromtxt(fname, **{**kwargs, "usemask": True})


def ndfromtxt(fname: Any, **kwargs: Any) -> Any:
    """Returns the numbers of a text file."""
    return np.genfromtxt(fname, **{**kwargs, "usemask": False})


def recfromtxt(fname: Any, **kwargs: Any) -> Any:
    """Returns the rows of a text file as records."""
    rows = np.genfromtxt(fname, **{"dtype": None, **kwargs})
    return rows.view(mrecords.MaskedRecords if kwargs.get("usemask") else np.recarray)


def recfromcsv(fname: Any, **kwargs: Any) -> Any:
    """Returns the rows of a file of values with commas between them, whose first line names the columns."""
    return recfromtxt(fname, **{"case_sensitive": "lower", "names": True, "delimiter": ",", **kwargs})


_OWN: dict[str, Any] = {
    "MAXDIMS": 32,
    "NZERO": -0.0,
    "PZERO": 0.0,
    "ModuleDeprecationWarning": getattr(np.exceptions, "ModuleDeprecationWarning", DeprecationWarning),
    "MachAr": lambda: np.finfo(np.float64),
    "alen": lambda a: len(np.atleast_1d(a)),
    "asfarray": asfarray,
    "asscalar": lambda a: np.asarray(a).item(),
    "cast": _ByType(lambda kind: lambda x: np.asarray(x).astype(kind)),
    "deprecate": deprecate,
    "deprecate_with_doc": deprecate,
    "disp": disp,
    "expand_dims": expand_dims,
    "fastCopyAndTranspose": lambda a: np.array(np.transpose(a), order="C"),
    "find_common_type": find_common_type,
    "in1d": in1d,
    "issctype": is_a_type,
    "issubdtype": issubdtype,
    "issubclass_": lambda arg1, arg2: isinstance(arg1, type) and issubclass(arg1, arg2),
    "issubsctype": lambda arg1, arg2: issubclass(scalar_type(arg1), scalar_type(arg2)),
    "loads": pickle.loads,
    "mafromtxt": mafromtxt,
    "math": math,
    "maximum_sctype": maximum_sctype,
    "msort": lambda a: np.sort(a, axis=0),
    "nbytes": _ByType(lambda kind: kind.itemsize),
    "ndfromtxt": ndfromtxt,
    "obj2sctype": scalar_type,
    "recfromcsv": recfromcsv,
    "recfromtxt": recfromtxt,
    "safe_eval": ast.literal_eval,
    "sctype2char": lambda sctype: np.dtype(scalar_type(sctype)).char,
    "sctypes": _SCTYPES,
    "sys": sys,
    "warnings": warnings,
}
"""Names for which no name of today stands, and functions that took other arguments."""


def _renamed() -> dict[str, Any]:
    values = {}
    for name, row in of_numpy.NAMES.items():
        old = name.removeprefix("numpy.")
        if row.new and old not in _OWN:
            with contextlib.suppress(AttributeError, ImportError):  # this release of NumPy has no such name yet
                values[old] = value_of(row.new)
    return values


REMOVED: dict[str, Any] = {**_renamed(), **_OWN}
"""Name in NumPy 1.16 -> what it is here."""
