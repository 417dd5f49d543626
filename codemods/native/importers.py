"""Files that import a native file: they must have no part of TensorFlow 1 themselves, and switch no graph mode on."""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.native.module_files import PACKAGES, Place, SearchPath, Tree
from codemods.native.search_paths import stated_folders
from codemods.native.source_text import SourceText

_SWITCHES = ("tensorflow.compat.v1.disable_v2_behavior", "tf2bridge.v1.enable", "tf2bridge.v0.enable")


class Importers:
    """Which files of a tree import others, whichever program they run in.

    Args:
        tree: The tree.
    """

    def __init__(self, tree: Tree) -> None:
        self._files: dict[str, list[str]] = {}
        for path in sorted(tree.files):
            search = SearchPath(tree, path, _stated(tree.text(path) or "", path))
            place = Place(path, "")
            targets = {t.path for statement in tree.contents(path).imports for t in search.targets(place, statement)}
            for target in targets - {path}:
                self._files.setdefault(target, []).append(path)

    def of(self, path: str) -> list[str]:
        """Returns the files that import a file."""
        return self._files.get(path, [])


def _stated(text: str, path: str) -> tuple[str, ...]:
    """Returns the folders that a file puts into `sys.path`."""
    try:
        return stated_folders(ast.parse(text), path) if "sys.path" in text else ()
    except (SyntaxError, ValueError, RecursionError):
        return ()


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
        if qualified.split(".")[0] not in PACKAGES:
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
    return isinstance(node, ast.Import) and all(alias.name.split(".")[0] in PACKAGES for alias in node.names)
