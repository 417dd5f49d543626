"""PY2002: `/` between integers rounds down in Python 2."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.rules.python2.numbers import Kinds

_ROUNDED = "in Python 2 a / between two integers rounds down, in Python 3 it does not"


def find(node: ast.BinOp | ast.AugAssign, context: Context) -> Iterator[Hit]:
    """Yields a hit or a finding on a division of a Python 2 file, unless an operand is a float or a float tensor."""
    if not context.python2 or not isinstance(node.op, ast.Div) or _future(context.tree):
        return
    left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    kinds = Kinds(context)
    if kinds.is_float(left) or kinds.is_float(right):
        return
    if kinds.is_integer(left) and kinds.is_integer(right):
        text = f"{context.source(left)} //= {context.source(right)}"
        yield Hit(node, f"{_ROUNDED}: both are integers here", rewrite=_floor if isinstance(node, ast.BinOp) else text)
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


_PY2 = 'print "x"\n'
_PY3 = 'print("x")\n'

rule = Rule(
    code="PY2002",
    name="integer-division",
    summary="/ between integers -> //",
    why="In Python 2, 7 / 2 is 3. In Python 3 it is 3.5, so a count of batches becomes a float, or a number changes "
    "without an error. If the types of the operands cannot be seen, a person has to look.",
    safety=Safety.SAFE,
    on=(ast.BinOp, ast.AugAssign),
    find=find,
    examples=(
        Example(f"{_PY2}n = 7 / 2\n", f"{_PY3}n = 7 // 2\n"),
        Example(f"{_PY2}n = len(xs) / (2 * 16)\n", f"{_PY3}n = len(xs) // (2 * 16)\n"),
        Example(f"{_PY2}n = 7 / 2 / 3\n", f"{_PY3}n = 7 // 2 // 3\n"),
        Example(f"{_PY2}x = 7 / 2.0\ny = float(n) / 3\n", f"{_PY3}x = 7 / 2.0\ny = float(n) / 3\n"),
        Example(f"{_PY2}size = 32\nn = len(xs) / size\n", f"{_PY3}size = 32\nn = len(xs) // size\n"),
        Example(f"{_PY2}b, t = 4, 6\nn = len(xs) / (b * t)\n", f"{_PY3}b, t = 4, 6\nn = len(xs) // (b * t)\n"),
        Example(
            f"{_PY2}for i, x in enumerate(xs):\n    n = i / 2\n",
            f"{_PY3}for i, x in enumerate(xs):\n    n = i // 2\n",
        ),
        Example(f"{_PY2}n = len(xs)\nn /= 2\n", f"{_PY3}n = len(xs)\nn //= 2\n"),
        Example(f"{_PY2}n = x.shape[0] / 2\n", f"{_PY3}n = x.shape[0] // 2\n"),
        Example(
            f"{_PY2}for i in range(9):\n    x = i / 2\nrate = 0.5\ny = n / rate\n",
            f"{_PY3}for i in range(9):\n    x = i // 2\nrate = 0.5\ny = n / rate\n",
        ),
        Example(
            f"{_PY2}DEFINE_integer('size', 32, 'images')\nn = len(xs) / FLAGS.size\n",
            f"{_PY3}DEFINE_integer('size', 32, 'images')\nn = len(xs) // FLAGS.size\n",
        ),
        Example(
            f"{_PY2}def f(size=2):\n    return len(xs) / size\n",
            f"{_PY3}def f(size=2):\n    # TODO(codemods PY2002): {_ROUNDED}; write // if both operands of "
            "'len(xs) / size' are integers\n    return len(xs) / size\n",
        ),
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
