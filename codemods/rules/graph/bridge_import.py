"""TFG002: imports of TensorFlow become imports of tf2bridge.v1, with --target bridge."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

# Private and example modules are not part of the namespace; other rules rewrite their imports.
_ELSEWHERE = ("tensorflow.python", "tensorflow.models", "tensorflow.examples", "tensorflow.core", "tensorflow.compat")


def find(node: ast.Import | ast.ImportFrom, context: Context) -> Iterator[Hit]:  # noqa: ARG001
    """Yields a hit on each statement that imports TensorFlow."""
    new = _import(node) if isinstance(node, ast.Import) else _import_from(node)
    if new is not None:
        yield Hit(node, "with --target bridge, the name is the namespace of TensorFlow 1 on TensorFlow 2", rewrite=new)


def _import(node: ast.Import) -> str | None:
    """Returns `import a, b as c` with one import a line; None if none of them changes."""
    if not any(_ours(alias.name) for alias in node.names):
        return None
    lines: list[str] = []
    for alias in node.names:
        lines += _lines(alias) if _ours(alias.name) else [ast.unparse(ast.Import([alias]))]
    return "\n".join(lines)


def _lines(alias: ast.alias) -> list[str]:
    rest = alias.name.partition(".")[2]
    if not rest:
        return [f"from tf2bridge import v1 as {alias.asname or 'tensorflow'}"]
    if alias.asname:
        return [f"import tf2bridge.v1.{rest} as {alias.asname}"]
    return ["from tf2bridge import v1 as tensorflow", f"import tf2bridge.v1.{rest}"]


def _import_from(node: ast.ImportFrom) -> str | None:
    if node.level or not node.module or not _ours(node.module):
        return None
    rest = node.module.partition(".")[2]
    new = ast.ImportFrom(f"tf2bridge.v1.{rest}" if rest else "tf2bridge.v1", node.names, 0)
    return ast.unparse(new)


def _ours(name: str) -> bool:
    inside = name == "tensorflow" or name.startswith("tensorflow.")
    return inside and not any(name == module or name.startswith(module + ".") for module in _ELSEWHERE)


rule = Rule(
    code="TFG002",
    name="bridge-import",
    summary="import tensorflow as tf -> from tf2bridge import v1 as tf",
    why="The bridge target leaves the body of a program as it is, and gives it the namespace of TensorFlow 1.",
    safety=Safety.SAFE,
    on=(ast.Import, ast.ImportFrom),
    find=find,
    targets=("bridge",),
    examples=(
        Example("import tensorflow as tf\n", "from tf2bridge import v1 as tf\n", target="bridge"),
        Example("import os, tensorflow as tf\n", "import os\nfrom tf2bridge import v1 as tf\n", target="bridge"),
        Example("from tensorflow.contrib import slim\n", "from tf2bridge.v1.contrib import slim\n", target="bridge"),
        Example(
            "import tensorflow.contrib.slim as slim\n", "import tf2bridge.v1.contrib.slim as slim\n", target="bridge"
        ),
        Example("import tensorflow as tf\n"),
    ),
)
