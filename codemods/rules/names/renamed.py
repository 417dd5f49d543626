"""TFN002: names of TensorFlow 0.x that 1.0 renamed, and private paths of public names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import is_reached, named, spelled
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer
from codemods.values import keeper_of_name


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on a name whose object has another name in TensorFlow today."""
    use = named(node, context)
    if use is None or use.symbol.answer not in (Answer.SAME, Answer.COMPAT) or use.symbol.name.startswith("contrib."):
        return
    if use.symbol.target == use.symbol.name or is_reached(use):
        return
    if keeper := keeper_of_name(use.node, use.symbol, context):
        message = (
            f"a call of {use.short} becomes tf.{use.symbol.target}; as a value it becomes {keeper}, which has the old "
            "__name__"
        )
        yield Hit(use.node, message, rewrite=context.spell(keeper), imports=context.needs(keeper))
        return
    text, imports = spelled(use, context)
    yield Hit(use.node, f"{use.short} was renamed tf.{use.symbol.target}", rewrite=text, imports=imports)


rule = Rule(
    code="TFN002",
    name="renamed",
    summary="tf.mul -> tf.multiply, tf.initialize_all_variables -> tf.compat.v1.global_variables_initializer",
    why="TensorFlow 1.0 renamed these functions; the new ones compute the same. The rules for arguments (TFA) rewrite "
    "arguments that were renamed with the function. A function that is passed on, as in `Register(tf.mul)`, becomes "
    "one that keeps the old __name__, because registries and tests read it: tf2bridge.v1 has functions with the old "
    "names.",
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
        Example(
            "import tensorflow as tf\nRegister(tf.complex_abs)\nRegister(tf.abs)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nRegister(tf2bridge.v1.complex_abs)\nRegister(tf.abs)\n",
        ),
        Example(
            "import tensorflow as tf\nops = [tf.initialize_all_variables, tf.sub]\n",
            "import tensorflow as tf\nimport tf2bridge.v1\n"
            "ops = [tf.compat.v1.initialize_all_variables, tf2bridge.v1.sub]\n",
        ),
        Example(
            "import functools\nimport tensorflow as tf\ny = functools.reduce(tf.mul, xs)\nf = tf.sub\nz = f(a, b)\n",
            "import functools\nimport tensorflow as tf\ny = functools.reduce(tf.multiply, xs)\n"
            "f = tf.subtract\nz = f(a, b)\n",
        ),
        Example("import tensorflow as tf\ny = tf.multiply(a, b)\n"),
        Example("y = tf.mul(a, b)\n"),
    ),
)
