"""PY2002: `/` between integers rounds down in Python 2."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_ROUNDED = "in Python 2 a / between two integers rounds down, in Python 3 it does not"


def find(node: ast.BinOp | ast.AugAssign, context: Context) -> Iterator[Hit]:
    """Divisions of a Python 2 file, unless an operand is plainly a float or a tensor."""
    if not context.python2 or not isinstance(node.op, ast.Div) or _future(context.tree):
        return
    left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    if _is_float(left, context) or _is_float(right, context):
        return
    if isinstance(node, ast.BinOp) and _is_integer(left, context) and _is_integer(right, context):
        yield Hit(node, f"{_ROUNDED}: both are integers here", rewrite=_floor)
        return
    shown = textwrap.shorten(context.source(node), 60, placeholder="...")
    why = f"{_ROUNDED}; write // if both operands of {shown!r} are integers"
    yield Hit(node, why, Safety.MANUAL, todo=True)


def _floor(node: Any) -> Any:
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Divide):
        return node
    spaces = {"whitespace_before": node.operator.whitespace_before, "whitespace_after": node.operator.whitespace_after}
    return node.with_changes(operator=cst.FloorDivide(**spaces))


def _future(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "division" for alias in node.names)
        for node in tree.body
    )


def _is_integer(node: ast.expr, context: Context) -> bool:
    """Literals, len(...), int(...), and what +, -, * and // make of them."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub | ast.UAdd | ast.Invert) and _is_integer(node.operand, context)
    if isinstance(node, ast.BinOp):
        whole = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod | ast.Div)
        return whole and _is_integer(node.left, context) and _is_integer(node.right, context)
    return _is_builtin_call(node, ("len", "int"), context)


def _is_float(node: ast.expr, context: Context) -> bool:
    """Plainly not an integer: a float literal, float(...), a TensorFlow or NumPy call, or a sum or product with one."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float | complex)
    if isinstance(node, ast.UnaryOp):
        return _is_float(node.operand, context)
    if isinstance(node, ast.BinOp):
        return _is_float(node.left, context) or _is_float(node.right, context)
    if isinstance(node, ast.Call) and (context.qualified(node.func) or "") in _FLOATS:
        return True
    return _is_builtin_call(node, ("float",), context)


_FLOATS = frozenset(
    {
        "numpy.sqrt", "numpy.exp", "numpy.log", "numpy.mean", "numpy.std", "numpy.float32", "numpy.float64",
        "math.sqrt", "math.exp", "math.log", "math.pow", "math.sin", "math.cos", "time.time",
        "tensorflow.to_float", "tensorflow.sqrt", "tensorflow.exp", "tensorflow.log",
    }
)  # fmt: skip


def _is_builtin_call(node: ast.expr, names: tuple[str, ...], context: Context) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return node.func.id in names and context.names.is_unbound(node.func)


_PY2 = 'print "x"\n'
_PY3 = 'print("x")\n'

rule = Rule(
    code="PY2002",
    name="integer-division",
    summary="/ between integers -> //",
    why="In Python 2, 7 / 2 is 3; in Python 3 it is 3.5, and a count of batches becomes a float, or a number changes "
    "without a word. Where the operands' types cannot be seen, a person has to look.",
    safety=Safety.SAFE,
    on=(ast.BinOp, ast.AugAssign),
    find=find,
    examples=(
        Example(f"{_PY2}n = 7 / 2\n", f"{_PY3}n = 7 // 2\n"),
        Example(f"{_PY2}n = len(xs) / (2 * 16)\n", f"{_PY3}n = len(xs) // (2 * 16)\n"),
        Example(f"{_PY2}n = 7 / 2 / 3\n", f"{_PY3}n = 7 // 2 // 3\n"),
        Example(f"{_PY2}x = 7 / 2.0\ny = float(n) / 3\n", f"{_PY3}x = 7 / 2.0\ny = float(n) / 3\n"),
        Example(
            f"{_PY2}n = a / b\n",
            f"{_PY3}# TODO(codemods PY2002): {_ROUNDED}; write // if both operands of 'a / b' are integers\n"
            "n = a / b\n",
        ),
        Example(
            "from __future__ import division\n" + _PY2 + "n = 7 / 2\n",
            "from __future__ import division\n" + _PY3 + "n = 7 / 2\n",
        ),
        Example("n = 7 / 2\n"),
    ),
)
