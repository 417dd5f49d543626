"""TFA003: calls of tf.concat and tf.split with the axis first, as in 0.x."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import called
from codemods.calls import bound, is_plain, plan, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import RELEASES, TODAY, declared, signature

_OLD = {"concat": "concat(axis, values)", "split": "split(axis, number, value)"}
_LISTS = (ast.List, ast.Tuple, ast.ListComp)


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call of 0.x, or a finding if it is unknown which release the call is of."""
    symbol = called(call, context)
    if symbol is None or symbol.name not in _OLD or not is_plain(call):
        return
    old, new = signature(symbol.name, RELEASES[0]), signature(symbol.name, TODAY)
    if old is None or new is None:
        return
    made = plan(call, old, new, declared.PARAMETERS[symbol.name])
    if made is None or not made.changes:
        return
    is_old = _verdict(call, symbol.name, bound(call, new) is not None)
    if is_old is None and context.era.certain:
        is_old = context.era.is_0x
    if is_old is None:
        why = (
            f"tf.{symbol.name} takes the axis first in 0.x and last in 1.x, and it is unknown which order this call has"
        )
        yield Hit(
            call, f"{why} ({context.era.evidence}): write keywords, or give --from-version", Safety.MANUAL, todo=True
        )
    elif is_old:
        yield Hit(call, f"in 0.x the order was tf.{_OLD[symbol.name]}", rewrite=written(made))


def _verdict(call: ast.Call, name: str, binds_today: bool) -> bool | None:
    """Returns whether the arguments show that the call is of 0.x; None if they do not show it."""
    if not binds_today:
        return True
    first, second, third = [*call.args[:3], None, None, None][:3]
    if name == "concat":
        if _is_integer(first) or isinstance(second, _LISTS):
            return not _is_integer(second)
        return False if _is_integer(second) or isinstance(first, _LISTS) else None
    if third is None or isinstance(second, _LISTS):  # 0.x needs all three arguments, and a number of pieces
        return False
    if _is_integer(first) or _is_integer(third):
        return None if _is_integer(first) and _is_integer(third) else _is_integer(first)
    return None


def _is_integer(node: ast.expr | None) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA003",
    name="axis-first",
    summary="tf.concat(0, [a, b]) -> tf.concat(axis=0, values=[a, b]), tf.split likewise",
    why="TensorFlow 1.0 moved the axis to the end. An integer or a list among the arguments can show which order a "
    "call has. Otherwise the release that the file was written for decides. If that is unknown too, a person has to "
    "decide.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            "from tensorflow.python.ops import array_ops\ny = array_ops.concat(1, [a, b])\n",
            "from tensorflow.python.ops import array_ops\ny = array_ops.concat(axis=1, values=[a, b])\n",
        ),
        Example(f"{_T}y = tf.concat(0, [a, b])\n", f"{_T}y = tf.concat(axis=0, values=[a, b])\n"),
        Example(f"{_T}y = tf.concat(dim, [a, b])\n", f"{_T}y = tf.concat(axis=dim, values=[a, b])\n"),
        Example(f"{_T}y = tf.concat(concat_dim=1, values=xs)\n", f"{_T}y = tf.concat(axis=1, values=xs)\n"),
        Example(
            f"{_T}a, b = tf.split(1, 2, tf.concat(1, [x, h]))\n",
            f"{_T}a, b = tf.split(axis=1, num_or_size_splits=2, value=tf.concat(axis=1, values=[x, h]))\n",
        ),
        Example(f"{_T}z = tf.concat(k, xs)\n", f"{_T}z = tf.concat(axis=k, values=xs)\n", from_version="0.12"),
        Example(
            f"{_T}y = tf.concat(k, xs)\n",
            f"{_T}# TODO(codemods TFA003): tf.concat takes the axis first in 0.x and last in 1.x, and it is unknown "
            "which order this call has"
            " (nothing tells 0.x from 1.x): write keywords, or give --from-version\ny = tf.concat(k, xs)\n",
        ),
        Example(f"{_T}y = tf.concat([a, b], 0)\n"),
        Example(f"{_T}y = tf.concat(xs, axis=1)\n"),
        Example(f"{_T}a, b = tf.split(x, 2, 1)\n"),
        Example(f"{_T}a, b = tf.split(x, [2, 3], axis)\n"),
        Example("import numpy as np\ny = np.split(1, 2, x)\n"),
    ),
)
