"""The files that a native program needs beside it, and their names."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path, PurePosixPath

from codemods.native.refusals import NotNativeError
from codemods.native.rewritten import Native
from codemods.native.source_text import SourceText
from codemods.tree import walk

_FILES = Path(__file__).parent / "files"
_BRIDGE = Path(__file__).parents[2] / "tf2bridge"
_SECOND_NAMES = {
    "input_data.py": "mnist_data.py",
    "old_images.py": "scipy_images.py",
    "vocabularies.py": "word_vocabularies.py",
}
"""File that a program needs beside it -> its name where the author has another file of the first name."""
OF_BRIDGE = ("old_images",)
"""Modules of tf2bridge that need nothing else of it, so that a copy can stand beside a program."""


def with_free_places(native: Native, path: str, text: str) -> Native:
    """Returns a program whose files replace none of the author's: one of them gets its second name then.

    Raises:
        NotNativeError: The author has a file of both names, or imports it.
    """
    for name in native.files:
        if _is_free(path, name):
            continue
        new = _SECOND_NAMES[name]
        old_module, module = PurePosixPath(name).stem, PurePosixPath(new).stem
        tree = ast.parse(text)
        imported = {alias.name for node in walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in walk(tree) if isinstance(node, ast.ImportFrom)}
        if not _is_free(path, new) or old_module in imported:
            message = f"the native program needs {name} beside it, where the author's own {name} stands; rename that"
            raise NotNativeError(tree, "NAT008", message)
        files = tuple(new if other == name else other for other in native.files)
        native = replace(native, text=_imported_from(native.text, old_module, module), files=files)
    return native


def _is_free(path: str, name: str) -> bool:
    place = Path(path).with_name(name)
    return not place.exists() or place.read_bytes() == content_of(name)


def _imported_from(text: str, old: str, new: str) -> str:
    """Returns a text that imports another module under the same names."""
    tree = ast.parse(text)
    source = SourceText(text, tree)
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == old:
            start = source.span(node)[0] + len("from ")
            source.replace((start, start + len(old)), new)
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name == old:
                source.replace(source.span(alias), f"{new} as {alias.asname or old}")
    return source.result()


def content_of(name: str) -> bytes:
    """Returns a file that a native program needs beside it, by either of its names."""
    first = next((first for first, second in _SECOND_NAMES.items() if second == name), name)
    if first.removesuffix(".py") in OF_BRIDGE:
        return (_BRIDGE / first).read_bytes()
    return (_FILES / first).with_suffix(".txt").read_bytes()
