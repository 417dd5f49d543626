"""Files that import a native file: they must have no part of TensorFlow 1 themselves, and switch no graph mode on."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from codemods import scopes
from codemods.native.source_text import SourceText
from codemods.tree import walk

_SWITCHES = ("tensorflow.compat.v1.disable_v2_behavior", "tf2bridge.v1.enable", "tf2bridge.v0.enable")
_PACKAGES = ("tensorflow", "tf2bridge")


def modules_of(text: str) -> tuple[frozenset[str], bool]:
    """Returns the last names of the modules that a text imports, and whether TensorFlow is among them."""
    tree = ast.parse(text)
    listed: set[str] = set()
    uses = False
    for node in walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            listed |= {name.rpartition(".")[2] for name in (*names, module)}
            uses = uses or any(name.split(".")[0] in _PACKAGES for name in (*names, module))
    return frozenset(listed), uses


def beside(path: str, files: Iterable[str]) -> list[str]:
    """Returns the files in the folder of a file, without the file itself."""
    folder = PurePosixPath(path).parent
    return [other for other in files if other != path and PurePosixPath(other).parent == folder]


def importers_of(path: str, modules: Mapping[str, frozenset[str]]) -> list[str]:
    """Returns the files beside a file that import it."""
    stem = PurePosixPath(path).stem
    return [other for other in beside(path, modules) if stem in modules[other]]


def without_switch(text: str, legacy: str) -> str | None:
    """Returns a text without the line that switches graph mode on; None if it has more of TensorFlow 1.

    Args:
        text: The text as the compat target makes it.
        legacy: The text before. An import of TensorFlow that it has stays.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    switches: list[ast.stmt] = []
    for chain in names.chains:
        qualified = names.qualified(chain) or ""
        if qualified.split(".")[0] not in _PACKAGES:
            continue
        statement = _statement(tree, chain)
        if qualified not in _SWITCHES or statement is None:
            return None
        switches.append(statement)
    added = [] if "tensorflow" in legacy else [node for node in tree.body if _imports_tensorflow(node)]
    for statement in (*switches, *added):
        source.delete(source.lines_of(statement))
    return source.result()


def _statement(tree: ast.Module, chain: ast.AST) -> ast.stmt | None:
    """Returns the statement of the module that is a call of a name and nothing else."""
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.func is chain:
            return node
    return None


def _imports_tensorflow(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and all(alias.name.split(".")[0] in _PACKAGES for alias in node.names)
