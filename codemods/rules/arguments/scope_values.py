"""TFA010: calls of tf.name_scope with the tensors in the place of the default name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import called
from codemods.calls import Plan, is_plain, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_NAMES = ("name_scope", "python.framework.ops.name_scope")


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call whose second argument is a list or a tuple."""
    symbol = called(call, context)
    if symbol is None or symbol.name not in _NAMES or not is_plain(call) or len(call.args) != 2:
        return
    if isinstance(call.args[1], ast.List | ast.Tuple) and all(keyword.arg != "values" for keyword in call.keywords):
        message = (
            "the second argument of tf.name_scope is the default name; tensors there were ignored up to 1.13, and are "
            "refused now"
        )
        yield Hit(call, message, rewrite=written(Plan(((1, "values"),))))


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA010",
    name="scope-values",
    summary="tf.name_scope(name, [x]) -> tf.name_scope(name, values=[x])",
    why="The second parameter of tf.name_scope is the default name, which counts only if the name is None. Up to 1.13 "
    "a program could pass its tensors there without an error. Since 1.14 that is a TypeError, whose text says to pass "
    "them as `values` (python/framework/ops.py of 1.13.2 and 1.14.0).",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow",),
    find=find,
    examples=(
        Example(
            f'{_T}with tf.name_scope("loss", [x, y]) as scope:\n    pass\n',
            f'{_T}with tf.name_scope("loss", values=[x, y]) as scope:\n    pass\n',
        ),
        Example(
            f"{_T}with tf.name_scope(a, (x,)):\n    pass\n",
            f"{_T}with tf.name_scope(a, values=(x,)):\n    pass\n",
        ),
        Example(
            "from tensorflow.python.framework import ops\nwith ops.name_scope(name, [x]):\n    pass\n",
            "from tensorflow.python.framework import ops\nwith ops.name_scope(name, values=[x]):\n    pass\n",
        ),
        Example(f'{_T}with tf.name_scope(name, "loss", [x]):\n    pass\n'),
        Example(f"{_T}with tf.name_scope(name, default):\n    pass\n"),
    ),
)
