"""What is known of a program before and after it is rewritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from codemods.native.choices import KerasChoice
from codemods.native.facts import Facts
from codemods.native.native_map import Call, Dropped, Variable


@dataclass(frozen=True)
class Native:
    """A file without sessions.

    Attributes:
        text: The new text.
        calls: What each call of a session became.
        dropped: The calls that became nothing.
        variables: The variables that have another name now.
        files: The names of files that the program needs beside it; `codemods/native/files` has their texts.
        notes: (line of the legacy file, what TensorFlow 1 left open), for a person to read.
        taken: The other files that statements are from.
        decided: (line, what a trace decided).
        unproven: (line of a call, why a trace does not prove it).
        shown: (line of a print that is a comment now, why).
        choices: What is taken of Keras, and what is not.
        package: The files of a model that is made from the recorded graph: path beside the program -> content.
        of_graph: (line, why the model is made from the recorded graph).
    """

    text: str
    calls: tuple[Call, ...]
    dropped: tuple[Dropped, ...]
    variables: tuple[Variable, ...] = ()
    files: tuple[str, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    taken: tuple[str, ...] = ()
    decided: tuple[tuple[int, str], ...] = ()
    unproven: tuple[tuple[int, str], ...] = ()
    shown: tuple[tuple[int, str], ...] = ()
    choices: tuple[KerasChoice, ...] = ()
    package: Mapping[str, bytes] = field(default_factory=dict)
    of_graph: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Program:
    """What is known of a program beside its text: the parameters of `rewrite`, and what it builds.

    Attributes:
        of_several: Whether it builds several graphs, or parts of one.
        scoped: The classes whose objects have a scope each.
        has_hooks: Whether it had managed sessions, whose hooks may have fetched more.
    """

    module: str
    line: Callable[[int], int]
    file: Callable[[int], str]
    facts: Facts | None
    is_idiomatic: bool
    unbound: frozenset[str]
    of_several: bool = False
    scoped: frozenset[str] = frozenset()
    has_hooks: bool = False

    def moved(self, origin: Callable[[int], int]) -> Program:
        """Returns the same for a text whose lines were at other numbers."""
        return replace(self, line=lambda number: self.line(origin(number)), file=lambda n: self.file(origin(n)))


def united(text: str, made: Sequence[Native]) -> Native:
    """Returns the text of a file with what is known of its parts."""
    rows: dict[str, Any] = {
        field.name: tuple(dict.fromkeys(row for part in made for row in getattr(part, field.name)))
        for field in fields(Native)
        if field.name not in ("text", "package")
    }
    package = {path: content for part in made for path, content in part.package.items()}
    return Native(text, package=package, **rows)
