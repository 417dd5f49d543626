"""LIB004: calls of yaml.load without a Loader, an error since PyYAML 6."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.calls import with_keyword
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on yaml.load with only the stream."""
    name = context.qualified(call.func)
    if name not in ("yaml.load", "yaml.load_all") or len(call.args) != 1 or call.keywords:
        return
    last = name.rpartition(".")[2]
    safe = f"safe_{last}"
    message = (
        f"PyYAML 6 requires a Loader; yaml.{safe} reads plain data, but not the Python objects that yaml.{last} "
        "once made"
    )

    def apply(node: Any) -> Any:
        import libcst as cst

        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            return node.with_changes(func=node.func.with_changes(attr=cst.Name(safe)))
        return node

    by_module = isinstance(call.func, ast.Attribute)
    if by_module:
        yield Hit(call, message, rewrite=apply)
    else:
        yield Hit(call, message, rewrite=with_keyword("Loader", "yaml.SafeLoader"), imports=("import yaml",))


rule = Rule(
    code="LIB004",
    name="yaml-loader",
    summary="yaml.load(f) -> yaml.safe_load(f)",
    why="Without a Loader, yaml.load once built any Python object that a file asked for. Since PyYAML 6 it raises an "
    "error. safe_load reads everything except such objects, and raises an error if a file contains one. So the call "
    "returns what it once returned, or fails as it does today.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("yaml",),
    find=find,
    examples=(
        Example(
            "import yaml\nc = yaml.load(open(path))\n",
            "import yaml\nc = yaml.safe_load(open(path))\n",
        ),
        Example(
            "from yaml import load\nd = load(f)\n",
            "import yaml\nfrom yaml import load\nd = load(f, Loader=yaml.SafeLoader)\n",
        ),
        Example("import yaml\nc = yaml.load(f, Loader=yaml.FullLoader)\n"),
        Example("import json\nc = json.load(f)\n"),
    ),
)
