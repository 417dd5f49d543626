"""TFC002: names of contrib that tf2bridge.v1 supplies."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import is_reached, named, spelled
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on a name of contrib that computes the same under tf2bridge.v1."""
    use = named(node, context)
    if use is None or use.symbol.answer is not Answer.BRIDGE or is_reached(use):
        return
    if use.symbol.name.split(".")[0] != "contrib":
        return
    text, imports = spelled(use, context)
    message = f"tf.contrib was removed in TensorFlow 2.0; tf2bridge.v1.{use.symbol.target} computes the same"
    yield Hit(use.node, message, rewrite=text, imports=imports)


rule = Rule(
    code="TFC002",
    name="contrib-bridge",
    summary="tf.contrib.layers.xavier_initializer -> tf2bridge.v1.contrib.layers.xavier_initializer",
    why="tf.contrib was removed in 2.0, and nothing in TensorFlow computes the same. tf2bridge.v1.contrib does.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            "import tensorflow as tf\nf = tf.contrib.layers.__dict__[name]\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nf = tf2bridge.v1.contrib.layers.__dict__[name]\n",
        ),
        Example(
            "import tensorflow as tf\ninit = tf.contrib.layers.xavier_initializer()\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ninit = tf2bridge.v1.contrib.layers.xavier_initializer()\n",
        ),
        Example(
            "import tensorflow as tf\nrnn = tf.contrib.rnn\ncell = rnn.GRUCell(8)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nrnn = tf2bridge.v1.contrib.rnn\ncell = rnn.GRUCell(8)\n",
        ),
        Example(
            "import tensorflow as tf\ns = tf.contrib.deprecated.scalar_summary('loss', loss)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ns = tf2bridge.v1.scalar_summary('loss', loss)\n",
        ),
        Example(
            "import tensorflow as tf\ng = tf.contrib.nccl.all_sum(gradients)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ng = tf2bridge.v1.python.ops.nccl_ops.all_sum(gradients)\n",
        ),
        Example(
            "import tensorflow as tf\nm = tf.contrib.slim.metrics.streaming_mean(x)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nm = tf2bridge.v1.contrib.slim.metrics.streaming_mean(x)\n",
        ),
        Example("from tensorflow.contrib import rnn\ncell = rnn.GRUCell(8)\n"),
        Example("import tensorflow as tf\ny = tf.layers.dense(x, 3)\n"),
    ),
)
