"""Programs that ask whether a letter `is` another one."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tf2bridge.program.letters import with_letters_compared

TEXT = """
def kept(text):
    return [letter for letter in text if letter is not "_" and letter is not "~"]

def is_comment(line):
    return line[0] is "#", "#" is line[:1]

def is_none(value):
    return value is None, value is not None
"""


@pytest.fixture(scope="module")
def space() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(with_letters_compared(ast.parse(TEXT)), "program", "exec"), names)  # noqa: S102  # the subject
    return names


def test_letters_of_a_text_are_the_letters_of_the_program(space: dict[str, Any]) -> None:
    assert space["kept"]('"A"_B~') == ['"', "A", '"', "B"]
    assert space["is_comment"]("# no code") == (True, True)
    assert space["is_comment"]("x = 1") == (False, False)


def test_other_values_are_asked_for_their_identity(space: dict[str, Any]) -> None:
    assert space["is_none"](None) == (True, False)
    assert space["is_none"](0) == (False, True)
