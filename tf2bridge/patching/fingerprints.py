"""Fingerprints of names in other libraries: a digest of their source, which shows changes."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import sys
from typing import Any

MISSING = "missing"
"""The fingerprint of a name that does not exist."""


def fingerprint(target: str) -> str:
    """Returns the fingerprint of "module:Class.name" in the installed library.

    Returns:
        `MISSING`; or "source" and a digest, for Python code, without its comments and empty lines; or the kind of an
            object
        without source: "module", "class", "built-in" or the name of its type. The source of a class is not read,
            because
        it changes with each of its methods.
    """
    module, _, path = target.partition(":")
    try:
        value = functools.reduce(_static, path.split(".") if path else [], importlib.import_module(module))
    except (ImportError, AttributeError):
        return MISSING
    return _of_value(value)


def _static(owner: Any, name: str) -> Any:
    """Returns an attribute: a method as it is in its class, and a name that a module makes at its first use."""
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
