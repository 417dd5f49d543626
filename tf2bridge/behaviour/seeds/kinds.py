"""Descriptions of arguments that distinguish calls: kinds of values, ranks, and known parts of shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Arguments = Mapping[str, Any]
Way = Callable[[Arguments], str]
"""A function that describes a call. Calls with equal descriptions make equal numbers of operations."""


def kind(value: Any) -> str:
    """Returns "none", "number", "text", "sequence", "array", "tensor", "variable", "callable" or "other".

    A variable that is a resource is a "resource".
    """
    if value is None:
        return "none"
    if isinstance(value, (bool, int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, (list, tuple)):
        return "sequence"
    if hasattr(value, "initializer") and hasattr(value, "op"):
        return "resource" if hasattr(value, "handle") else "variable"
    if hasattr(value, "graph"):
        return "tensor"
    if hasattr(value, "__array__"):
        return "array"
    return "callable" if callable(value) else "other"


def rank(value: Any) -> str:
    """Returns the static rank of a tensor, variable or array as text; "?" if unknown."""
    shape = getattr(value, "shape", None)
    if shape is None:
        return "?"
    try:
        return str(len(shape))
    except ValueError:  # a TensorShape of unknown rank has no length
        return "?"


def static(value: Any) -> str:
    """Returns "static" for a fully known shape, "partial" if only the rank is known, else "unknown"."""
    shape = getattr(value, "shape", None)
    if shape is None:
        return "unknown"
    dimensions = getattr(shape, "dims", shape)
    if dimensions is None:
        return "unknown"
    sizes = [getattr(size, "value", size) for size in dimensions]
    return "partial" if None in sizes else "static"


def plain(_: Arguments) -> str:
    """Returns "": the arguments make no difference."""
    return ""


def once(_: Arguments) -> int:
    """Returns 1: a call counts once."""
    return 1


def further(name: str) -> Callable[[Arguments], int]:
    """Returns a function that counts a call once for each value of this argument after the first."""
    return lambda arguments: len(arguments[name]) - 1


def tensors(name: str) -> Callable[[Arguments], int]:
    """Returns a function that counts a call once for each tensor in this argument."""
    return lambda arguments: sum(kind(value) == "tensor" for value in arguments[name] or ())


def constants(*names: str) -> Callable[[Arguments], int]:
    """Returns a function that counts a call once for each of these arguments that is a plain value, not a tensor."""
    return lambda arguments: sum(kind(arguments.get(name)) in ("number", "array") for name in names)


def kinds(*names: str) -> Way:
    """Returns a description of the kinds of these arguments."""
    return lambda arguments: ",".join(kind(arguments.get(name)) for name in names)


def resources(name: str) -> Way:
    """Returns a description that distinguishes resource variables from all other values."""
    return lambda arguments: "resource" if kind(arguments.get(name)) == "resource" else ""


def given(*names: str) -> Way:
    """Returns a description of which of these arguments are not None."""
    return lambda arguments: ",".join(name for name in names if arguments.get(name) is not None)


def texts(name: str) -> Way:
    """Returns a description that is this argument itself, as text."""
    return lambda arguments: str(arguments[name])


def ranks(*names: str) -> Way:
    """Returns a description of the static ranks of these arguments."""
    return lambda arguments: ",".join(rank(arguments.get(name)) for name in names)


def shapes(*names: str) -> Way:
    """Returns a description of how much of the shapes of these arguments is known."""
    return lambda arguments: ",".join(static(arguments.get(name)) for name in names)


def both(*descriptions: Way) -> Way:
    """Returns a description that joins several."""
    return lambda arguments: " ".join(describe(arguments) for describe in descriptions)


def numbers(*names: str) -> Way:
    """Returns a description of the numbers of values in these arguments."""
    return lambda arguments: ",".join(_number(arguments.get(name)) for name in names)


def _number(value: Any) -> str:
    return str(len(value)) if isinstance(value, (list, tuple, dict)) else kind(value)


def dtype(name: str) -> Way:
    """Returns a description that distinguishes floating point from other types."""
    return lambda arguments: "floating" if _floating(arguments.get(name)) else "other"


def _floating(value: Any) -> bool:
    kind_of = getattr(value, "dtype", None)
    return isinstance(value, float) or bool(getattr(kind_of, "is_floating", False))
