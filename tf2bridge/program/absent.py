"""Absent names that a program imports: they fail when the program uses them.

from tensorflow.python.framework.ops import set_shapes_for_outputs     # binds a stand-in
try:
    from tensorflow.contrib import ffmpeg                              # ImportError: the program handles it
except ImportError:
    ffmpeg = None
"""

from __future__ import annotations

import ast
import dis
import functools
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

from codemods.parsing import parse
from tf2bridge.v1.refusals import Unavailable, UnavailableNameError

_CAUGHT = frozenset(("Exception", "BaseException", "ImportError", "ModuleNotFoundError", "AttributeError"))


@dataclass(frozen=True)
class Statements:
    """The lines of a file with import statements that get special treatment for a missing name.

    Attributes:
        guarded: Lines in a `try` that catches the error.
        renamed: Lines of `import module as name`.
    """

    guarded: frozenset[int]
    renamed: frozenset[int]


def is_statement(frame: FrameType) -> bool:
    """Returns whether `frame` is at an import statement. A call of `__import__` may ask for names that do not exist."""
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_NAME"]


def is_guarded(frame: FrameType) -> bool:
    """Returns whether the import statement at `frame` is in a `try` that catches its error."""
    return frame.f_lineno in _statements(frame.f_code.co_filename).guarded


def is_renamed(frame: FrameType) -> bool:
    """Returns whether the statement at `frame` is `import module as name`."""
    return frame.f_lineno in _statements(frame.f_code.co_filename).renamed


class Partial(ModuleType):
    """A module with some names absent, for an import statement. It has stand-ins for absent names."""

    def __init__(self, module: Any, dotted: str, remaining: tuple[str, ...] = ()) -> None:
        """`dotted` is the module's TF1 name; `remaining` are the parts a, b of `import module.a.b as name`."""
        super().__init__(f"tensorflow.{dotted}".rstrip("."))
        self.__dict__.update(_module=module, _dotted=dotted, _remaining=remaining)

    def __getattr__(self, name: str) -> Any:
        dotted = f"{self._dotted}.{name}".lstrip(".")
        try:
            meant = getattr(self._module, name)
        except UnavailableNameError:
            if name.startswith("__"):
                raise
            meant = Unavailable(dotted)
        if self._remaining[:1] == (name,) and len(self._remaining) > 1:
            return Partial(meant, dotted, self._remaining[1:])
        return meant


@functools.cache
def _statements(file: str) -> Statements:
    """Returns the statements of a file of the program; none for an unreadable file, such as `<stdin>`."""
    try:
        tree = parse("".join(linecache.getlines(file)))  # converted if it was Python 2
    except SyntaxError:
        return Statements(frozenset(), frozenset())
    guarded = {
        inner.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and _catches(node)
        for statement in node.body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.stmt)
    }
    return Statements(frozenset(guarded), frozenset(_renamed(tree)))


def _catches(node: ast.Try) -> bool:
    kinds = [ast.walk(handler.type) if handler.type else None for handler in node.handlers]
    return any(
        kind is None or any(isinstance(part, ast.Name) and part.id in _CAUGHT for part in kind) for kind in kinds
    )


def _renamed(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.asname for alias in node.names):
            yield node.lineno
