"""Generators end where StopIteration leaves them, as under Python 3.6."""

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from tf2bridge.program.generators import with_old_generators

TEXT = '''
def taken(values):
    """Two of them."""
    values = iter(values)
    while True:
        yield next(values), next(values)

def raised():
    yield 1
    raise StopIteration

def caught():
    try:
        yield next(iter([]))
    except StopIteration:
        yield "own"

def by_method(it):
    yield it.next()

def of_others():
    raise StopIteration
'''


class OldIterator:
    def next(self) -> None:
        raise StopIteration


@pytest.fixture(scope="module")
def space() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(with_old_generators(ast.parse(TEXT)), "program", "exec"), names)  # noqa: S102  # the subject
    return names


def test_a_generator_ends(space: dict[str, Any]) -> None:
    assert list(space["taken"]([1, 2, 3, 4, 5])) == [(1, 2), (3, 4)]
    assert space["taken"].__doc__ == "Two of them."
    assert list(space["raised"]()) == [1]
    assert list(space["by_method"](OldIterator())) == []


def test_what_the_program_catches_stays_its_own(space: dict[str, Any]) -> None:
    assert list(space["caught"]()) == ["own"]


def test_other_functions_raise_it(space: dict[str, Any]) -> None:
    with pytest.raises(StopIteration):
        space["of_others"]()


def test_without_this_it_is_an_error() -> None:
    names: dict[str, Any] = {}
    exec(compile(TEXT, "program", "exec"), names)  # noqa: S102  # the subject
    taken: Iterator[Any] = names["taken"]([1])
    with pytest.raises(RuntimeError):
        next(taken)
