"""Whether a program looks older than the release it is run as, or newer than any release of 1.x."""

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
    """What tells that the program was written for 0.x, the first of it; None if nothing does.

    Looked at are `entry` and the files beside it that it imports; what only 1.x has counts against it.
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
        return None  # if the program ever imports it, it will say so


def needs_tensorflow_2(error: BaseException) -> str:
    """What to tell of an error that the lack of a name of TensorFlow 2 raised; "" for another error."""
    told = str(error)
    if not getattr(error, "of_tensorflow_2", False):
        path = getattr(getattr(error, "obj", None), "__name__", "").partition("tensorflow._api.v2.compat.v1.")[2]
        name = f"{path}.{getattr(error, 'name', '')}"
        if not path or symbols.lookup(name) is not None or not _is_of_tensorflow_2(name):
            return ""
        told = f"tf.{name} is a name of TensorFlow 2, which no release of 1.x had"
    return f"{told}; run the program with Python itself"


def _is_of_tensorflow_2(name: str) -> bool:
    found: object = sys.modules["tensorflow"]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None
