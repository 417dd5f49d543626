"""TFN003: names that TensorFlow 2.21 lacks, or has only for Keras 3, and that tf2bridge.v1 has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import is_reached, named, spelled
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer

_ELSEWHERE = ("contrib", "keras")  # the families TFC and TFK rewrite these names


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on a name that tf2bridge supplies: tf.layers, tf.nn.rnn_cell, the summaries of 0.x and others."""
    use = named(node, context)
    if use is None or use.symbol.answer is not Answer.BRIDGE or use.symbol.name.split(".")[0] in _ELSEWHERE:
        return
    if is_reached(use) or (context.target == "bridge" and use.symbol.namespace == "tf2bridge.v1"):
        return
    text, imports = spelled(use, context)
    message = f"{use.short} does not work in TensorFlow 2.21; {use.symbol.qualified} computes the same"
    yield Hit(use.node, message, rewrite=text, imports=imports, alone=context.target == "bridge")


rule = Rule(
    code="TFN003",
    name="bridged-name",
    summary="tf.layers, tf.nn.rnn_cell, tf.scalar_summary, tf.nn.rnn -> tf2bridge.v1",
    why="With Keras 3, TensorFlow 2.21 refuses tf.compat.v1.layers and tf.compat.v1.nn.rnn_cell. tf.scalar_summary of "
    "0.x writes its tag unchanged; tf.summary.scalar puts the name scope before it and allows no spaces. tf.nn.rnn "
    "has another default scope than static_rnn, and therefore other variable names. tf2bridge.v1 has all of these as "
    "they were. A program of 0.x gets its cells and loops from tf2bridge.v0. There MultiRNNCell([cell] * 2) makes "
    "variables for each layer, where 1.x shares them, and variables keep the names of old checkpoints, "
    "RNN/BasicLSTMCell/Linear/Matrix. tf2bridge.v1 also has tf.python, which TensorFlow 2 does not expose.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            "import tensorflow as tf\nfrom tensorflow.python.ops import init_ops\nx = tf.placeholder(tf.float32)\n\n\n"
            "class Mine(init_ops.Initializer):\n    pass\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nfrom tensorflow.python.ops import init_ops\n"
            "x = tf.placeholder(tf.float32)\n\n\nclass Mine(tf2bridge.v1.keras.initializers.Initializer):\n    pass\n",
        ),
        Example(
            "import tensorflow as tf\nfrom tensorflow import python as tfp\ny = tfp.layers.dense(x, 10)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nfrom tensorflow import python as tfp\n"
            "y = tf2bridge.v1.python.layers.dense(x, 10)\n",
        ),
        Example(
            "import tensorflow as tf\nif hasattr(tf.estimator, 'train'):\n    e = tf.estimator\n",
            "import tensorflow as tf\nimport tf2bridge.v1\n"
            "if hasattr(tf2bridge.v1.estimator, 'train'):\n    e = tf2bridge.v1.estimator\n",
        ),
        Example(
            "import tensorflow as tf\ncell = tf.nn.rnn_cell.MultiRNNCell([cell] * 2)\n",
            "import tensorflow as tf\nimport tf2bridge.v0\ncell = tf2bridge.v0.nn.rnn_cell.MultiRNNCell([cell] * 2)\n",
            from_version="0.12",
        ),
        Example(
            "import tensorflow as tf\ny, s = tf.nn.dynamic_rnn(cell, x)\n",
            "import tensorflow as tf\nimport tf2bridge.v0\ny, s = tf2bridge.v0.nn.dynamic_rnn(cell, x)\n",
            target="bridge",
            from_version="0.12",
        ),
        Example(
            "import tensorflow as tf\ny = tf.layers.dense(x, 10)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ny = tf2bridge.v1.layers.dense(x, 10)\n",
        ),
        Example(
            "import tensorflow as tf\ncell = tf.nn.rnn_cell.BasicLSTMCell(8)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ncell = tf2bridge.v1.nn.rnn_cell.BasicLSTMCell(8)\n",
        ),
        Example(
            "import tensorflow as tf\ns = tf.scalar_summary('loss (train)', loss)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ns = tf2bridge.v1.scalar_summary('loss (train)', loss)\n",
        ),
        Example(
            "import tensorflow as tf\nrnn_cell = tf.nn.rnn_cell\ncell = rnn_cell.GRUCell(8)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nrnn_cell = tf2bridge.v1.nn.rnn_cell\n"
            "cell = rnn_cell.GRUCell(8)\n",
        ),
        Example(
            "import tensorflow as tf\nnn = tf.nn\ncell = nn.rnn_cell.GRUCell(8)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\nnn = tf.nn\ncell = tf2bridge.v1.nn.rnn_cell.GRUCell(8)\n",
        ),
        Example(
            "import tensorflow.compat.v1 as tf\ny = tf.layers.flatten(x)\n",
            "import tensorflow.compat.v1 as tf\nimport tf2bridge.v1\ny = tf2bridge.v1.layers.flatten(x)\n",
        ),
        Example(
            "import tensorflow as tf\nd = tf.python.client.device_lib.list_local_devices()\n",
            "import tensorflow as tf\nimport tf2bridge.v1\n"
            "d = tf2bridge.v1.python.client.device_lib.list_local_devices()\n",
        ),
        Example(
            "import tensorflow as tf\ny = tf.python.control_flow_ops.with_dependencies([a], b)\n",
            "import tensorflow as tf\nimport tf2bridge.v1\n"
            "y = tf2bridge.v1.python.ops.control_flow_ops.with_dependencies([a], b)\n",
        ),
        Example("from tensorflow.python.client import device_lib\nd = device_lib.list_local_devices()\n"),
        Example("import tensorflow as tf\nimport tf2bridge.v1\ny = tf2bridge.v1.layers.dense(x, 10)\n"),
        Example(
            "import tensorflow as tf\ntry:\n    image_summary = tf.image_summary\nexcept AttributeError:\n"
            "    image_summary = tf.summary.image\n",
        ),
        Example("from mine import layers\ny = layers.dense(x, 10)\n"),
    ),
)
