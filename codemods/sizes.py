"""Finds sizes that are quotients: 1.x accepts 50.0 in a shape, TensorFlow 2 accepts only integers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.names import Names

_COUNTS = frozenset(("units", "num_units", "num_outputs", "filters"))
_SHAPED = frozenset(("placeholder", "get_variable", "set_shape", "TensorShape", "sparse_placeholder"))


def have_quotients(names: Names) -> bool:
    """Returns whether a file uses / in the size of a layer or a shape."""
    calls = names.nodes.get(ast.Call, [])
    return any(_has_quotient(size) for call in calls if isinstance(call, ast.Call) for size in _sizes(call))


def _sizes(call: ast.Call) -> Iterator[ast.expr]:
    """Yields the arguments that are sizes: numbers with a keyword of sizes, and literal shapes."""
    function = getattr(call.func, "attr", getattr(call.func, "id", ""))
    shapes = [*(call.args if function in _SHAPED else ())]
    for keyword in call.keywords:
        if keyword.arg in _COUNTS:
            yield keyword.value
        elif keyword.arg == "shape":
            shapes.append(keyword.value)
    for shape in shapes:
        if isinstance(shape, ast.List | ast.Tuple):
            yield from shape.elts


def _has_quotient(size: ast.expr) -> bool:
    """Returns whether a size is a quotient, or a sum or product with one. Results of functions do not count."""
    if isinstance(size, ast.UnaryOp):
        return _has_quotient(size.operand)
    if not isinstance(size, ast.BinOp):
        return False
    return isinstance(size.op, ast.Div) or _has_quotient(size.left) or _has_quotient(size.right)
