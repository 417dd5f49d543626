"""Every error is one line of plain text, whatever names and texts of files it quotes."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import codemods
import tf2bridge
from codemods.errors import CodemodsError
from tf2bridge.errors import BridgeError

FORGED = "a\x1b[2Jb\n::error::c\u202ed"
"""What clears a terminal, begins a line of its own, and reverses what follows."""
_OF: dict[str, Any] = {
    **dict.fromkeys(("str", "object", "str | None", "Path | str", "Path | str | os.PathLike[str]"), FORGED),
    **dict.fromkeys(("Sequence[str]", "Iterable[str]", "list[str]", "Collection[str]"), (FORGED,)),
    **dict.fromkeys(("tuple[str, ...]", "Collection[str] | None"), (FORGED,)),
    **dict.fromkeys(("int", "int | None", "float"), 3),
    **dict.fromkeys(("list[int]", "tuple[int, ...]", "Sequence[int]"), (3,)),
    **dict.fromkeys(("BaseException", "Exception"), ValueError(FORGED)),
    "Path": Path(FORGED),
    "Sequence[Path]": [Path(FORGED)],
    "Sequence[Sequence[str]]": [[FORGED]],
    "Sequence[tuple[int, str]]": [(3, FORGED)],
    "Sequence[tuple[str, Sequence[str]]]": [(FORGED, [FORGED])],
    **dict.fromkeys(("ast.AST", "ast.stmt | None"), ast.Pass()),
    "Any": FORGED,
}
"""The annotation of a parameter -> what a test gives for it."""


def _errors() -> list[type[Exception]]:
    for package in (tf2bridge, codemods):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith(("refusals", ".errors")):
                importlib.import_module(module.name)
    return sorted({*_below(BridgeError), *_below(CodemodsError)}, key=str)


def _below(base: type[Exception]) -> Iterator[type[Exception]]:
    for item in base.__subclasses__():
        yield item
        yield from _below(item)


@pytest.mark.parametrize("error", _errors(), ids=lambda error: f"{error.__module__}.{error.__qualname__}")
def test_what_an_error_quotes_is_plain_text_on_one_line(error: type[Exception]) -> None:
    wanted = list(inspect.signature(error.__init__).parameters.values())[1:]
    text = str(error(*(_OF[item.annotation] for item in wanted if item.kind is item.POSITIONAL_OR_KEYWORD)))
    assert text.isprintable(), text
