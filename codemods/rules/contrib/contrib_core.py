"""TFC001: names of contrib that were only aliases of core TensorFlow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import is_reached, named, spelled
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on a name that was the same object as one outside contrib."""
    use = named(node, context)
    if use is None or not use.symbol.name.startswith("contrib.") or is_reached(use):
        return
    if use.symbol.answer in (Answer.SAME, Answer.COMPAT):
        text, imports = spelled(use, context)
        message = f"{use.short} was an alias of tf.{use.symbol.target}"
        yield Hit(use.node, message, rewrite=text, imports=imports)


rule = Rule(
    code="TFC001",
    name="contrib-core",
    summary="names of tf.contrib that were aliases of core names -> the core names",
    why="tf.contrib was removed in 2.0. In 1.15.5 these names were the same objects as names of core TensorFlow.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            "import tensorflow as tf\nm = tf.contrib.checkpoint.CheckpointManager(c, d, 3)\n",
            "import tensorflow as tf\nm = tf.train.CheckpointManager(c, d, 3)\n",
        ),
        Example("import tensorflow as tf\ny = tf.nn.relu(x)\n"),
        Example("import tensorflow as tf\nslim = tf.contrib.slim\nslim.conv2d(x, 8, 3)\n"),
    ),
)
