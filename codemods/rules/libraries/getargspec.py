"""LIB006: inspect.getargspec."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_SHARED = ("args", "varargs", "defaults")


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """A hit on a call whose result is used in a way both functions allow; a finding otherwise."""
    if context.qualified(call.func) != "inspect.getargspec" or not isinstance(call.func, ast.Attribute):
        return
    parent = context.parent(call)
    by_name = isinstance(parent, ast.Attribute) and parent.attr in _SHARED
    by_place = (
        isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant) and parent.slice.value in (0, 1)
    )
    text = f"{context.source(call.func.value)}.getfullargspec"
    if by_name or by_place:
        yield Hit(call.func, "inspect.getargspec was removed in Python 3.11", rewrite=text)
    else:
        message = "inspect.getargspec was removed in Python 3.11; getfullargspec returns seven values instead of four"
        yield Hit(call.func, message, Safety.UNSAFE, rewrite=text)


rule = Rule(
    code="LIB006",
    name="getargspec",
    summary="inspect.getargspec(f).args -> inspect.getfullargspec(f).args",
    why="getargspec is gone since Python 3.11. getfullargspec has the same first fields, calls `keywords` `varkw`, and "
    "cannot be unpacked into four; where the use is not plain to see, the change is UNSAFE.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("inspect",),
    find=find,
    examples=(
        Example(
            "import inspect\nn = inspect.getargspec(f).args\n", "import inspect\nn = inspect.getfullargspec(f).args\n"
        ),
        Example("import inspect\nn = inspect.getargspec(f)[0]\n", "import inspect\nn = inspect.getfullargspec(f)[0]\n"),
        Example("import inspect\na, b, c, d = inspect.getargspec(f)\n", reported=True),
        Example("import inspect\nn = inspect.signature(f)\n"),
    ),
)
