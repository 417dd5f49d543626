"""TFK001: tf.keras inside a graph-mode program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import in_graph_mode, is_reached, named, spelled
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on tf.keras in a program of TensorFlow 1."""
    use = named(node, context)
    if use is None or use.symbol.answer is not Answer.BRIDGE or use.symbol.name.split(".")[0] != "keras":
        return
    if is_reached(use) or not in_graph_mode(context):
        return
    text, imports = spelled(use, context)
    message = f"{use.short} is Keras 3, which does not work in graph mode; tf2bridge.v1.{use.symbol.target} does"
    yield Hit(use.node, message, rewrite=text, imports=imports)


_GRAPH = "sess = tf.Session()\n"

rule = Rule(
    code="TFK001",
    name="keras",
    summary="tf.keras -> tf2bridge.v1.keras in graph-mode programs",
    why="In TensorFlow 2.21 tf.keras is Keras 3. It cannot fit or predict once graph mode is on, and its layers make "
    "other variables. tf2bridge.v1.keras is the Keras of TensorFlow 1. Programs of TensorFlow 2 keep tf.keras.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            f"import tensorflow as tf\n{_GRAPH}y = tf.keras.layers.Dense(3)(x)\n",
            f"import tensorflow as tf\nimport tf2bridge.v1\n{_GRAPH}y = tf2bridge.v1.keras.layers.Dense(3)(x)\n",
        ),
        Example(
            f"import tensorflow as tf\nkeras = tf.keras\n{_GRAPH}m = keras.Sequential()\n",
            f"import tensorflow as tf\nimport tf2bridge.v1\nkeras = tf2bridge.v1.keras\n{_GRAPH}"
            "m = keras.Sequential()\n",
        ),
        Example("import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(3)])\n"),
        Example("import keras\nm = keras.Sequential()\n"),
    ),
)
