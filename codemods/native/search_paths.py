"""The folders that a program puts into `sys.path`, as far as its source says them."""

from __future__ import annotations

import ast
import posixpath

from codemods.tree import walk

_ADDING = ("sys.path.append", "sys.path.insert")
_KEEPING = frozenset(("abspath", "realpath", "normpath", "expanduser", "Path", "str"))


def stated_folders(tree: ast.Module, path: str) -> tuple[str, ...]:
    """Returns the folders that `sys.path.append(...)` and `sys.path.insert(0, ...)` name, as "../lib/" of the tree.

    Args:
        tree: The program.
        path: Its file. What is relative starts from its folder, in which it runs.
    """
    values = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    }
    folders: list[str] = []
    for node in walk(tree):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("sys.path.append", "sys.path.insert")
            and node.args
        ):
            stated = _folder(node.args[-1], path, values, 0)
            if stated is not None:
                folders.append("" if stated in ("", ".") else f"{posixpath.normpath(stated).rstrip('/')}/")
    return tuple(dict.fromkeys(folders))


def _folder(node: ast.expr, path: str, values: dict[str, ast.expr], depth: int) -> str | None:
    """Returns the path that an expression gives; None if the source does not say it."""
    here = posixpath.dirname(path)
    if depth > 20:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return posixpath.normpath(posixpath.join(here, node.value))
    if isinstance(node, ast.Name):
        if node.id == "__file__":
            return path
        return _folder(values[node.id], path, values, depth + 1) if node.id in values else None
    return _given(node, path, values, depth) if isinstance(node, ast.Call) and not node.keywords else None


def _given(call: ast.Call, path: str, values: dict[str, ast.expr], depth: int) -> str | None:
    """Returns the path that a function of `os.path` gives."""
    name = ast.unparse(call.func).rpartition(".")[2]
    if name == "getcwd":
        return posixpath.dirname(path)
    first = _folder(call.args[0], path, values, depth + 1) if call.args else None
    if first is None:
        return None
    if name == "dirname":
        return posixpath.dirname(first)
    if name in _KEEPING and len(call.args) == 1:
        return first
    parts = [_part(part) for part in call.args[1:]]
    is_known = name == "join" and None not in parts
    return posixpath.normpath(posixpath.join(first, *map(str, parts))) if is_known else None


def _part(node: ast.expr) -> str | None:
    """Returns a part of a path."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ".." if isinstance(node, ast.Attribute) and node.attr == "pardir" else None
