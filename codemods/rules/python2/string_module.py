"""PY2003: names of the module string that have another name or place in Python 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_python import STRING
from codemods.rule import Example, Hit, Rule, Safety, Use

_NEW = {name.removeprefix("string."): row.new for name, row in STRING.items()}
_RENAMED = {name: new.removeprefix("string.") for name, new in _NEW.items() if new.startswith("string.")}
_METHODS = frozenset(name for name, new in _NEW.items() if new == f"str.{name}" and name != "maketrans")
_BUILTINS = {name: new for name, new in _NEW.items() if new and name not in _METHODS | _RENAMED.keys()}
_JOINS = frozenset(["join", "joinfields"])
# These have other arguments today, or took values that are no strings.
_BY_HAND = frozenset(name for name, new in _NEW.items() if not new) - _JOINS


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on constants, functions and calls of new methods, and a finding on other uses of those functions."""
    head, _, last = (context.qualified(node) or "").rpartition(".")
    if head != "string":
        return
    message = f"Python 3 has no string.{last}"
    if last in _RENAMED and isinstance(node, ast.Attribute):
        yield Hit(node, message, rewrite=f"{context.source(node.value)}.{_RENAMED[last]}")
    elif last in _BUILTINS and isinstance(node, ast.Attribute):
        yield Hit(node, message, rewrite=_BUILTINS[last])
    elif last in _METHODS | _JOINS | _BY_HAND:
        message += "; it is a method of the string"
        call = context.parent(node)
        called = isinstance(call, ast.Call) and call.func is node
        written = _as_method(call, last, context) if called and isinstance(call, ast.Call) else None
        if written is not None and isinstance(call, ast.Call):
            yield Hit(call, message, rewrite=written)
        elif last in _METHODS and not called and isinstance(node, ast.Attribute):
            yield Hit(node, message, rewrite=f"str.{last}")
        else:
            yield Hit(node, message, Safety.MANUAL, todo=True)


def _as_method(call: ast.Call, name: str, context: Context) -> str | None:
    """Returns `string.split(text, ",")` as `text.split(",")`; None if it is not certain to be the same."""
    if not call.args or call.keywords or any(isinstance(value, ast.Starred) for value in call.args):
        return None
    texts = [context.source(value) for value in call.args]
    if name in _METHODS:
        return f"{_operand(call.args[0], texts[0])}.{name}({', '.join(texts[1:])})"
    if name not in _JOINS or len(texts) > 2:
        return None
    if len(texts) == 1:
        return f"' '.join({texts[0]})"
    # The separator is evaluated first now, so it must have no side effect.
    plain = isinstance(call.args[1], ast.Constant | ast.Name | ast.Attribute)
    return f"{_operand(call.args[1], texts[1])}.join({texts[0]})" if plain else None


def _operand(node: ast.expr, text: str) -> str:
    """Returns the text of an expression so that a method can be called on it, in brackets where needed."""
    alone = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant)
    number = isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes)
    return text if alone and not number and "\n" not in text else f"({text})"


rule = Rule(
    code="PY2003",
    name="string-module",
    summary="string.letters -> string.ascii_letters, string.join(words, sep) -> sep.join(words)",
    why="Python 3 kept the constants that do not depend on the locale, and made the functions methods of the string.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("string",),
    find=find,
    examples=(
        Example("import string\nx = string.letters\n", "import string\nx = string.ascii_letters\n"),
        Example("import string\nx = string.maketrans('a', 'b')\n", "import string\nx = str.maketrans('a', 'b')\n"),
        Example("import string\nx = string.join(xs, '')\n", "import string\nx = ''.join(xs)\n"),
        Example("import string\nx = string.split(a + b, ',', 1)\n", "import string\nx = (a + b).split(',', 1)\n"),
        Example("import string\nx = map(string.strip, xs)\n", "import string\nx = map(str.strip, xs)\n"),
        Example(
            "import string\nx = string.zfill(n, 4)\n",
            "import string\n# TODO(codemods PY2003): Python 3 has no string.zfill; it is a method of the string\n"
            "x = string.zfill(n, 4)\n",
        ),
        Example("import string\nx = string.ascii_letters + string.digits\n"),
    ),
)
