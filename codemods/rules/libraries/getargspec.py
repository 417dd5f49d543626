"""LIB006: inspect.getargspec, which Python 3.11 removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.variables import variable_of

_OLD = "inspect.getargspec"
_SHARED = ("args", "varargs", "defaults")
_GONE = "inspect.getargspec was removed in Python 3.11"
_UNSEEN = f"{_GONE}; getfullargspec returns seven values instead of four"
_RENAMED = "getfullargspec calls the field keywords varkw"
_FOUR = "getfullargspec returns seven values; the first four are those of getargspec"


def find(node: ast.Call | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on each use, and on the code that reads the result; UNSAFE if not every reader is seen."""
    if isinstance(node, ast.ImportFrom):
        yield from _of_import(node, context)
    elif isinstance(node.func, ast.Attribute) and context.qualified(node.func) == _OLD:
        edits = _edits(node, context)
        text = f"{context.source(node.func.value)}.getfullargspec"
        message, safety = (_UNSEEN, Safety.UNSAFE) if edits is None else (_GONE, None)
        yield Hit(node.func, message, safety, rewrite=text, together=node)
        yield from edits or ()


def _of_import(node: ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields hits on `from inspect import getargspec` and on its uses; all are applied together or none."""
    alias = next((alias for alias in node.names if alias.name == "getargspec"), None)
    if node.module != "inspect" or node.level or alias is None:
        return
    bound = alias.asname or alias.name
    uses = [c for c in context.names.chains if isinstance(c, ast.Name) and c.id == bound]
    uses = [use for use in uses if context.qualified(use) == _OLD]
    if not uses or any(len(context.names.bindings(use)) > 1 for use in uses):
        return  # the program chooses between releases of Python itself
    edits = [_edits(call, context) if _is_call(call, use) else None for use in uses for call in [context.parent(use)]]
    kept = bound in context.project.taken.get(context.path, ())
    safety = Safety.UNSAFE if kept or None in edits else None
    new = ast.alias("getfullargspec", alias.asname)
    aliases = [new if other is alias else other for other in node.names]
    text = ast.unparse(ast.ImportFrom("inspect", aliases, 0))
    yield Hit(node, _UNSEEN if safety else _GONE, safety, rewrite=text, together=node)
    if alias.asname is None:
        for use in uses:
            yield Hit(use, _GONE, safety, rewrite="getfullargspec", alone=True, together=node, silent=True)
    for hits in edits:
        for hit in hits or ():
            yield Hit(hit.node, hit.message, safety, hit.rewrite, alone=True, together=node, silent=True)


def _is_call(node: ast.AST | None, function: ast.expr) -> bool:
    return isinstance(node, ast.Call) and node.func is function


def _edits(call: Any, context: Context) -> list[Hit] | None:
    """Returns the hits where the call's result is read; None if not every reader is seen."""
    parent = context.parent(call)
    name = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    if not isinstance(name, ast.Name):
        return _of_reader(call, call, context)
    variable = variable_of(name, context)
    if variable is None or not variable.private or not all(_is_old(value, context) for value in variable.values):
        return None
    edits = [_of_reader(read, call, context) for read in variable.reads]
    if any(edit is None for edit in edits):
        return None
    first = next(value for value in variable.values if isinstance(value, ast.Call))
    return [hit for edit in edits for hit in edit or ()] if call is first else []


def _is_old(value: ast.expr, context: Context) -> bool:
    """Returns whether a value is a result of getargspec, or None in its place."""
    if isinstance(value, ast.Constant):
        return value.value is None
    return isinstance(value, ast.Call) and context.qualified(value.func) == _OLD


def _of_reader(node: ast.expr, call: ast.Call, context: Context) -> list[Hit] | None:
    """Returns the hits around an expression with the result; None if the result goes where it is not seen."""
    parent = context.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr == "keywords":
        return [Hit(parent, _RENAMED, rewrite=_as_varkw, alone=True, together=call, silent=True)]
    if isinstance(parent, ast.Subscript):
        place = parent.slice
        number = _number(place)
        if number is not None and -4 <= number < 0:
            return [Hit(place, _FOUR, rewrite=str(number + 4), alone=True, together=call, silent=True)]
        return [] if _is_within_four(place) else None
    unpacked = isinstance(parent, ast.Assign) and all(isinstance(t, ast.Tuple | ast.List) for t in parent.targets)
    if unpacked or isinstance(parent, ast.Starred):
        return [Hit(node, _FOUR, rewrite=_first_four, alone=True, together=call, silent=True)]
    asked = isinstance(parent, ast.Compare) and all(isinstance(op, ast.Is | ast.IsNot) for op in parent.ops)
    shared = isinstance(parent, ast.Attribute) and parent.attr in _SHARED
    return [] if shared or (asked and node is not call) else None


def _number(node: ast.expr | None) -> int | None:
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return value if type(value) is int else None


def _is_within_four(place: ast.expr) -> bool:
    """Returns whether an index or a slice takes only from the first four fields."""
    number = _number(place.upper if isinstance(place, ast.Slice) else place)
    if isinstance(place, ast.Slice):
        lower = 0 if place.lower is None else _number(place.lower)
        return lower is not None and number is not None and lower >= 0 and 0 <= number <= 4 and place.step is None
    return number is not None and 0 <= number < 4


def _as_varkw(node: Any) -> Any:
    import libcst as cst

    return node.with_changes(attr=cst.Name("varkw"))


def _first_four(node: Any) -> Any:
    import libcst as cst

    return cst.Subscript(node, [cst.SubscriptElement(cst.Slice(None, cst.Integer("4")))])


_I = "import inspect\n"

rule = Rule(
    code="LIB006",
    name="getargspec",
    summary="inspect.getargspec(f).keywords -> inspect.getfullargspec(f).varkw",
    why="Python 3.11 removed getargspec. getfullargspec returns the same first four fields and three more, and calls "
    "`keywords` `varkw`. So its result cannot be unpacked into four, but its first four fields can. If the result "
    "goes where codemods does not see it, such as to another function, the change is UNSAFE.",
    safety=Safety.SAFE,
    on=(ast.Call, ast.ImportFrom),
    packages=("inspect",),
    find=find,
    examples=(
        Example(f"{_I}n = inspect.getargspec(f).args\n", f"{_I}n = inspect.getfullargspec(f).args\n"),
        Example(f"{_I}n = inspect.getargspec(f).keywords\n", f"{_I}n = inspect.getfullargspec(f).varkw\n"),
        Example(f"{_I}n = inspect.getargspec(f)[0]\n", f"{_I}n = inspect.getfullargspec(f)[0]\n"),
        Example(f"{_I}n = inspect.getargspec(f)[3]\n", f"{_I}n = inspect.getfullargspec(f)[3]\n"),
        Example(f"{_I}n = inspect.getargspec(f)[-1]\n", f"{_I}n = inspect.getfullargspec(f)[3]\n"),
        Example(f"{_I}n, m = inspect.getargspec(f)[:2]\n", f"{_I}n, m = inspect.getfullargspec(f)[:2]\n"),
        Example(f"{_I}a, b, c, d = inspect.getargspec(f)\n", f"{_I}a, b, c, d = inspect.getfullargspec(f)[:4]\n"),
        Example(f"{_I}use(*inspect.getargspec(f))\n", f"{_I}use(*inspect.getfullargspec(f)[:4])\n"),
        Example(
            f"{_I}def names(f):\n    a = inspect.getargspec(f)\n    if a.keywords or a[2]:\n        return None\n"
            "    return [n for n in a.args if a.defaults and a.varargs.strip()]\n",
            f"{_I}def names(f):\n    a = inspect.getfullargspec(f)\n    if a.varkw or a[2]:\n        return None\n"
            "    return [n for n in a.args if a.defaults and a.varargs.strip()]\n",
        ),
        Example(
            f"{_I}a = None\nif g:\n    a = inspect.getargspec(g)\nelse:\n    a = inspect.getargspec(h)\n"
            "b, c, d, e = a\nif a is not None:\n    print(a.keywords)\n",
            f"{_I}a = None\nif g:\n    a = inspect.getfullargspec(g)\nelse:\n    a = inspect.getfullargspec(h)\n"
            "b, c, d, e = a[:4]\nif a is not None:\n    print(a.varkw)\n",
        ),
        Example(
            "from inspect import getargspec, isclass\na = getargspec(f)\nn = a.keywords\n",
            "from inspect import getfullargspec, isclass\na = getfullargspec(f)\nn = a.varkw\n",
        ),
        Example(
            "from inspect import getargspec as spec\na, b, c, d = spec(f)\n",
            "from inspect import getfullargspec as spec\na, b, c, d = spec(f)[:4]\n",
        ),
        Example("from inspect import getargspec\nn = getargspec(f).args\nuse(getargspec(g))\n", reported=True),
        Example(f"{_I}a = inspect.getargspec(f)\nuse(a)\n", reported=True),
        Example(f"{_I}class A:\n    a = inspect.getargspec(f)\n    n = a.args\n", reported=True),
        Example(
            f"{_I}a = inspect.getargspec(f)\nn = a.args\n",
            reported=True,
            files=(("other.py", "import train\nuse(train.a)\n"),),
        ),
        Example(f"{_I}def spec(f):\n    return inspect.getargspec(f)\n", reported=True),
        Example(
            "try:\n    from inspect import getfullargspec as spec\nexcept ImportError:\n"
            "    from inspect import getargspec as spec\na = spec(f)\nn = a.args\n"
        ),
        Example(f"{_I}n = inspect.signature(f)\n"),
    ),
)
