"""TFA009: functions with another argument order in 0.x, where their calls cannot be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import function_of, stays
from codemods.calls import is_plain
from codemods.context import Context
from codemods.reordered import is_reordered
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import RELEASES, signature


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a finding if a program of 0.x passes such a function on, or calls it with *arguments."""
    if not context.era.is_0x:
        return
    name = context.qualified(node) or ""
    symbol = function_of(name)
    if symbol is None or not is_reordered(symbol.name) or stays(name, node, context):
        return
    parent = context.parent(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        if is_plain(parent):
            return
        situation = "called with arguments that codemods cannot see"
    elif _is_followed(node, parent, context):
        return
    else:
        situation = "passed on, to be called elsewhere"
    old = ", ".join(signature(symbol.name, RELEASES[0]) or ())
    yield Hit(node, f"tf.{symbol.name} took ({old}) in 0.x, and is {situation}: write keywords there", todo=True)


def _is_followed(node: ast.expr, parent: ast.AST | None, context: Context) -> bool:
    """Returns whether this assigns the function to a name that codemods follows."""
    if not isinstance(parent, ast.Assign) or parent.value is not node:
        return False
    seen = {context.qualified(target) for target in parent.targets}
    inside = context.parent(parent)
    return seen == {context.qualified(node)} and not isinstance(inside, ast.ClassDef)


_T = "import tensorflow as tf\n"
_SPLIT = "tf.split took (split_dim, num_split, value, name) in 0.x, and is"

rule = Rule(
    code="TFA009",
    name="order-passed-on",
    summary="functools.partial(tf.split, 0, 2), map(tf.concat, ...), tf.split(*arguments) of 0.x",
    why="tf.concat, tf.split, the cross entropies and some other losses took their arguments in another order in 0.x. "
    "codemods rewrites the calls that it sees. A function that is passed on, or called with *arguments, still gets "
    "the old order, without an error. So a person has to look at the place of the call.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("tensorflow",),
    find=find,
    examples=(
        Example(
            f"{_T}halves = functools.partial(tf.split, 0, 2)\n",
            f"{_T}# TODO(codemods TFA009): {_SPLIT} passed on, to be called elsewhere: write keywords there\n"
            "halves = functools.partial(tf.split, 0, 2)\n",
            from_version="0.12",
        ),
        Example(
            f"{_T}parts = tf.split(*arguments)\n",
            f"{_T}# TODO(codemods TFA009): {_SPLIT} called with arguments that codemods cannot see: write keywords "
            "there\n"
            "parts = tf.split(*arguments)\n",
            from_version="0.12",
        ),
        Example(f"{_T}split = tf.split\nparts = split(1, 2, x)\n", from_version="0.12"),
        Example(f"{_T}total = functools.reduce(tf.add, xs)\n", from_version="0.12"),
        Example(f"{_T}halves = functools.partial(tf.split, num_or_size_splits=2)\n", from_version="1.4"),
        Example("from mine import split\nhalves = map(split, xs)\n", from_version="0.12"),
    ),
)
