"""`/`, `round` and `random` as in Python 2, for converted files, where Python 3 would compute something else."""

from __future__ import annotations

import ast
import math
import operator
import random as random3
from decimal import ROUND_HALF_UP, Decimal
from types import ModuleType
from typing import Any

import numpy as np

from tf2bridge.program.nodes import CALLED, call
from tf2bridge.program.old_arithmetic import promoted
from tf2bridge.program.own_builtins import OLD_CALLS, chooser
from tf2bridge.program.statements import as_value

# Names that end in "__" are not mangled inside classes.
DIVIDE, DIVIDE_ITEM = "__python2_divide__", "__python2_divide_item__"
DIVIDE_ATTRIBUTE, DIVIDE_IN_PLACE = "__python2_divide_attribute__", "__python2_divide_in_place__"


def divide(left: Any, right: Any) -> Any:
    """Returns `left / right` of Python 2: floored for two integers, and by `__div__` for a class that defines it."""
    left, right = promoted(left, right)
    if _is_integer(left) and _is_integer(right):
        return operator.floordiv(left, right)
    for method, holder, operand in (("__div__", left, right), ("__rdiv__", right, left)):
        implementation = getattr(type(holder), method, None)
        result = (
            NotImplemented if implementation is None else _tensor_division(implementation, left, right, holder, operand)
        )
        if result is not NotImplemented:
            return result
    return operator.truediv(left, right)


def _tensor_division(implementation: Any, left: Any, right: Any, holder: Any, operand: Any) -> Any:
    from tf2bridge.behaviour.in_force import enabled

    release = enabled()
    integers = getattr(getattr(holder, "dtype", None), "is_integer", False)
    if integers and release is not None and release.before_one:
        import tensorflow as tf

        # 0.12 divided integer tensors toward zero; 1.0 began to round down.
        return tf.raw_ops.Div(x=left, y=right)
    return implementation(holder, operand)


def _is_integer(value: Any) -> bool:
    if isinstance(value, int | np.integer):
        return True
    return isinstance(value, np.ndarray) and value.dtype.kind in "iu"


def divide_item(holder: Any, key: Any, right: Any) -> None:
    """`holder[key] /= right`."""
    holder[key] = divide_in_place(holder[key], right)


def divide_attribute(holder: Any, name: str, right: Any) -> None:
    """`holder.name /= right`."""
    setattr(holder, name, divide_in_place(getattr(holder, name), right))


def divide_in_place(left: Any, right: Any) -> Any:
    """`left /= right`: an array keeps its memory and its dtype."""
    if isinstance(left, np.ndarray):
        right = promoted(left, right)[1]
        if _is_integer(left):
            left //= right
        else:
            left /= right
        return left
    return divide(left, right)


def rounded(number: Any, ndigits: int = 0) -> float:
    """Returns the result of `round` of Python 2, which rounds halves away from zero and always returns a float."""
    value = float(number)
    if not abs(value) < 2**52:  # a whole number already, or not finite
        return value
    nearest = Decimal(abs(value)).quantize(Decimal(1).scaleb(-ndigits), rounding=ROUND_HALF_UP)
    return math.copysign(float(nearest), value)


class _Random(random3.Random):
    def _randbelow(self, n: int) -> int:
        return int(self.random() * n)


def old_random() -> ModuleType:
    """Returns the module `random` with the draws of Python 2 by shuffle, sample, choice and randint."""
    module = ModuleType("random", random3.__doc__)
    source = _Random()
    module.__dict__.update({name: value for name, value in vars(random3).items() if not name.startswith("__")})
    for name in dir(source):
        if not name.startswith("_") and hasattr(random3, name):
            setattr(module, name, getattr(source, name))
    module.__dict__["Random"] = _Random
    return module


BUILTINS = {
    DIVIDE: divide,
    DIVIDE_ITEM: divide_item,
    DIVIDE_ATTRIBUTE: divide_attribute,
    DIVIDE_IN_PLACE: divide_in_place,
    CALLED: chooser({**OLD_CALLS, round: rounded}),
}
"""Names that converted files find among their builtins."""


def with_old_division(tree: ast.Module) -> ast.Module:
    """Returns `tree` with each `/` replaced by a call of `divide`, unless the file imports `division`."""
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    if any(alias.name == "division" for node in imports for alias in node.names):
        return tree
    changed: ast.Module = _Division().visit(tree)
    return ast.fix_missing_locations(changed)


class _Division(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # ast requires this name
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or _has_float(node):
            return node
        return ast.copy_location(call(DIVIDE, node.left, node.right), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:  # ast requires this name
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        target = node.target
        if isinstance(target, ast.Name):
            value = call(DIVIDE_IN_PLACE, ast.Name(target.id, ast.Load()), node.value)
            return ast.copy_location(ast.Assign([target], value), node)
        if isinstance(target, ast.Attribute):
            divided = call(DIVIDE_ATTRIBUTE, target.value, ast.Constant(target.attr), node.value)
        else:
            divided = call(DIVIDE_ITEM, target.value, as_value(target.slice), node.value)
        return ast.copy_location(ast.Expr(divided), node)


def _has_float(node: ast.BinOp) -> bool:
    """Returns whether an operand is a literal float.

    Then Python 2 also computes a true division, so the code can stay.
    """
    return any(isinstance(side, ast.Constant) and isinstance(side.value, float) for side in (node.left, node.right))
