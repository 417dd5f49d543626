"""Recognizes programs that are older than the named release, or newer than all releases of 1.x."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from codemods import symbols
from codemods.era import evidence
from codemods.errors import CodemodsError
from codemods.scopes import resolve
from codemods.source import decode, to_python3


def older_release(entry: Path) -> str | None:
    """Returns the first sign that the program was written for 0.x, or None.

    It looks at `entry` and the files beside it that `entry` imports. If one of them uses something that only 1.x has,
    the result is None.
    """
    older: list[str] = []
    newer: list[str] = []
    for path in (entry, *_imported(entry)):
        tree = _tree(path)
        signs = evidence(resolve(tree)) if tree is not None else ((), ())
        older += [f"{sign} of {path.name}" for sign in signs[0]]
        newer += signs[1]
    return older[0] if older and not newer else None


def _imported(entry: Path) -> Iterator[Path]:
    tree = _tree(entry)
    for node in tree.body if tree is not None else ():
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module else [alias.name for alias in node.names]
        for name in names:
            path = entry.resolve().parent / f"{name}.py"
            if path.is_file():
                yield path


def _tree(path: Path) -> ast.Module | None:
    try:
        return ast.parse(to_python3(decode(path.read_bytes(), path).text, str(path)))
    except (OSError, SyntaxError, CodemodsError):
        return None  # if the program imports this file, Python reports the error


def needs_tensorflow_2(error: BaseException) -> str:
    """Returns the advice for an error about a missing name of TensorFlow 2; "" for another error."""
    text = str(error)
    if not getattr(error, "of_tensorflow_2", False):
        path = getattr(getattr(error, "obj", None), "__name__", "").partition("tensorflow._api.v2.compat.v1.")[2]
        name = f"{path}.{getattr(error, 'name', '')}"
        if not path or symbols.lookup(name) is not None or not _is_of_tensorflow_2(name):
            return ""
        text = f"tf.{name} is a name of TensorFlow 2, which no release of 1.x had"
    return f"{text}; run the program with Python itself"


def _is_of_tensorflow_2(name: str) -> bool:
    value: object = sys.modules["tensorflow"]
    for part in name.split("."):
        value = getattr(value, part, None)
    return value is not None
