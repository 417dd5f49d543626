"""What names mean: imports, aliases, scopes."""

from __future__ import annotations

import ast

import pytest

from codemods.names import Names
from codemods.scopes import resolve


def meanings(text: str) -> dict[str, str | None]:
    """Each dotted name of the text, as written -> what it resolves to."""
    names = resolve(ast.parse(text))
    return {ast.unparse(chain): names.qualified(chain) for chain in names.chains}


@pytest.mark.parametrize(
    ("text", "use", "meaning"),
    [
        ("import tensorflow as tf\ntf.nn.relu", "tf.nn.relu", "tensorflow.nn.relu"),
        ("import tensorflow\ntensorflow.log", "tensorflow.log", "tensorflow.log"),
        ("import tensorflow.contrib.slim\ntensorflow.nn", "tensorflow.nn", "tensorflow.nn"),
        ("import tensorflow.contrib.slim as slim\nslim.conv2d", "slim.conv2d", "tensorflow.contrib.slim.conv2d"),
        ("from tensorflow.contrib import slim\nslim.conv2d", "slim.conv2d", "tensorflow.contrib.slim.conv2d"),
        ("from tensorflow import log as l\nl(1)", "l", "tensorflow.log"),
        ("from tensorflow.python.ops import rnn_cell\nrnn_cell.X", "rnn_cell.X", "tensorflow.python.ops.rnn_cell.X"),
        ("import tensorflow as tf\nslim = tf.contrib.slim\nslim.a", "slim.a", "tensorflow.contrib.slim.a"),
        ("import tensorflow as tf\na, b = tf.log, tf.exp\nb(1)", "b", "tensorflow.exp"),
        (
            "import tensorflow as tf\nflags = tf.app.flags\nF = flags.FLAGS\nF.lr",
            "F.lr",
            "tensorflow.app.flags.FLAGS.lr",
        ),
        ("import tensorflow as tf\ndef f():\n    log = tf.log\n    log(1)", "log", "tensorflow.log"),
        ("def f():\n    import tensorflow as tf\n    tf.log", "tf.log", "tensorflow.log"),
        ("try:\n    import cPickle as p\nexcept ImportError:\n    import pickle as p\np.load", "p.load", None),
        ("try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\ntf.log", "tf.log", "tensorflow.log"),
        (
            "try:\n    from tensorflow import nest\nexcept ImportError:\n    from other import nest\nnest.map",
            "nest.map",
            "tensorflow.nest.map",
        ),
        ("import tensorflow as tf\ntf = tf.compat.v1\ntf.log", "tf.log", "tensorflow.compat.v1.log"),
        (
            "from tensorflow.python.ops.rnn import *\ndynamic_rnn()",
            "dynamic_rnn",
            "tensorflow.python.ops.rnn.dynamic_rnn",
        ),
        ("from tensorflow.python.ops.rnn import *\nlen(x)", "len", None),
        ("from . import model\nmodel.build", "model.build", ".model.build"),
        ("from ..lib.nets import vgg\nvgg.a", "vgg.a", "..lib.nets.vgg.a"),
    ],
)
def test_resolves(text: str, use: str, meaning: str | None) -> None:
    assert meanings(text)[use] == meaning


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\ndef f(tf):\n    tf.log",
        "import tensorflow as tf\n[tf.log for tf in xs]",
        "import tensorflow as tf\nlambda tf: tf.log",
        "import tensorflow as tf\ntf = load()\ntf.log",
        "import tensorflow as tf\nfor tf in xs:\n    tf.log",
        "import tensorflow as tf\nwith a as tf:\n    tf.log",
        "import tensorflow as tf\ntry:\n    pass\nexcept E as tf:\n    tf.log",
        "import tensorflow as tf\ndef f():\n    tf.log\n    tf = 1",
        "import tensorflow as tf\ndef f():\n    global tf\n    tf = 1\ntf.log",
        "import tensorflow as tf\nif (tf := 1):\n    tf.log",
        "class A:\n    import tensorflow as tf\n    def f(self):\n        return tf.log",
        "a = b\nb = a\nb.log\ntf.log",
    ],
)
def test_a_name_bound_to_anything_else_means_nothing(text: str) -> None:
    assert all(meaning is None for use, meaning in meanings(text).items() if use.endswith(".log"))


def test_a_class_body_sees_its_own_names() -> None:
    assert meanings("class A:\n    import tensorflow as tf\n    x = tf.log")["tf.log"] == "tensorflow.log"


def test_defaults_belong_to_the_scope_outside() -> None:
    text = "import tensorflow as tf\ndef f(tf=tf.float32):\n    return tf.log"
    assert meanings(text)["tf.float32"] == "tensorflow.float32"
    assert meanings(text)["tf.log"] is None


def test_alias_of_finds_the_module_itself() -> None:
    def of(text: str) -> Names:
        return resolve(ast.parse(text))

    assert of("import tensorflow as T").alias_of("tensorflow") == "T"
    assert of("from tensorflow import nn").alias_of("tensorflow") is None
    assert of("def f():\n    import tensorflow as tf").alias_of("tensorflow") is None
    assert of("import tensorflow as tf\ntf = 1").alias_of("tensorflow") is None


def test_five_thousand_terms_are_no_trouble() -> None:
    names = resolve(ast.parse("import tensorflow as tf\nx = [" + ", ".join(["tf.log(1)"] * 5000) + "]"))
    assert sum(names.qualified(chain) == "tensorflow.log" for chain in names.chains) == 5000
