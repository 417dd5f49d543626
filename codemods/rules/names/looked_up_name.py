"""TFN008: names of TensorFlow that a program looks up with getattr."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import known, of_0x, stays
from codemods.context import Context
from codemods.names import root_of
from codemods.reordered import is_reordered
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import Answer, Symbol
from codemods.symbols.exports import guarded


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on getattr(tf, "name"). With a default, the program already handles a missing name."""
    function = call.func
    if not isinstance(function, ast.Name) or function.id != "getattr" or not context.names.is_unbound(function):
        return
    if len(call.args) != 2 or call.keywords or call in guarded(context.names):
        return
    holder, literal = call.args
    start = context.qualified(holder) if root_of(holder) is not None else None
    if start == "tensorflow" and not isinstance(literal, ast.Constant):
        yield from _computed(holder, context)
        return
    if start is None or not isinstance(literal, ast.Constant) or not isinstance(literal.value, str):
        return
    name = f"{start}.{literal.value}"
    symbol = known(name, of_0x(context))
    if not name.startswith("tensorflow.") or symbol is None:
        return
    if not stays(name, holder, context):
        yield from _answered(call, name, symbol, context)


def _answered(call: ast.Call, name: str, symbol: Symbol, context: Context) -> Iterator[Hit]:
    if context.era.is_0x and is_reordered(symbol.name):
        message = (
            f"{name} took its arguments in another order in 0.x: write the name itself, so that its calls are rewritten"
        )
        yield Hit(call, message, Safety.MANUAL, todo=True)
    elif name in _same(symbol):
        return
    elif symbol.answer is Answer.DEAD:
        hint = f"; the nearest is {symbol.nearest}" if symbol.nearest else "; replace it by hand"
        yield Hit(call, f"{name}: {symbol.reason}{hint}", Safety.MANUAL, todo=True)
    else:
        imports = context.needs(symbol.qualified)
        message = f"{name} is {symbol.qualified} today"
        yield Hit(call, message, rewrite=context.spell(symbol.qualified), imports=imports)


def _computed(holder: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit that makes getattr(tf, name) look in tf.compat.v1, for a name that is known only at run time."""
    if not context.second:
        message = "this looks up a name of TensorFlow 1; these names are in tf.compat.v1 today"
        yield Hit(holder, message, rewrite=context.spell("tensorflow.compat.v1"))


def _same(symbol: Symbol) -> tuple[str, ...]:
    """Returns the qualified names under which the same object is reached today."""
    both = (f"tensorflow.{symbol.target}", f"tensorflow.compat.v1.{symbol.target}")
    return both if symbol.answer is Answer.SAME else (symbol.qualified,)


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFN008",
    name="looked-up-name",
    summary='getattr(tf, "log") -> tf.compat.v1.log',
    why="A name in a string is a use like any other. If getattr has a default, or is called in a try, the program "
    "already handles a missing name, and the call is left alone.",
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
        Example(
            f'{_T}y = getattr(tf, "concat")(1, [a, b])\n',
            f"{_T}# TODO(codemods TFN008): tensorflow.concat took its arguments in another order in 0.x: write the "
            'name itself, so that its calls are rewritten\ny = getattr(tf, "concat")(1, [a, b])\n',
            from_version="0.12",
        ),
        Example(f'{_T}y = getattr(tf.nn, "relu")(x)\n'),
        Example(f'{_T}y = getattr(tf, "log", None)\n'),
        Example(f"{_T}y = getattr(tf, name)(x)\n", f"{_T}y = getattr(tf.compat.v1, name)(x)\n"),
        Example(f"{_T}w = tf.summary.create_file_writer(d)\ny = getattr(tf, name)(x)\n"),
        Example('y = getattr(tf, "log")(x)\n'),
    ),
)
