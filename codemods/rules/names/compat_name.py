"""TFN001: names of TensorFlow 1 that are under tf.compat.v1 today."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import is_reached, named, spelled
from codemods.context import Context
from codemods.plain import needs_no_compat
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on a name that is gone from tf itself, or means something else in TensorFlow 2."""
    use = named(node, context)
    if use is None or use.symbol.answer is not Answer.COMPAT or use.symbol.target != use.symbol.name or is_reached(use):
        return
    if use.root_name == "tensorflow" and needs_no_compat(use.node, use.symbol, context):
        return
    text, imports = spelled(use, context)
    yield Hit(
        use.node, f"{use.short} is tf.compat.v1.{use.symbol.target} in TensorFlow 2", rewrite=text, imports=imports
    )


rule = Rule(
    code="TFN001",
    name="compat-name",
    summary="tf.placeholder -> tf.compat.v1.placeholder",
    why="TensorFlow 2 keeps the names of 1.15 under tf.compat.v1. Some of them are gone from tf itself; others are "
    "there but compute something else. A name stays as it is where tf.X and tf.compat.v1.X are one object. It also "
    "stays in a file of TensorFlow 2 (names that only TensorFlow 2 has, in the file or in the files around it, show "
    "this), in a call whose arguments only the function of TensorFlow 2 takes, and in a call that was measured to "
    "build the same nodes by either name. tf.reduce_sum(x, 1) builds the same nodes; tf.reduce_sum(x, keep_dims=True) "
    "and tf.where(a, b, c) do not. A function whose every call builds the same nodes stays as a value, too: "
    "activation=tf.nn.tanh.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            "import tensorflow as tf\nx = tf.train.__dict__[name](1)\nfor f in tf.nn.__dict__.values():\n    f(x)\n",
            "import tensorflow as tf\nx = tf.compat.v1.train.__dict__[name](1)\n"
            "for f in tf.compat.v1.nn.__dict__.values():\n    f(x)\n",
        ),
        Example(
            "import tensorflow as tf\nv = tf.Variable(1)\nprint(isinstance(v, (tf.Variable, tf.Tensor)))\n",
            "import tensorflow as tf\nv = tf.compat.v1.Variable(1)\nprint(isinstance(v, (tf.Variable, tf.Tensor)))\n",
        ),
        Example(
            "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n",
            "import tensorflow as tf\nx = tf.compat.v1.placeholder(tf.float32)\n",
        ),
        Example(
            "import tensorflow as tf\nflags = tf.app.flags\nFLAGS = flags.FLAGS\nprint(FLAGS.lr)\n",
            "import tensorflow as tf\nflags = tf.compat.v1.app.flags\nFLAGS = flags.FLAGS\nprint(FLAGS.lr)\n",
        ),
        Example(
            "import tensorflow as tf\nlog = tf.log\ny = log(tf.to_float(x))\n",
            "import tensorflow as tf\nlog = tf.compat.v1.log\ny = log(tf.compat.v1.to_float(x))\n",
        ),
        Example(
            "from tensorflow import *\nx = placeholder(float32)\n",
            "from tensorflow import *\nimport tensorflow as tf\nx = tf.compat.v1.placeholder(float32)\n",
        ),
        Example(
            "from numpy import *\nfrom tensorflow import *\nx = array(placeholder(float32))\n",
            "from numpy import *\nfrom tensorflow import *\nimport tensorflow as tf\n"
            "x = array(tf.compat.v1.placeholder(float32))\n",
        ),
        Example(
            "import tensorflow\nx = tensorflow.placeholder(tensorflow.float32)\n",
            "import tensorflow\nx = tensorflow.compat.v1.placeholder(tensorflow.float32)\n",
        ),
        Example("import tensorflow.compat.v1 as tf\nx = tf.placeholder(tf.float32)\n"),
        Example("import tensorflow as tf\ny = tf.nn.relu(tf.matmul(a, b))\n"),
        Example(
            "import tensorflow as tf\nw = tf.summary.create_file_writer(d)\ntf.summary.scalar('loss', x, step=1)\n",
        ),
        Example("import tensorflow as tf\ny = tf.nn.max_pool(input=x, ksize=2, strides=2, padding='SAME')\n"),
        Example(
            "import tensorflow as tf\ny = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')\n",
            "import tensorflow as tf\ny = tf.compat.v1.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')\n",
        ),
        Example(
            "import tensorflow as tf\ny = tf.reduce_sum(tf.constant(a, tf.float32), 1, keep_dims=True)\n",
            "import tensorflow as tf\ny = tf.compat.v1.reduce_sum(tf.constant(a, tf.float32), 1, keep_dims=True)\n",
        ),
        Example(
            "import tensorflow as tf\nf = tf.reduce_sum\ng = tf.shape(x, 'shape')\n",
            "import tensorflow as tf\nf = tf.compat.v1.reduce_sum\ng = tf.compat.v1.shape(x, 'shape')\n",
        ),
        Example(
            "import tensorflow as tf\nwith tf.device(f), tf.name_scope(n):\n    y = tf.where(a, b, c)\n",
            "import tensorflow as tf\nwith tf.compat.v1.device(f), tf.compat.v1.name_scope(n):\n"
            "    y = tf.compat.v1.where(a, b, c)\n",
        ),
        Example("import tensorflow as tf\ny = tf.reduce_sum(x, axis=1, name='sum')\nn = tf.argmax(y, 1)\n"),
        Example("import tensorflow as tf\ny = tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME')\nn = tf.shape(y)[0]\n"),
        Example("import tensorflow as tf\nwith tf.device('/gpu:%d' % i), tf.name_scope('a'):\n    y = f(x)\n"),
        Example("import tensorflow as tf\nwith tf.name_scope('train' if training else 'test'):\n    y = f(x)\n"),
        Example("import tensorflow as tf\ny = f(x, tf.nn.tanh)\nz = tf.zeros_like(y)\n"),
        Example(
            "import tensorflow as tf\nloss = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)\n"
            "nothing = tf.zeros_like(y, tf.int32)\n",
            "import tensorflow as tf\nloss = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)\n"
            "nothing = tf.compat.v1.zeros_like(y, tf.int32)\n",
        ),
        Example("import mine as tf\nx = tf.placeholder(tf.float32)\n"),
        Example("import tensorflow as tf\ndef f(tf):\n    return tf.placeholder(1)\n"),
    ),
)
