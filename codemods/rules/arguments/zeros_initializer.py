"""TFA005: calls of tf.zeros_initializer with a shape, which made a tensor in 0.x."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.answers import called
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call with a shape, which can only be of 0.x."""
    symbol = called(call, context)
    if symbol is None or symbol.name != "zeros_initializer" or not _has_shape(call, context):
        return
    zeros = context.spell("tensorflow.zeros")

    def apply(node: Any) -> Any:
        import libcst as cst

        return node.with_changes(func=cst.parse_expression(zeros)) if isinstance(node, cst.Call) else node

    message = "tf.zeros_initializer(shape) of 0.x made a tensor, as tf.zeros(shape) does"
    yield Hit(call, message, rewrite=apply, imports=context.needs("tensorflow.zeros"))


def _has_shape(call: ast.Call, context: Context) -> bool:
    if any(keyword.arg == "shape" for keyword in call.keywords):
        return True
    if not call.args:
        return False
    dtype = (context.qualified(call.args[0]) or "").startswith(("tensorflow.float", "tensorflow.int"))
    return not dtype and (isinstance(call.args[0], ast.List | ast.Tuple) or context.era.is_0x)


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA005",
    name="zeros-initializer",
    summary="tf.zeros_initializer([3, 4]) -> tf.zeros([3, 4])",
    why="In 0.x tf.zeros_initializer was a function that made the tensor; get_variable called it with the shape. "
    "Since 1.0 it is a class of initializers. tf.zeros_initializer without a call, given to get_variable, works as "
    "before.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(f"{_T}b = tf.Variable(tf.zeros_initializer([10]))\n", f"{_T}b = tf.Variable(tf.zeros([10]))\n"),
        Example(
            f"{_T}b = tf.zeros_initializer(shape=[2], dtype=tf.int32)\n",
            f"{_T}b = tf.zeros(shape=[2], dtype=tf.int32)\n",
        ),
        Example(f"{_T}b = tf.get_variable('b', [10], initializer=tf.zeros_initializer)\n"),
        Example(f"{_T}b = tf.get_variable('b', [10], initializer=tf.zeros_initializer(tf.float32))\n"),
    ),
)
