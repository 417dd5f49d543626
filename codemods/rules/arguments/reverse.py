"""TFA004: calls of tf.reverse with a bool for each dimension, as in 0.x."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.answers import called
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a list of bools, and a finding on any other `dims` of a program of 0.x."""
    symbol = called(call, context)
    if symbol is None or symbol.name != "reverse":
        return
    given = next((k.value for k in call.keywords if k.arg == "dims"), None)
    dims = given or (call.args[1] if len(call.args) > 1 else None)
    if dims is None:
        return
    flags = _flags(dims)
    if flags is not None:
        axes = [place for place, flag in enumerate(flags) if flag]
        yield Hit(
            call,
            "since 1.0 tf.reverse takes the axes to reverse, not a bool for each dimension",
            rewrite=_rewriter(axes),
        )
    elif given is not None or not (_is_axes(dims) or (context.era.certain and not context.era.is_0x)):
        message = "tf.reverse of 0.x took a bool for each dimension; give the axes to reverse as axis=[...]"
        yield Hit(call, message, Safety.MANUAL, todo=True)


def _flags(node: ast.expr) -> list[bool] | None:
    if not isinstance(node, ast.List | ast.Tuple) or not node.elts:
        return None
    values = [element.value if isinstance(element, ast.Constant) else None for element in node.elts]
    flags = [value for value in values if isinstance(value, bool)]
    return flags if len(flags) == len(values) else None


def _is_axes(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple) and any(isinstance(e, ast.UnaryOp | ast.Constant) for e in node.elts)


def _rewriter(axes: list[int]) -> Any:
    def apply(node: Any) -> Any:
        import libcst as cst

        if not isinstance(node, cst.Call):
            return node
        tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        value = cst.parse_expression(repr(axes))
        arguments = list(node.args)
        place = next((i for i, a in enumerate(arguments) if a.keyword and a.keyword.value == "dims"), 1)
        arguments[place] = arguments[place].with_changes(value=value, keyword=cst.Name("axis"), equal=tight)
        return node.with_changes(args=[arguments[0], *arguments[1:]])

    return apply


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA004",
    name="reverse",
    summary="tf.reverse(x, [False, True]) -> tf.reverse(x, axis=[1])",
    why="tf.reverse of 0.x took a bool for each dimension. Since 1.0 it takes the list of axes to reverse.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(f"{_T}y = tf.reverse(x, [False, True])\n", f"{_T}y = tf.reverse(x, axis=[1])\n"),
        Example(f"{_T}y = tf.reverse(x, dims=[True, False, True])\n", f"{_T}y = tf.reverse(x, axis=[0, 2])\n"),
        Example(
            f"{_T}y = tf.reverse(x, dims)\n",
            f"{_T}# TODO(codemods TFA004): tf.reverse of 0.x took a bool for each dimension; give the "
            "axes to reverse as "
            "axis=[...]\ny = tf.reverse(x, dims)\n",
            from_version="0.12",
        ),
        Example(f"{_T}y = tf.reverse(x, [1])\n"),
        Example(f"{_T}y = tf.reverse(x, axis=axes)\n"),
    ),
)
