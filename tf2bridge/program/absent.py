"""Names that a program imports and that are not there: they fail where the program uses them.

from tensorflow.python.framework.ops import set_shapes_for_outputs     # binds a stand-in
try:
    from tensorflow.contrib import ffmpeg                              # ImportError: the program has an answer
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
    """The lines of a file on which import statements stand that answer for a missing name otherwise than by an error.

    guarded: they stand in a `try` that catches the error. renamed: they are `import module as name`.
    """

    guarded: frozenset[int]
    renamed: frozenset[int]


def is_statement(frame: FrameType) -> bool:
    """Whether `frame` is at an import statement; a call of `__import__` may ask for names that do not exist."""
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_NAME"]


def is_guarded(frame: FrameType) -> bool:
    """Whether the import statement that `frame` is at stands in a `try` that catches its error."""
    return frame.f_lineno in _statements(frame.f_code.co_filename).guarded


def is_renamed(frame: FrameType) -> bool:
    """Whether the statement that `frame` is at is `import module as name`."""
    return frame.f_lineno in _statements(frame.f_code.co_filename).renamed


class Partial(ModuleType):
    """What an import statement takes names from when some are absent: those are stand-ins, others are the module's."""

    def __init__(self, module: Any, dotted: str, way: tuple[str, ...] = ()) -> None:
        """`dotted` is the module's TF1 name; `way` is what follows in `import module.a.b as name`."""
        super().__init__(f"tensorflow.{dotted}".rstrip("."))
        self.__dict__.update(_module=module, _dotted=dotted, _way=way)

    def __getattr__(self, name: str) -> Any:
        dotted = f"{self._dotted}.{name}".lstrip(".")
        try:
            meant = getattr(self._module, name)
        except UnavailableNameError:
            if name.startswith("__"):
                raise
            meant = Unavailable(dotted)
        if self._way[:1] == (name,) and len(self._way) > 1:
            return Partial(meant, dotted, self._way[1:])
        return meant


@functools.cache
def _statements(file: str) -> Statements:
    """Those of a file of the program; none of a file that cannot be read, such as `<stdin>`."""
    try:
        tree = parse("".join(linecache.getlines(file)))  # converted, where it was Python 2
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
