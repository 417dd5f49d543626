"""Error classes have one place for each part, and names that say what they are."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
ROOTS = ("BridgeError", "CodemodsError")
"""The base of each package's user errors, in its `errors.py`."""
PLACES = ("errors.py", "refusals.py")
GENUINE = ("DistributionNotFound", "VersionConflict")
"""Names of pkg_resources, which legacy programs catch."""
NO_EXCEPTION = ("Expired",)
"""A BaseException, so that `except Exception` in a rule does not catch it."""


class ErrorClass(NamedTuple):
    """A class: its name, the name of its file below the repository's root, and the names of its bases."""

    name: str
    place: str
    bases: tuple[str, ...]


@functools.cache
def classes() -> tuple[ErrorClass, ...]:
    """Returns all classes of both packages."""
    return tuple(
        ErrorClass(node.name, path.relative_to(ROOT).as_posix(), tuple(ast.unparse(base) for base in node.bases))
        for package in ("codemods", "tf2bridge")
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )


def below(roots: frozenset[str]) -> Iterator[ErrorClass]:
    """Yields the classes that derive from a class with one of these names, or from a class of TensorFlow's errors."""
    names = set(roots)
    while True:
        derived = [
            item
            for item in classes()
            if any(base.rpartition(".")[2] in names or ".errors." in base for base in item.bases)
        ]
        if {item.name for item in derived} <= names:
            yield from derived
            return
        names |= {item.name for item in derived}


def exceptions() -> frozenset[str]:
    """Returns the names of Python's own exceptions and warnings."""
    return frozenset(name for name, value in vars(builtins).items() if _is_exception(value))


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def test_user_errors_and_warnings_stand_in_the_refusals_of_their_part() -> None:
    user_errors = {*below(frozenset(ROOTS)), *below(frozenset(["Warning", "UserWarning"]))}
    elsewhere = [f"{item.place}: {item.name}" for item in user_errors if not item.place.endswith(PLACES)]
    assert elsewhere == []


def test_there_is_one_errors_file_in_each_package() -> None:
    places = {item.place for item in below(frozenset(ROOTS)) if item.place.endswith("errors.py")}
    assert places == {"codemods/errors.py", "tf2bridge/errors.py"}


def test_names_end_in_error_or_warning() -> None:
    named = {item.name for item in below(exceptions())} - {*GENUINE, *NO_EXCEPTION}
    assert {name for name in named if not name.endswith(("Error", "Warning"))} == set()
