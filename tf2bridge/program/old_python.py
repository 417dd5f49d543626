"""Functions, methods and modes that Python 3.7 to 3.13 removed, for programs of 2015 to 2019.

Source: "What's New in Python", the sections on what was removed.
"""

from __future__ import annotations

import builtins
import errno
import html
import html.parser
import math
import threading
import unittest
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tf2bridge.patching import put


def set_check_interval(interval: int) -> None:
    """`sys.setcheckinterval`: how often threads took turns, in instructions; Python 3 counts seconds."""
    del interval


def _of_configparser(module: ModuleType) -> dict[str, Any]:
    if not hasattr(module.RawConfigParser, "readfp"):
        put(module.RawConfigParser, "readfp", module.RawConfigParser.read_file)
    return {"SafeConfigParser": module.ConfigParser}


_OF_STRINGS = (
    "capitalize", "center", "count", "expandtabs", "find", "index", "ljust", "lower", "lstrip", "replace", "rfind",
    "rindex", "rjust", "rsplit", "rstrip", "split", "strip", "swapcase", "translate", "upper",
)  # fmt: skip


def _of_string(string: ModuleType) -> dict[str, Any]:
    """What Python 2 had in the module string, methods as functions."""
    joined: Callable[..., str] = lambda words, sep=" ": sep.join(words)  # noqa: E731
    return {
        **{name: getattr(str, name) for name in _OF_STRINGS},
        "atof": float,
        "atoi": int,
        "atol": int,
        "join": joined,
        "joinfields": joined,
        "letters": string.ascii_letters,
        "lowercase": string.ascii_lowercase,
        "maketrans": str.maketrans,
        "splitfields": str.split,
        "uppercase": string.ascii_uppercase,
        "zfill": lambda x, width: (x if isinstance(x, str) else repr(x)).zfill(width),
    }


ADDED: dict[str, Callable[[ModuleType], dict[str, Any]]] = {
    "base64": lambda base64: {"encodestring": base64.encodebytes, "decodestring": base64.decodebytes},
    "configparser": _of_configparser,
    "fractions": lambda _: {"gcd": math.gcd},
    "locale": lambda locale: {"format": locale.format_string},
    "os": lambda _: {"errno": errno},
    "string": _of_string,
    "sys": lambda _: {"setcheckinterval": set_check_interval, "getcheckinterval": lambda: 100},
    "unittest": lambda _: {"makeSuite": unittest.defaultTestLoader.loadTestsFromTestCase},
}
"""Module -> what gives the names that it had, from the module as it is."""


def add_methods() -> None:
    """Gives classes of the standard library the methods that they had; twice is harmless."""
    for cls, name, value in (
        (threading.Thread, "isAlive", threading.Thread.is_alive),
        (html.parser.HTMLParser, "unescape", lambda _, s: html.unescape(s)),
    ):
        if not hasattr(cls, name):
            put(cls, name, value)


def old_open(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
    """`open`, also with the mode U, which had no effect on Python 3."""
    if isinstance(mode, str) and "U" in mode:
        mode = mode.replace("U", "")
        mode = mode if "r" in mode else f"r{mode}"
    return builtins.open(file, mode, *arguments, **named)  # noqa: PTH123  # a file by number, too


METHODS_OF_ELEMENTS: dict[str, Callable[..., Any]] = {
    "getchildren": list,
    "getiterator": lambda element, tag=None: element.iter(tag),
}
"""Methods of XML's elements, which are of a type that takes none."""
