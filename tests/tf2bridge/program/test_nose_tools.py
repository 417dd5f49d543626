"""Tests that were written with nose."""

from __future__ import annotations

from typing import Any

import pytest

from tf2bridge.program.nose_tools import modules


@pytest.fixture
def nose() -> dict[str, Any]:
    return {module.__name__: module for module in modules()}


def test_assertions_are_those_of_unittest(nose: dict[str, Any]) -> None:
    tools = nose["nose.tools"]
    tools.assert_equal(1, 1)
    tools.assert_almost_equal(1.0, 1.00000001)
    tools.eq_([1], [1])
    with pytest.raises(AssertionError, match="1 != 2"):
        tools.eq_(1, 2)
    with tools.assert_raises(KeyError):
        {}["a"]


def test_a_test_has_to_raise(nose: dict[str, Any]) -> None:
    raises = nose["nose.tools"].raises
    raises(ValueError)(lambda: int("a"))()
    with pytest.raises(AssertionError, match="did not raise ValueError"):
        raises(ValueError)(lambda: int("1"))()


def test_marks(nose: dict[str, Any]) -> None:
    function = nose["nose.plugins.attrib"].attr("slow", size=3)(nose["nose.tools"].nottest(lambda: None))
    assert (function.slow, function.size, function.__test__) == (True, 3, False)
