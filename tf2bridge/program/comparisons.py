"""`==` and `!=` of arrays for which NumPy 1 returned one truth value.

Arrays with different shapes were unequal, and so were an array of numbers and a text. Since 1.25 the first comparison
is an error, and in NumPy 2 the second returns an array.
"""

from __future__ import annotations

import ast
import copy
import warnings
from typing import Any

import numpy as np

from tf2bridge.program import guards, nodes
from tf2bridge.program.numpy_1.module import asarray
from tf2bridge.program.plain_names import Kind, Names

_NUMBERS = "biufc"
_FITTING_CALLS = frozenset(("len", "int", "float", "bool", "ord", "id", "hash", "type"))
"""Functions whose results have no shape and are no texts."""
_MOST_NODES = 30
"""The size of an operand that may stand in the program twice."""


def equal(left: Any, right: Any) -> Any:
    """`left == right`."""
    if _is_text_beside(left, right) or _is_text_beside(right, left):
        return False
    try:
        return left == right
    except ValueError:
        first, second = asarray(left), asarray(right)
        if _fit(first, second):
            if first is left and second is right:
                raise
            return first == second
        warnings.warn(
            "elementwise comparison failed; this will raise an error in the future.", DeprecationWarning, stacklevel=2
        )
        return False


def unequal(left: Any, right: Any) -> Any:
    """`left != right`."""
    if _is_text_beside(left, right) or _is_text_beside(right, left):
        return True
    try:
        return left != right
    except ValueError:
        same = equal(left, right)
        return not same if same is False else np.logical_not(same)


def _is_text_beside(text: Any, array: Any) -> bool:
    return isinstance(text, str | bytes) and isinstance(array, np.ndarray) and array.dtype.kind in _NUMBERS


def _fit(first: Any, second: Any) -> bool:
    try:
        np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        return False
    return True


FUNCTIONS = {ast.Eq: "__numpy1_equal__", ast.NotEq: "__numpy1_unequal__"}
"""Operator -> the name of its function among the builtins of the program's files."""
BUILTINS = {FUNCTIONS[ast.Eq]: equal, FUNCTIONS[ast.NotEq]: unequal}


def asked_operand(node: ast.Compare, names: Names) -> int | None:
    """Returns the operand whose type decides: 0 (left), 1 (right), or None if NumPy 2 does the same."""
    operands = [node.left, node.comparators[0]]
    if len(node.ops) > 1 or type(node.ops[0]) not in FUNCTIONS or any(map(_fits_all, operands)):
        return None
    unknown = [place for place, operand in enumerate(operands) if names.kind(operand) > Kind.PLAIN]
    return unknown[0] if unknown else None


def _fits_all(node: ast.expr) -> bool:
    """Returns whether an operand has no shape and is not a text, or is the name of the module."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Name):
        return node.id == "__name__"
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _FITTING_CALLS
    return isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes)


def guarded(node: ast.Compare, place: int, scope: guards.Guards) -> ast.expr:
    """Returns the comparison; it calls the function above if the operand at `place` is an array."""
    left, right = node.left, node.comparators[0]
    name = FUNCTIONS[type(node.ops[0])]
    other = (right, left)[place]
    long = sum(1 for _ in ast.walk(other)) > _MOST_NODES
    asked = None if long or (place == 1 and not nodes.is_simple(left)) else scope.asked((left, right)[place])
    if asked is None:
        return nodes.call(name, left, right)
    pair = [asked[1], copy.deepcopy(other)] if place == 0 else [copy.deepcopy(other), asked[1]]
    compared = ast.Compare(copy.deepcopy(pair[0]), node.ops, [copy.deepcopy(pair[1])])
    return ast.IfExp(nodes.is_array(asked[0]), nodes.call(name, *pair), compared)
