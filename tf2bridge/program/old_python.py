"""Functions, methods and modes that Python 3.7 to 3.13 removed, for programs of 2015 to 2019.

Source: "What's New in Python", the sections on what was removed.
"""

from __future__ import annotations

import builtins
import html
import html.parser
import locale
import os
import threading
import time
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
    return {}


def _of_string(_: ModuleType) -> dict[str, Any]:
    """Returns functions of the module string of Python 2 that no method replaces."""
    joined: Callable[..., str] = lambda words, sep=" ": sep.join(words)  # noqa: E731
    return {
        "join": joined,
        "joinfields": joined,
        "splitfields": str.split,
        "translate": str.translate,
        "zfill": lambda x, width: (x if isinstance(x, str) else repr(x)).zfill(width),
    }


def _of_unittest(_: ModuleType) -> dict[str, Any]:
    """Returns functions of unittest that take the prefix of test names."""

    def loader(prefix: str, suite_class: Any) -> unittest.TestLoader:
        made = unittest.TestLoader()
        made.testMethodPrefix = prefix
        made.suiteClass = suite_class
        return made

    def make_suite(
        testCaseClass: Any,  # noqa: N803  # unittest's own name
        prefix: str = "test",
        sortUsing: Any = None,  # noqa: N803, ARG001  # the order of names, as ever
        suiteClass: Any = unittest.TestSuite,  # noqa: N803
    ) -> Any:
        """Returns a suite of the tests of a class."""
        return loader(prefix, suiteClass).loadTestsFromTestCase(testCaseClass)

    def find_test_cases(
        module: Any,
        prefix: str = "test",
        sortUsing: Any = None,  # noqa: N803, ARG001  # the order of names, as ever
        suiteClass: Any = unittest.TestSuite,  # noqa: N803
    ) -> Any:
        """Returns a suite of the tests of a module."""
        return loader(prefix, suiteClass).loadTestsFromModule(module)

    def get_test_case_names(testCaseClass: Any, prefix: str, sortUsing: Any = None) -> Any:  # noqa: N803, ARG001
        """Returns the names of the tests of a class."""
        return loader(prefix, unittest.TestSuite).getTestCaseNames(testCaseClass)

    return {"makeSuite": make_suite, "findTestCases": find_test_cases, "getTestCaseNames": get_test_case_names}


def reset_locale(category: int = locale.LC_ALL) -> None:
    """`locale.resetlocale`: the settings of the user."""
    locale.setlocale(category, "")


def popen(cmd: str, mode: str = "r", bufsize: int = -1) -> Any:
    """`platform.popen`, which was `os.popen`."""
    return os.popen(cmd, mode, bufsize)  # the program's own command


ADDED: dict[str, Callable[[ModuleType], dict[str, Any]]] = {
    "configparser": _of_configparser,
    "locale": lambda _: {"resetlocale": reset_locale},
    "platform": lambda _: {"popen": popen},
    "string": _of_string,
    "sys": lambda _: {"setcheckinterval": set_check_interval, "getcheckinterval": lambda: 100},
    "threading": lambda _: {"_sleep": time.sleep},
    "unittest": _of_unittest,
}
"""Module -> what gives the names that it had and that no name of today stands for (codemods.removed)."""


def add_methods() -> None:
    """Gives classes of the standard library their old methods. May be called twice."""
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
