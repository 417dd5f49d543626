"""The arithmetic of NumPy 1 where NumPy 2 differs or fails: dtypes of results, arrays of one number.

NEP 50 (NumPy 2.0): a Python number beside a NumPy scalar no longer makes it float64 or int64, and a NumPy scalar beside
an array no longer counts by its value alone. So a sum of losses that was float64 would be float32, and a float32 array
over `np.sqrt(2)` would be float64. Arrays of one number no longer convert to numbers (deprecated in 1.25, an error
since 2.4).
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from tf2bridge.program import old_python
from tf2bridge.program.wrapping import wrapped

PLAIN = frozenset({int, float, bool, complex, str, bytes, list, tuple, dict, set, frozenset, type(None)})
"""Types whose operators are Python's own."""
ARRAY = np.ndarray
_AS_SCALAR: dict[type, Callable[[Any], Any]] = {int: np.int64, float: np.float64, complex: np.complex128}
_NUMBERS = "biufc"
_DIMENSIONS = 32  # the most dimensions of an array in NumPy 1
_DIVIDED: dict[type, tuple[type, ...]] = {
    np.int8: (np.int8,),
    np.uint8: (np.uint8,),
    np.int16: (np.int16, np.int8, np.uint8),
    np.uint16: (np.uint16, np.uint8),
}
"""What is divided -> by what its own function of 1.16 and 1.18 divided it (numpy/core/src/umath/scalarmath.c.src)."""
_KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}

OPERATORS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "Add": (operator.add, operator.iadd),
    "Sub": (operator.sub, operator.isub),
    "Mult": (operator.mul, operator.imul),
    "Div": (operator.truediv, operator.itruediv),
    "FloorDiv": (operator.floordiv, operator.ifloordiv),
    "Mod": (operator.mod, operator.imod),
    "Pow": (operator.pow, operator.ipow),
    "LShift": (operator.lshift, operator.ilshift),
    "RShift": (operator.rshift, operator.irshift),
    "BitOr": (operator.or_, operator.ior),
    "BitXor": (operator.xor, operator.ixor),
    "BitAnd": (operator.and_, operator.iand),
}
"""Name of the operator in `ast` -> what it does, plain and in place."""


def promoted(left: Any, right: Any) -> tuple[Any, Any]:
    """Returns both operands. A number among them has the dtype for the result of NumPy 1."""
    if type(left) in PLAIN and type(right) in PLAIN:
        return left, right
    if isinstance(left, np.generic | np.ndarray):
        if not left.ndim and isinstance(right, np.ndarray) and right.ndim:
            return _beside(left, right), right
        return left, _beside(right, left)
    if isinstance(right, np.generic | np.ndarray):
        return _beside(left, right), right
    return left, right


def _beside(number: Any, holder: Any) -> Any:
    """Returns `number` with the dtype that it has beside `holder`; an array stays as it is."""
    if holder.dtype.kind not in _NUMBERS:
        return number
    if isinstance(number, np.generic | np.ndarray):
        return number if number.ndim or not holder.ndim else _by_value(number, holder)
    make = _AS_SCALAR.get(type(number))
    if make is None:
        return number
    if not holder.ndim:
        return _made(make, number)
    if make is np.int64 and holder.dtype.kind in "iu" and not _fits(number, holder.dtype):
        return np.asarray(number, np.min_scalar_type(number))
    return number


def _made(make: Callable[[Any], Any], number: Any) -> Any:
    try:
        return make(number)
    except OverflowError:
        return np.asarray(number, object)


def _by_value(number: Any, array: Any) -> Any:
    """Returns a NumPy scalar of the array's kind, or a lower one, in the smallest dtype that holds its value."""
    if number.dtype.kind not in _NUMBERS or _KINDS[number.dtype.kind] > _KINDS[array.dtype.kind]:
        return number
    if number.dtype.kind in "iu" and array.dtype.kind in "iu" and _fits(int(number), array.dtype):
        return number.astype(array.dtype)
    return number.astype(np.promote_types(array.dtype, np.min_scalar_type(number)))


def _fits(number: int, dtype: Any) -> bool:
    limits = np.iinfo(dtype)
    return bool(limits.min <= number <= limits.max)


@functools.cache
def plain(name: str) -> Callable[[Any, Any], Any]:
    """Returns the operator of that name in `ast`, with NumPy 1's dtypes."""
    return _promoting(OPERATORS[name][0])


@functools.cache
def in_place(name: str) -> Callable[[Any, Any], Any]:
    """Returns the operator for `left op= right`; only arrays and other objects keep their identity."""
    return _promoting(OPERATORS[name][1])


def _promoting(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    operands = {"Pow": _of_a_power, "Div": _of_a_division}.get(_name_of(compute), promoted)

    def computed(left: Any, right: Any) -> Any:
        if type(left) in PLAIN and type(right) in PLAIN:
            return compute(left, right)
        return compute(*operands(left, right))

    return computed


def _name_of(compute: Callable[[Any, Any], Any]) -> str:
    return next(name for name, both in OPERATORS.items() if compute in both)


def _of_a_division(left: Any, right: Any) -> tuple[Any, Any]:
    """Returns `promoted` for `left / right`. The quotient of two small integers that are not arrays is a float32."""
    if type(right) in _DIVIDED.get(type(left), ()):
        return np.float32(left), np.float32(right)
    return promoted(left, right)


def _of_a_power(left: Any, right: Any) -> tuple[Any, Any]:
    """Returns `promoted` for `left ** right`. Some powers of an array, also of one without dimensions, keep its dtype.

    They were computed by other functions (fast_scalar_power in numpy/core/src/multiarray/number.c of 1.18).
    """
    if not isinstance(left, np.ndarray) or not _is_real_scalar(right):
        return promoted(left, right)
    exponent = float(right)
    if left.dtype.kind in "fc" and exponent in (-1, 0, 0.5, 1, 2):
        return left, exponent  # a Python number takes the dtype of the array
    if exponent == 2 and left.dtype.kind in "iu":
        return (left, 2) if isinstance(right, int) or _kind(right) in "iu" else (left.astype(float), 2)
    if exponent == 2 and left.dtype.kind == "b":
        return left.astype(np.int8), 2
    return promoted(left, right)


def _is_real_scalar(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, np.generic | np.ndarray) and _kind(value) in "iuf")


def _kind(value: Any) -> str:
    """Returns the kind of the dtype of a NumPy scalar, or of an array without dimensions; None for other values."""
    return str(value.dtype.kind) if isinstance(value, np.generic | np.ndarray) and not value.ndim else " "


def total(iterable: Iterable[Any], /, start: Any = 0) -> Any:
    """`sum`, which starts from a NumPy number if NumPy numbers are summed."""
    values = iterable if isinstance(iterable, list | tuple) else list(iterable)
    make = _AS_SCALAR.get(type(start))
    if make is not None and values and isinstance(values[0], np.generic) and values[0].dtype.kind in _NUMBERS:
        start = make(start)
    return builtins.sum(values, start)


def number(kind: Any, value: Any) -> Any:
    """`kind(value)` for int, float, complex and functions of math, where `value` may be an array of one number."""
    try:
        return kind(value)
    except TypeError:
        converts = kind in (int, float, complex) or getattr(kind, "__module__", "") == "math"
        if converts and _is_single(value):
            return kind(value.item())
        raise


def as_compared(value: Any, other: Any) -> Any:
    """Returns `value` for a subtraction from a Python number, beside which float32 counts as float64."""
    narrow = isinstance(value, np.floating) or (isinstance(value, np.ndarray) and value.ndim == 0)
    return float(value) if narrow and type(other) is float else value


def formatted(text: Any, values: Any) -> Any:
    """`text % values`, where arrays of one number can be printed as numbers."""
    try:
        return text % values
    except TypeError:
        if isinstance(values, tuple):
            return text % tuple(map(_printable, values))
        if isinstance(values, Mapping):
            return text % {key: _printable(value) for key, value in values.items()}
        return text % (_printable(values),)


def item(holder: Any, key: Any) -> Any:
    """`holder[key]`, where a list of slices or lists means a tuple of them, as it did up to NumPy 1.22."""
    return holder[_as_tuple(holder, key)]


def key(holder: Any, key: Any) -> Any:
    """Returns the meaning of `key` between the brackets of `holder`."""
    return _as_tuple(holder, key)


def true(value: Any) -> bool:
    """`bool(value)`; an empty array is false (deprecated in 1.14, an error since 2.2)."""
    return bool(value) if not isinstance(value, np.ndarray) or value.size else False


def keep(flag: Any, value: Any) -> Any:
    """Returns the flag of a function, `int` or None, after one of its variables became `value`."""
    return flag if type(value) in PLAIN else None


def _as_tuple(holder: Any, key: Any) -> Any:
    if type(key) is not list or not isinstance(holder, np.ndarray) or len(key) >= _DIMENSIONS:
        return key
    parts = (slice, list, tuple, np.ndarray, type(None), type(Ellipsis))
    return tuple(key) if any(isinstance(part, parts) for part in key) else key


def put(value: Any, holder: Any, key: Any) -> None:
    """`holder[key] = value`, where `value` may be an array of one number, or integers that wrap around."""
    key = _as_tuple(holder, key)
    try:
        holder[key] = value
    except OverflowError:
        if not isinstance(holder, np.ndarray):
            raise
        holder[key] = wrapped(value, holder.dtype)
    except (TypeError, ValueError):
        if not (isinstance(holder, np.ndarray) and _is_single(value)):
            raise
        holder[key] = value.reshape(())


def changed_attribute(holder: Any, attribute: str, operator_name: str) -> Callable[[Any], None]:
    """Returns a function of `right` that does `holder.attribute op= right`.

    As in Python, the old value is read first.
    """
    old, change = getattr(holder, attribute), in_place(operator_name)
    return lambda right: setattr(holder, attribute, change(old, right))


def changed_item(holder: Any, key: Any, operator_name: str) -> Callable[[Any], None]:
    """Returns a function of `right` that does `holder[key] op= right`."""
    old, change = item(holder, key), in_place(operator_name)
    return lambda right: put(change(old, right), holder, key)


def method(holder: Any, name: str) -> Any:
    """`holder.name`, also where it is a method that arrays had up to NumPy 1, or elements of XML up to Python 3.8."""
    try:
        return getattr(holder, name)
    except AttributeError:
        is_array = isinstance(holder, np.ndarray | np.generic)
        methods = METHODS_OF_ARRAYS if is_array else old_python.METHODS_OF_ELEMENTS if hasattr(holder, "iter") else {}
        if name in methods:
            return functools.partial(methods[name], holder)
        raise


class _Printable:
    """An array of one number: itself for %s, a number for %d and %f."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __str__(self) -> str:
        return str(self._value)

    def __repr__(self) -> str:
        return repr(self._value)

    def __int__(self) -> int:
        return int(self._value.item())

    def __float__(self) -> float:
        return float(self._value.item())


def _printable(value: Any) -> Any:
    return _Printable(value) if _is_single(value) else value


def _is_single(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.size == 1 and value.ndim > 0


def _itemset(array: Any, *where_and_value: Any) -> None:
    *where, value = where_and_value
    if isinstance(value, int) and array.dtype.kind in "iu":
        value = wrapped(value, array.dtype)[()]
    if not where:
        array.flat[0] = value
    elif isinstance(where[0], int | np.integer):
        array.flat[where[0]] = value
    else:
        array[where[0]] = value


METHODS_OF_ARRAYS: dict[str, Callable[..., Any]] = {
    "tostring": lambda array, order="C": array.tobytes(order),
    "itemset": _itemset,
    "newbyteorder": lambda array, order="S": array.view(array.dtype.newbyteorder(order)),
    "ptp": np.ptp,
}
"""Methods of arrays that NumPy 2 removed (release notes of 2.0 and 2.3)."""
METHODS = METHODS_OF_ARRAYS.keys() | old_python.METHODS_OF_ELEMENTS.keys()
