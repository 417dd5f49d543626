"""The parts of nose that tests use, `nose.tools` and the plugins that mark tests. Python 3.12 cannot import nose."""

from __future__ import annotations

import functools
import re
import unittest
from collections.abc import Callable
from types import ModuleType
from typing import Any

Function = Callable[..., Any]


def modules() -> list[ModuleType]:
    """Returns `nose` and its modules that tests import."""
    tools = ModuleType("nose.tools", __doc__)
    tools.__dict__.update(_assertions(), eq_=eq_, ok_=ok_, raises=raises, istest=istest, nottest=nottest)
    tools.__dict__.update(with_setup=with_setup, make_decorator=make_decorator)
    nose, plugins = ModuleType("nose"), ModuleType("nose.plugins")
    skip, attributes = ModuleType("nose.plugins.skip"), ModuleType("nose.plugins.attrib")
    skip.__dict__["SkipTest"] = nose.__dict__["SkipTest"] = unittest.SkipTest
    attributes.__dict__["attr"] = attr
    nose.__dict__["__path__"] = plugins.__dict__["__path__"] = []
    return [nose, tools, plugins, skip, attributes]


def _assertions() -> dict[str, Any]:
    """Returns the assertions of unittest as functions: `assertListEqual` is `assert_list_equal`."""
    case = unittest.TestCase()
    case.maxDiff = None
    assertions = {}
    for name in dir(case):
        if name.startswith("assert"):
            assertions[re.sub("([A-Z])", lambda match: f"_{match[1].lower()}", name)] = getattr(case, name)
    return assertions


def eq_(a: Any, b: Any, msg: str | None = None) -> None:
    """Raises AssertionError unless both are equal."""
    if not a == b:
        raise AssertionError(msg or f"{a!r} != {b!r}")


def ok_(expr: Any, msg: str | None = None) -> None:
    """Raises AssertionError unless `expr` is true."""
    if not expr:
        raise AssertionError(msg)


def raises(*exceptions: type[BaseException]) -> Callable[[Function], Function]:
    """Returns a decorator of tests that have to raise one of the exceptions."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def test(*args: Any, **kwargs: Any) -> None:
            try:
                function(*args, **kwargs)
            except exceptions:
                return
            valid = " or ".join(exception.__name__ for exception in exceptions)
            raise AssertionError(f"{function.__name__}() did not raise {valid}")

        return test

    return decorate


def istest(function: Any) -> Any:
    """Marks a function or class as a test."""
    function.__test__ = True
    return function


def nottest(function: Any) -> Any:
    """Marks a function or class as not a test."""
    function.__test__ = False
    return function


def with_setup(setup: Function | None = None, teardown: Function | None = None) -> Callable[[Function], Function]:
    """Returns a decorator of tests that run between `setup` and `teardown`."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def test(*args: Any, **kwargs: Any) -> Any:
            if setup is not None:
                setup()
            try:
                return function(*args, **kwargs)
            finally:
                if teardown is not None:
                    teardown()

        return test

    return decorate


def make_decorator(func: Function) -> Callable[[Function], Function]:
    """Returns a decorator that gives a function the name and the documentation of `func`."""
    return functools.wraps(func)


def attr(*names: str, **values: Any) -> Callable[[Function], Function]:
    """Returns a decorator that gives a test these attributes."""

    def decorate(function: Function) -> Function:
        function.__dict__.update(dict.fromkeys(names, True), **values)
        return function

    return decorate
