"""LIB016: calls of h5py.File without a mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on h5py.File(path), which opens for reading only since h5py 3.0."""
    if context.qualified(call.func) != "h5py.File" or len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        return
    if any(keyword.arg in (None, "mode") for keyword in call.keywords):
        return
    message = (
        "without a mode, h5py.File opened for writing before 3.0, and opens for reading now; the old default was 'a'"
    )
    yield Hit(call, message, rewrite=_append)


def _append(node: Any) -> Any:
    import libcst as cst

    if not isinstance(node, cst.Call) or not node.args:
        return node
    space = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    first = node.args[0].with_changes(comma=space)
    rest = node.args[1:]
    mode = cst.Arg(cst.SimpleString("'a'"), comma=space if rest else cst.MaybeSentinel.DEFAULT)
    return node.with_changes(args=[first, mode, *rest])


rule = Rule(
    code="LIB016",
    name="h5py-mode",
    summary="h5py.File(path) -> h5py.File(path, 'a')",
    why="h5py 3.0 made reading the default mode (its release notes). That is right for a program that only reads, so "
    "the old mode is written only with --unsafe-fixes.",
    safety=Safety.UNSAFE,
    on=(ast.Call,),
    packages=("h5py",),
    find=find,
    examples=(
        Example("import h5py\nf = h5py.File(path)\n", "import h5py\nf = h5py.File(path, 'a')\n", unsafe_fixes=True),
        Example("import h5py\nf = h5py.File(name)\n", reported=True),
        Example("import h5py\nf = h5py.File(path, 'r')\n"),
    ),
)
