"""`numpy` for programs of TF 1.x, with names, arguments and kinds of arrays that NumPy has removed.

Removed in 1.24: `np.int` and similar aliases of Python's types, and arrays of rows of different lengths. Removed in
2.0: `np.float_`, `np.NaN` and others, and numbers that do not fit their dtype; later `np.in1d`, `np.trapz`, the binary
mode of `np.fromstring` and more (NumPy's release notes of 1.24 to 2.4).
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from tf2bridge.program.numpy_1 import integers, ragged
from tf2bridge.program.numpy_1.removed import REMOVED
from tf2bridge.program.wrapping import wrapped

_STACKS = ("vstack", "hstack", "dstack", "column_stack", "stack", "row_stack")
_LISTS = ("meshgrid", "broadcast_arrays", "atleast_1d", "atleast_2d", "atleast_3d")
_METHOD = {"interpolation": "method"}
_DENSITY = {"normed": "density"}
_RENAMED = {
    **dict.fromkeys(("percentile", "quantile", "nanpercentile", "nanquantile"), _METHOD),
    **dict.fromkeys(("histogram2d", "histogramdd"), _DENSITY),
    "isscalar": {"num": "element"},
}
_WITHOUT_EFFECT = {"corrcoef": ("bias", "ddof"), "array2string": ("style",), "save": ("fix_imports",)}


def old_numpy() -> ModuleType:
    """Returns a module `numpy` that has these names, and all others of NumPy."""
    module = ModuleType("numpy", np.__doc__)
    module.__dict__.update({name: value for name, value in vars(np).items() if name != "__builtins__"})
    # `np.bool`, `np.long` and others came back in 2.0 with another meaning.
    module.__dict__.update(
        REMOVED, array=array, asarray=asarray, fromstring=fromstring, histogram=histogram, sum=total, reshape=reshape
    )
    module.__dict__.update({name: _of_any_arrays(getattr(np, name, np.vstack)) for name in _STACKS})
    module.__dict__.update({name: _in_a_list(getattr(np, name)) for name in _LISTS})
    module.__dict__.update({name: _renaming(getattr(np, name), names) for name, names in _RENAMED.items()})
    module.__dict__.update({name: _leaving_out(getattr(np, name), names) for name, names in _WITHOUT_EFFECT.items()})
    module.__dict__.update(integers.NAMES)
    ragged.add(module)
    module.__dict__["lib"] = _with_all_names(np.lib, module)

    def get(name: str) -> Any:
        return getattr(np, name)

    module.__dict__["__getattr__"] = get
    return module


def printing_as_numpy_1() -> Any:
    """Prints numbers and arrays as NumPy 1.21 within a with block: `[0.5]`, not `[np.float32(0.5)]`."""
    return np.printoptions(legacy="1.21")


def array(object: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:  # noqa: A002  # NumPy's own name
    """`np.array`: rows of different lengths give an array of objects, and numbers too large for the dtype wrap around.

    `copy=False` copies if it has to, as before 2.0.
    """
    if kwargs.get("copy") is False:
        kwargs["copy"] = None
    return _made(np.array, object, dtype, args, kwargs)


def asarray(a: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`np.asarray`, with the same results as `array`."""
    return _made(np.asarray, a, dtype, args, kwargs)


def _made(make: Any, given: Any, dtype: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    try:
        return make(given, dtype, *args, **kwargs)
    except ValueError as error:
        if dtype is not None or "inhomogeneous" not in str(error):
            raise
        return make(given, builtins.object, *args, **kwargs)
    except OverflowError:
        return make(wrapped(given, dtype), dtype, *args, **kwargs)


def fromstring(string: Any, dtype: Any = np.float64, count: int = -1, *, sep: str = "", **kwargs: Any) -> Any:
    """`np.fromstring`, also of bytes, whose numbers it returns as a new array."""
    if sep:
        return np.fromstring(string, dtype, count, sep=sep, **kwargs)
    data = string.encode("latin1") if isinstance(string, str) else string
    return np.frombuffer(data, dtype, count).copy()


def reshape(a: Any, newshape: Any = None, order: Any = "C", **kwargs: Any) -> Any:
    """`np.reshape` with `newshape`, the older name of `shape`."""
    return np.reshape(a, kwargs.pop("shape", newshape), order=order, **kwargs)


def histogram(  # NumPy's own names
    a: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002
    normed: Any = None,
    weights: Any = None,
    density: Any = None,
) -> Any:
    """`np.histogram` with `normed`, which divides by the sum of counts times widths; no density if widths differ."""
    counts, edges = np.histogram(a, bins, range, weights=weights, density=density)
    if density is not None or not normed:
        return counts, edges
    return counts / (counts * np.diff(edges)).sum(), edges


def total(a: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.sum`, also of a generator."""
    return np.sum(a, *args, **kwargs) if hasattr(a, "__len__") or np.isscalar(a) else _sum_of(a, args, kwargs)


def _sum_of(a: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if hasattr(a, "__next__") and not args and not kwargs:
        return builtins.sum(a)
    return np.sum(a, *args, **kwargs)


def _of_any_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that stacks arrays, also those of generators, `map` and views of dictionaries."""

    @functools.wraps(function)
    def stacked(tup: Any, *args: Any, **kwargs: Any) -> Any:
        return function(tup if hasattr(tup, "__getitem__") else list(tup), *args, **kwargs)

    return stacked


def _in_a_list(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function with several results in a list. Since 2.0 they are in a tuple."""

    @functools.wraps(original)
    def listed(*arrays: Any, **kwargs: Any) -> Any:
        made = original(*arrays, **kwargs)
        return list(made) if isinstance(made, tuple) else made

    return listed


def _renaming(function: Callable[..., Any], names: dict[str, str]) -> Callable[..., Any]:
    """Returns a function that takes arguments by these older names, too."""

    @functools.wraps(function)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **{names.get(name, name): value for name, value in kwargs.items()})

    return renamed


def _leaving_out(function: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """Returns a function that ignores arguments which had no effect."""

    @functools.wraps(function)
    def shorter(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **{name: value for name, value in kwargs.items() if name not in names})

    return shorter


def _with_all_names(library: ModuleType, everything: ModuleType) -> ModuleType:
    """Returns `np.lib`, which had most functions of NumPy."""
    module = ModuleType(library.__name__, library.__doc__)
    module.__dict__.update({name: value for name, value in vars(library).items() if name != "__builtins__"})

    def get(name: str) -> Any:
        return getattr(library, name) if hasattr(library, name) else getattr(everything, name)

    module.__dict__["__getattr__"] = get
    return module
