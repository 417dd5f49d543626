"""What a name of another library is: its source in short, so that a change of it is seen."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import sys
from typing import Any

MISSING = "missing"
"""The fingerprint of a name that is not there."""


def fingerprint(target: str) -> str:
    """Returns what "module:Class.name" is now.

    Returns:
        `MISSING`; or "source" and a digest, for what is written in Python, without its comments and empty lines; or
        the kind of what has no source: "module", "class", "built-in" or the name of its type. The source of a class is
        not read: it changes with each of its methods.
    """
    module, _, path = target.partition(":")
    try:
        value = functools.reduce(_static, path.split(".") if path else [], importlib.import_module(module))
    except (ImportError, AttributeError):
        return MISSING
    return _of_value(value)


def _static(owner: Any, name: str) -> Any:
    """A method is read as it stands in its class; what a module makes when it is asked for is asked for."""
    if isinstance(owner, type):
        return inspect.getattr_static(owner, name)
    return getattr(owner, name)


def _is_of_python(function: Any) -> bool:
    return str(getattr(function, "__module__", None)).partition(".")[0] in sys.stdlib_module_names


def _of_value(value: Any) -> str:
    if inspect.ismodule(value):
        return "module"
    if isinstance(value, type):
        return "class"
    if isinstance(value, property):
        value = value.fget
    function = (
        inspect.unwrap(getattr(value, "__func__", value)) if callable(value) or hasattr(value, "__func__") else None
    )
    if function is None or not inspect.isroutine(function):
        return type(value).__name__
    try:
        # Parts of the standard library are frozen in some releases of Python, and have no source there.
        source = "" if _is_of_python(function) else inspect.getsource(function)
    except (OSError, TypeError):
        source = ""
    if not source:
        return "built-in"
    lines = [line.strip() for line in source.splitlines()]
    text = "\n".join(line for line in lines if line and not line.startswith("#"))
    return f"source {hashlib.sha256(text.encode()).hexdigest()[:10]}"
