"""TFA001: arguments that changed place or name between the release of a file and TensorFlow 2."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import called, of_0x
from codemods.calls import Plan, plan, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import RELEASES, TODAY, Symbol, declared, signature

_LOSSES = ("softmax", "sparse_softmax", "sigmoid")
# These functions have their own rules, which look at the values of the arguments.
SPECIAL = frozenset(
    {"concat", "split", "reverse", "zeros_initializer"} | {f"nn.{name}_cross_entropy_with_logits" for name in _LOSSES}
)


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call whose arguments would bind to other parameters today, or to none."""
    symbol = called(call, context)
    if symbol is None or symbol.name in SPECIAL or signature(symbol.name, TODAY) is None:
        return
    if symbol.older and of_0x(context):  # tf2bridge.v0 has the function with the arguments of 0.x
        return
    rewrites = plans(call, symbol, context)
    if not rewrites or not any(made.changes for made in rewrites):
        return
    if len(rewrites) > 1:
        yield Hit(call, _unclear(symbol, context), Safety.MANUAL, todo=True)
    elif rewrites[0].lost:
        lost = ", ".join(rewrites[0].lost)
        yield Hit(
            call, f"tf.{symbol.name} takes no {lost} any more; write this call another way", Safety.MANUAL, todo=True
        )
    else:
        yield Hit(call, _message(symbol, rewrites[0], context), rewrite=written(rewrites[0]))


def plans(call: ast.Call, symbol: Symbol, context: Context) -> list[Plan]:
    """Returns the different ways to write the call: several if its release is uncertain and the releases disagree."""
    today = signature(symbol.name, TODAY)
    assert today is not None
    renames = declared.PARAMETERS.get(symbol.name, {})
    distinct: dict[Plan, None] = {}
    for release in _eras(symbol, context):
        old = signature(symbol.name, release)
        made = plan(call, old, today, renames) if old else None
        if made is not None:
            distinct[made] = None
    return list(distinct)


def _eras(symbol: Symbol, context: Context) -> tuple[str, ...]:
    """Returns the releases whose parameters have to be tried."""
    if symbol.releases and len(symbol.releases) < len(RELEASES) and context.era.release not in _short(symbol):
        return symbol.releases[-1:]
    if context.era.certain:
        return (context.era.release,)
    return RELEASES if not symbol.releases else symbol.releases


def _short(symbol: Symbol) -> tuple[str, ...]:
    return tuple(".".join(release.split(".")[:2]) for release in symbol.releases)


def _message(symbol: Symbol, made: Plan, context: Context) -> str:
    names = ", ".join(dict.fromkeys(name for _, name in made.keywords))
    return f"in {context.era.release} tf.{symbol.name} took {names} at another place or by another name"


def _unclear(symbol: Symbol, context: Context) -> str:
    return (
        f"tf.{symbol.name} changed its arguments between releases, and it is unknown which release this call was "
        f"written for ({context.era.evidence}): "
        "write keywords, or give --from-version"
    )


rule = Rule(
    code="TFA001",
    name="argument-order",
    summary="arguments that changed place or name: nce_loss, ctc_loss, SparseTensor(shape=), batch_matmul(adj_x=)...",
    why="Parameters changed their places and names between releases. So a positional call of an old program may fail "
    "today, or silently compute something else. codemods knows the parameters of every recorded release, and gives "
    "each argument the keyword that it has today. If nothing shows which release a call was written for, a person has "
    "to decide.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            "import tensorflow as tf\nx = tf.mul(a, b)\nloss = tf.nn.nce_loss(w, b, inputs, labels, 64, 50000)\n",
            "import tensorflow as tf\nx = tf.mul(a, b)\nloss = tf.nn.nce_loss(w, b, inputs=inputs, labels=labels, "
            "num_sampled=64, num_classes=50000)\n",
        ),
        Example(
            "import tensorflow as tf\nx = tf.SparseTensor(indices=i, values=v, shape=[3, 4])\n",
            "import tensorflow as tf\nx = tf.SparseTensor(indices=i, values=v, dense_shape=[3, 4])\n",
        ),
        Example(
            "import tensorflow as tf\ny = tf.batch_matmul(a, b, adj_y=True)\n",
            "import tensorflow as tf\ny = tf.batch_matmul(a, b, adjoint_b=True)\n",
        ),
        Example(
            "import tensorflow as tf\nloss = tf.nn.nce_loss(w, b, x, y, 64, 50000)\n",
            "import tensorflow as tf\n# TODO(codemods TFA001): tf.nn.nce_loss changed its arguments between releases, "
            "and it is unknown which release this call was written for (nothing tells 0.x from 1.x): write keywords, "
            "or give --from-version\nloss = tf.nn.nce_loss(w, b, x, y, 64, 50000)\n",
        ),
        Example(
            "import tensorflow as tf\nloss = tf.nn.nce_loss(w, b, labels, inputs, 64, 50000)\n", from_version="1.4"
        ),
        Example("import tensorflow as tf\ny = tf.reduce_sum(x, 1, keep_dims=True)\n", from_version="0.12"),
        Example("import tensorflow as tf\ny = tf.nn.softmax(x, 1)\n", from_version="0.12"),
        Example("import tensorflow as tf\no = tf.train.SyncReplicasOptimizer(opt, 2, replica_id=0)\n"),
        Example("import tensorflow as tf\ny = tf.argmax(x, dimension=1)\n"),
        Example("import tensorflow as tf\ny = tf.cond(p, lambda: a, lambda: b)\n"),
        Example("import tensorflow as tf\nx = tf.SparseTensor(i, v, [3, 4])\n"),
        Example("from mine import nce_loss\nloss = nce_loss(w, b, x, y, 64, 50000)\n"),
    ),
)
