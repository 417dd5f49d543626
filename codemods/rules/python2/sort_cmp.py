"""PY2006: comparison functions given to sort and sorted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on `sorted(xs, cmp=f)` and `xs.sort(cmp=f)`, also with the function by position."""
    place = _place(call, context)
    if place is not None:
        message = "Python 3 sorts only by keys; functools.cmp_to_key makes a key from a comparison function"
        yield Hit(call, message, rewrite=_rewriter(place), imports=("import functools",))


def _place(call: ast.Call, context: Context) -> int | str | None:
    """Returns the comparison function's place among the arguments, or "cmp"; None if the call has none."""
    function = call.func
    is_method = isinstance(function, ast.Attribute) and function.attr == "sort" and context.qualified(function) is None
    is_builtin = isinstance(function, ast.Name) and function.id == "sorted" and context.names.is_unbound(function)
    if not is_method and not is_builtin:
        return None
    if any(keyword.arg == "key" for keyword in call.keywords):
        return None
    if any(keyword.arg == "cmp" for keyword in call.keywords):
        return "cmp"
    place = 0 if is_method else 1
    return place if len(call.args) == place + 1 and _compares(call.args[place]) else None


def _compares(node: ast.expr) -> bool:
    """Returns whether the argument can only be a comparison function; xs.sort(1) of an array sorts along an axis."""
    if isinstance(node, ast.Lambda):
        return len(node.args.args) == 2
    return isinstance(node, ast.Name) and node.id == "cmp"


def _rewriter(place: int | str) -> Any:
    def apply(node: Any) -> Any:
        import libcst as cst

        if not isinstance(node, cst.Call):
            return node
        tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        arguments = list(node.args)
        for index, argument in enumerate(arguments):
            if place == (argument.keyword.value if argument.keyword else index):
                function = cst.parse_expression("functools.cmp_to_key")
                value = cst.Call(function, [cst.Arg(argument.value)])
                arguments[index] = argument.with_changes(keyword=cst.Name("key"), equal=tight, value=value)
        return node.with_changes(args=arguments)

    return apply


rule = Rule(
    code="PY2006",
    name="sort-cmp",
    summary="xs.sort(cmp=f) -> xs.sort(key=functools.cmp_to_key(f))",
    why="Python 3 removed the comparison functions of sort and sorted. functools.cmp_to_key makes a key from a "
    "comparison function. The order stays the same.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    find=find,
    examples=(
        Example("xs.sort(cmp=f)\n", "import functools\nxs.sort(key=functools.cmp_to_key(f))\n"),
        Example(
            "ys = sorted(xs, lambda a, b: a.n - b.n)\n",
            "import functools\nys = sorted(xs, key=functools.cmp_to_key(lambda a, b: a.n - b.n))\n",
        ),
        Example(
            "xs.sort(cmp=lambda a, b: b - a, reverse=True)\n",
            "import functools\nxs.sort(key=functools.cmp_to_key(lambda a, b: b - a), reverse=True)\n",
        ),
        Example("xs.sort(1)\nys = sorted(xs, key=lambda x: x[0])\n"),
        Example("import numpy as np\ny = np.sort(xs, f)\n"),
    ),
)
