"""TFN008: names of TensorFlow that a program looks up by getattr."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import known, of_0x, stays
from codemods.context import Context
from codemods.names import root_of
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import Answer, Symbol
from codemods.symbols.exports import guarded


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """A hit on getattr(tf, "name"); with a default the program has an answer of its own."""
    function = call.func
    if not isinstance(function, ast.Name) or function.id != "getattr" or not context.names.is_unbound(function):
        return
    if len(call.args) != 2 or call.keywords or call in guarded(context.names):
        return
    holder, literal = call.args
    start = context.qualified(holder) if root_of(holder) is not None else None
    if start is None or not isinstance(literal, ast.Constant) or not isinstance(literal.value, str):
        return
    whole = f"{start}.{literal.value}"
    symbol = known(whole, of_0x(context))
    if not whole.startswith("tensorflow.") or symbol is None:
        return
    if stays(whole, holder, context) or whole in _same(symbol):
        return
    if symbol.answer is Answer.DEAD:
        hint = f"; the nearest is {symbol.nearest}" if symbol.nearest else "; replace it by hand"
        yield Hit(call, f"{whole}: {symbol.reason}{hint}", Safety.MANUAL, todo=True)
    else:
        imports = context.needs(symbol.qualified)
        message = f"{whole} is {symbol.qualified} today"
        yield Hit(call, message, rewrite=context.spell(symbol.qualified), imports=imports)


def _same(symbol: Symbol) -> tuple[str, ...]:
    """The names by which the very object is reached."""
    both = (f"tensorflow.{symbol.target}", f"tensorflow.compat.v1.{symbol.target}")
    return both if symbol.answer is Answer.SAME else (symbol.qualified,)


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFN008",
    name="looked-up-name",
    summary='getattr(tf, "log") -> tf.compat.v1.log',
    why="A name that is given as a string is a use like any other. Where getattr has a default, or stands in a try, "
    "the program has provided for the name to be missing, and is left alone.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    find=find,
    targets=("compat",),
    examples=(
        Example(f'{_T}y = getattr(tf, "log")(x)\n', f"{_T}y = tf.compat.v1.log(x)\n"),
        Example(
            f'{_T}y = getattr(tf.layers, "dense")(x, 3)\n',
            f"{_T}import tf2bridge.v1\ny = tf2bridge.v1.layers.dense(x, 3)\n",
        ),
        Example(f'{_T}y = getattr(tf.nn, "relu")(x)\n'),
        Example(f'{_T}y = getattr(tf, "log", None)\n'),
        Example(f"{_T}y = getattr(tf, name)(x)\n"),
        Example('y = getattr(tf, "log")(x)\n'),
    ),
)
