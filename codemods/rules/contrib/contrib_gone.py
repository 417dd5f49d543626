"""TFC003: names of contrib that nothing replaces."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import gone
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.stand_in import in_assignment
from codemods.symbols.exports import guarded


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a finding on a name that is gone, with the nearest name; in an assignment also a stand-in for the name."""
    use = gone(node, context)
    if use is None or not use.symbol.name.startswith("contrib."):
        return
    hint = f"; the nearest is {use.symbol.nearest}" if use.symbol.nearest else "; replace it by hand"
    yield Hit(use.node, f"{use.short}: {use.symbol.reason}{hint}", todo=True)
    late = in_assignment(use.node, use.symbol.name, context) if use.node is node else None
    if late is not None and node not in guarded(context.names):
        yield late


rule = Rule(
    code="TFC003",
    name="contrib-gone",
    summary="names of contrib that neither TensorFlow 2.21 nor tf2bridge has",
    why="tf.contrib was removed in 2.0. The nearest name may have other defaults and other variable names, so a "
    "person has to choose. A TODO marks the place.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            "import tensorflow as tf\nff = tf.contrib.ffmpeg\n",
            "import tensorflow as tf\nimport tf2bridge.v1\n# TODO(codemods TFC003): tf.contrib.ffmpeg: tf.contrib was "
            'removed in TensorFlow 2.0; the nearest is tf.audio\nff = tf2bridge.v1.unavailable("contrib.ffmpeg")\n',
        ),
        Example(
            "import tensorflow as tf\ny = tf.contrib.nothing.at_all(x)\n",
            "import tensorflow as tf\n# TODO(codemods TFC003): tf.contrib.nothing.at_all: tf.contrib was removed in "
            "TensorFlow 2.0; replace it by hand\ny = tf.contrib.nothing.at_all(x)\n",
        ),
        Example(
            "from tf2bridge.v1.contrib import opt\no = opt.GGTOptimizer(0.1)\n",
            "from tf2bridge.v1.contrib import opt\n# TODO(codemods TFC003): tf.contrib.opt.GGTOptimizer: tf.contrib "
            "was removed in TensorFlow 2.0; the nearest is tf.compat.v1.train\no = opt.GGTOptimizer(0.1)\n",
        ),
        Example(
            "from tensorflow.contrib import rnn\ncell = rnn.nothing(8)\n",
            "from tensorflow.contrib import rnn\n# TODO(codemods TFC003): tf.contrib.rnn.nothing: tf.contrib was "
            "removed in TensorFlow 2.0; the nearest is tf2bridge.v1.contrib.rnn\ncell = rnn.nothing(8)\n",
        ),
        Example("from tf2bridge.v1.contrib import slim\ni = slim.init_ops.zeros_initializer()\n"),
        Example("from tf2bridge.v1.contrib import rnn\ncell = rnn.BasicLSTMCell(8)\n"),
        Example("import tensorflow as tf\ninit = tf.contrib.layers.xavier_initializer()\n"),
        Example("from mine import contrib\ny = contrib.nothing.at_all(x)\n"),
    ),
)
