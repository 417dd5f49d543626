"""Which files a program imports that use TensorFlow, themselves or by files that they import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from codemods.native.importers import beside
from codemods.tree import walk


def files_of(path: str, modules: Mapping[str, tuple[frozenset[str], bool]]) -> dict[str, frozenset[str]]:
    """Returns the file and those that it takes statements from -> the modules that each takes them from.

    Args:
        path: The program.
        modules: File -> the last names of the modules it imports, and whether it uses TensorFlow.
    """
    files: dict[str, frozenset[str]] = {}
    todo = [path]
    while todo:
        file = todo.pop()
        if file in files:
            continue
        used = [other for other in _imported(file, modules) if _reaches(other, modules, {file})]
        files[file] = frozenset(PurePosixPath(other).stem for other in used)
        todo += used
    return files


def far_file(tree: ast.Module, path: str, others: Iterable[str]) -> tuple[ast.stmt, str] | None:
    """Returns the import of a file of another folder, and that file; None if there is none."""
    folder = PurePosixPath(path).parent
    for node in walk(tree):
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        for other in map(PurePosixPath, others):
            shown = rf"\b{re.escape(other.parent.name)}(\.| import .*\b){re.escape(other.stem)}\b"
            if other.parent != folder and other.parent.name and re.search(shown, ast.unparse(node)):
                return node, f"{other.parent.name}/{other.name}"
    return None


def _imported(path: str, modules: Mapping[str, tuple[frozenset[str], bool]]) -> list[str]:
    names = modules[path][0]
    return [other for other in beside(path, modules) if PurePosixPath(other).stem in names]


def _reaches(path: str, modules: Mapping[str, tuple[frozenset[str], bool]], seen: set[str]) -> bool:
    """Returns whether a file uses TensorFlow, itself or by files that it imports."""
    if modules[path][1]:
        return True
    return any(_reaches(other, modules, {*seen, path}) for other in _imported(path, modules) if other not in seen)
