"""TFA008: calls of tf.nn.dropout with the share to keep; TensorFlow 2 takes the share to drop."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.answers import called
from codemods.calls import bound
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import TODAY, signature

_NAME = "nn.dropout"
_LONGEST = 6  # keep_prob=0.9 would become rate=0.09999999999999998; `1 - 0.9` is easier to read


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call with keep_prob, unless the program still computes with keep_prob."""
    symbol = called(call, context)
    parameters = signature(_NAME, TODAY)
    if symbol is None or symbol.name != _NAME or parameters is None:
        return
    given = bound(call, parameters)
    if given is None or "keep_prob" not in given or "rate" in given:
        return
    kept = given["keep_prob"]
    if isinstance(kept, ast.Constant) and not isinstance(kept.value, float):
        return
    released = context.era.is_0x or context.project.follows_release(context.path)
    if released and not (isinstance(kept, ast.Constant) and _is_exact(kept.value)):
        return
    message = "tf.nn.dropout is given keep_prob; TensorFlow 2 takes rate, which is 1 - keep_prob"
    yield Hit(call, message, rewrite=_dropping)


def _is_exact(kept: Any) -> bool:
    """Returns whether 1 - rate is exactly keep_prob."""
    return 0 < kept <= 1 and bool(1 - (1 - kept) == kept)


def _dropping(node: Any) -> Any:
    """Returns the call with rate in place of keep_prob, and the arguments after it by keyword."""
    import libcst as cst

    parameters = signature(_NAME, TODAY)
    if not isinstance(node, cst.Call) or parameters is None:
        return node
    arguments = list(node.args)
    for place, argument in enumerate(arguments):
        keyword = argument.keyword.value if argument.keyword else parameters[place]
        if keyword == "keep_prob":
            dropped = argument.with_changes(value=_rate(argument.value, cst))
            arguments[place] = _with_keyword(dropped, "rate", cst)
        elif place and not argument.keyword:
            arguments[place] = _with_keyword(argument, keyword, cst)
    return node.with_changes(args=arguments)


def _with_keyword(argument: Any, keyword: str, cst: Any) -> Any:
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return argument.with_changes(keyword=cst.Name(keyword), equal=argument.equal if argument.keyword else tight)


def _rate(kept: Any, cst: Any) -> Any:
    if isinstance(kept, cst.Float) and len(repr(1 - float(kept.evaluated_value))) <= _LONGEST:
        return cst.Float(repr(1 - float(kept.evaluated_value)))
    firm = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Float, cst.Integer)
    if not isinstance(kept, firm) and not kept.lpar:
        kept = kept.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.BinaryOperation(cst.Integer("1"), cst.Subtract(), kept)


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA008",
    name="keep-prob",
    summary="tf.nn.dropout(x, 0.5) -> tf.nn.dropout(x, rate=0.5)",
    why="TensorFlow 1 took the share of values to keep; TensorFlow 2 takes the share to drop. tf.compat.v1.nn.dropout "
    "takes both, and computes 1 - keep_prob itself. The rewrite shows the same subtraction in the call. It is still "
    "computed once, and no number changes. A program that switches to its release (tf2bridge.v1.enable) computes with "
    "keep_prob. There only constants are rewritten, and only where 1 - rate is exactly keep_prob.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow",),
    find=find,
    targets=("compat",),
    examples=(
        Example(f"{_T}y = tf.nn.dropout(x, 0.5)\n", f"{_T}y = tf.nn.dropout(x, rate=0.5)\n"),
        Example(f"{_T}y = tf.nn.dropout(x, keep_prob=0.9)\n", f"{_T}y = tf.nn.dropout(x, rate=1 - 0.9)\n"),
        Example(
            f"{_T}y = tf.nn.dropout(x, keep, None, 7)\n",
            f"{_T}y = tf.nn.dropout(x, rate=1 - keep, noise_shape=None, seed=7)\n",
        ),
        Example(
            f"{_T}y = tf.nn.dropout(x,  # the layer\n                  keep_prob = 1 - rate)\n",
            f"{_T}y = tf.nn.dropout(x,  # the layer\n                  rate = 1 - (1 - rate))\n",
        ),
        Example(
            f"{_T}y = tf.nn.dropout(f(), tf.cond(t, lambda: 0.5, lambda: 1.0))\n",
            f"{_T}y = tf.nn.dropout(f(), rate=1 - tf.cond(t, lambda: 0.5, lambda: 1.0))\n",
        ),
        Example(
            "import tensorflow.compat.v1 as tf\ny = tf.nn.dropout(x, keep)\n",
            "import tensorflow.compat.v1 as tf\ny = tf.nn.dropout(x, rate=1 - keep)\n",
        ),
        Example(
            f"{_T}tf.set_random_seed(1)\ny = tf.nn.dropout(tf.nn.dropout(x, keep), 0.75)\nprint(tf.Session().run(y))\n",
            f"{_T}tf.set_random_seed(1)\ny = tf.nn.dropout(tf.nn.dropout(x, keep), rate=0.25)\n"
            "print(tf.Session().run(y))\n",
        ),
        Example(f"{_T}y = tf.nn.dropout(x, keep)\n", from_version="0.12"),
        Example(f"{_T}y = tf.nn.dropout(x, 0.1)\n", from_version="0.12"),
        Example(f"{_T}y = tf.nn.dropout(x, 1)\n"),
        Example(f"{_T}y = tf.nn.dropout(x, rate=keep)\n"),
        Example(f"{_T}y = tf.nn.dropout(x, *rest)\n"),
        Example(f"{_T}y = tf.nn.dropout(x, keep)\n", target="bridge"),
        Example("from mine import nn\ny = nn.dropout(x, 0.5)\n"),
    ),
)
