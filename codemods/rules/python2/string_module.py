"""PY2003: names of the module string that Python 3 has elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

_RENAMED = {"letters": "ascii_letters", "lowercase": "ascii_lowercase", "uppercase": "ascii_uppercase"}
_BUILTINS = {"maketrans": "str.maketrans", "atoi": "int", "atof": "float", "atol": "int"}
_METHODS = frozenset(
    ["join", "split", "replace", "strip", "lstrip", "rstrip", "lower", "upper", "find", "rfind", "count", "zfill"]
)


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """A hit on constants and functions; a finding on what became methods."""
    head, _, last = (context.qualified(node) or "").rpartition(".")
    if head != "string":
        return
    message = f"Python 3 has no string.{last}"
    if last in _RENAMED and isinstance(node, ast.Attribute):
        yield Hit(node, message, rewrite=f"{context.source(node.value)}.{_RENAMED[last]}")
    elif last in _BUILTINS and isinstance(node, ast.Attribute):
        yield Hit(node, message, rewrite=_BUILTINS[last])
    elif last in _METHODS:
        yield Hit(node, f"{message}; it is a method of the string", Safety.MANUAL, todo=True)


rule = Rule(
    code="PY2003",
    name="string-module",
    summary="string.letters -> string.ascii_letters, string.maketrans -> str.maketrans",
    why="Python 3 kept the constants that do not depend on the locale, and made the functions methods.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("string",),
    find=find,
    examples=(
        Example("import string\nx = string.letters\n", "import string\nx = string.ascii_letters\n"),
        Example("import string\nx = string.maketrans('a', 'b')\n", "import string\nx = str.maketrans('a', 'b')\n"),
        Example(
            "import string\nx = string.join(xs, '')\n",
            "import string\n# TODO(codemods PY2003): Python 3 has no string.join; it is a method of the string\n"
            "x = string.join(xs, '')\n",
        ),
        Example("import string\nx = string.ascii_letters + string.digits\n"),
    ),
)
