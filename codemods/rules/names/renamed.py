"""TFN002: names of TensorFlow 0.x that 1.0 renamed, and private paths of what is public."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import is_reached, named, spelled
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """A hit on a name that has another one today, within TensorFlow."""
    use = named(node, context)
    if use is None or use.symbol.answer not in (Answer.SAME, Answer.COMPAT) or use.symbol.name.startswith("contrib."):
        return
    if use.symbol.target == use.symbol.name or is_reached(use):
        return
    text, imports = spelled(use, context)
    yield Hit(use.node, f"{use.short} was renamed tf.{use.symbol.target}", rewrite=text, imports=imports)


rule = Rule(
    code="TFN002",
    name="renamed",
    summary="tf.mul -> tf.multiply, tf.initialize_all_variables -> tf.compat.v1.global_variables_initializer",
    why="TensorFlow 1.0 renamed these; the new ones compute the same. Arguments that were renamed "
    "with the function are "
    "mended by the rules for arguments.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            "import tensorflow as tf\ny = tf.mul(tf.sub(a, b), tf.neg(c))\n",
            "import tensorflow as tf\ny = tf.multiply(tf.subtract(a, b), tf.negative(c))\n",
        ),
        Example("import tensorflow as tf\nx = tf.pack([a, b])\n", "import tensorflow as tf\nx = tf.stack([a, b])\n"),
        Example(
            "import tensorflow as tf\ninit = tf.initialize_all_variables()\n",
            "import tensorflow as tf\ninit = tf.compat.v1.global_variables_initializer()\n",
        ),
        Example(
            "import tensorflow as tf\nw = tf.train.SummaryWriter('logs', graph=sess.graph)\n",
            "import tensorflow as tf\nw = tf.compat.v1.summary.FileWriter('logs', graph=sess.graph)\n",
        ),
        Example(
            "from tensorflow.python.ops import math_ops\ny = math_ops.reduce_sum(x, 1)\n",
            "from tensorflow.python.ops import math_ops\nimport tensorflow as tf\ny = tf.compat.v1.reduce_sum(x, 1)\n",
        ),
        Example(
            "import tensorflow.compat.v1 as tf\ny = tf.mul(a, b)\n",
            "import tensorflow.compat.v1 as tf\ny = tf.multiply(a, b)\n",
        ),
        Example("import tensorflow as tf\ny = tf.multiply(a, b)\n"),
        Example("y = tf.mul(a, b)\n"),
    ),
)
