"""TFA002: calls of cross entropies by position, which only 0.x allowed, or with `targets`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import called
from codemods.calls import plan, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import RELEASES, TODAY, declared, signature

_NAMES = frozenset(f"nn.{name}_cross_entropy_with_logits" for name in ("softmax", "sparse_softmax", "sigmoid"))


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call that can only be of 0.x, because 1.0 and later raise an error for it."""
    symbol = called(call, context)
    if symbol is None or symbol.name not in _NAMES:
        return
    old, new = signature(symbol.name, RELEASES[0]), signature(symbol.name, TODAY)
    if old is None or new is None:
        return
    made = plan(call, old, new, declared.PARAMETERS.get(symbol.name, {}))
    if made is None or not made.changes:
        return
    second = declared.PARAMETERS.get(symbol.name, {}).get(old[1], old[1])
    message = (
        f"tf.{symbol.name} by position is a call of 0.x, which took (logits, {second}); 1.0 refuses it, 2.x "
        "swaps the two"
    )
    yield Hit(call, message, rewrite=written(made))


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA002",
    name="cross-entropy-order",
    summary="softmax_cross_entropy_with_logits(logits, labels) -> (logits=logits, labels=labels)",
    why="0.x took (logits, labels) by position. 1.0 made every argument a keyword and raises an error otherwise. So a "
    "call by position is certainly of 0.x, whatever the rest of the file shows, and its first argument is the logits.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            f"{_T}loss = tf.nn.softmax_cross_entropy_with_logits(pred, y)\n",
            f"{_T}loss = tf.nn.softmax_cross_entropy_with_logits(logits=pred, labels=y)\n",
        ),
        Example(
            f"{_T}loss = tf.nn.sparse_softmax_cross_entropy_with_logits(pred, y, name='xentropy')\n",
            f"{_T}loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=pred, labels=y, name='xentropy')\n",
        ),
        Example(
            f"{_T}loss = tf.nn.sigmoid_cross_entropy_with_logits(logits, targets=tf.ones_like(logits))\n",
            f"{_T}loss = tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=tf.ones_like(logits))\n",
        ),
        Example(f"{_T}loss = tf.nn.softmax_cross_entropy_with_logits(logits=pred, labels=y)\n"),
        Example("from mine import nn\nloss = nn.softmax_cross_entropy_with_logits(pred, y)\n"),
    ),
)
