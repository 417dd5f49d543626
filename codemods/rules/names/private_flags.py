"""TFN006: private attributes of the FLAGS object of TensorFlow up to 1.4."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.names import in_v1
from codemods.rule import Example, Hit, Rule, Safety

_FLAGS = ("flags.FLAGS", "app.flags.FLAGS", "python.platform.flags.FLAGS")
_PRIVATE = ("__flags", "_parse_flags")


def find(node: ast.Attribute, context: Context) -> Iterator[Hit]:
    """Yields a hit on FLAGS._parse_flags() and FLAGS.__flags."""
    if node.attr not in _PRIVATE:
        return
    name = context.qualified(node) or ""
    head, _, last = name.rpartition(".")
    if not head.startswith("tensorflow.") or in_v1(head) not in _FLAGS:
        return
    flags = context.source(node.value)
    parent = context.parent(node)
    if last == "__flags":
        message = "absl's FLAGS hold no values in __flags; tf2bridge.v1.flags.FLAGS does, as in 1.4"
        text = "tf2bridge.v1.flags.FLAGS.__flags"
        yield Hit(node, message, rewrite=text, imports=("import tf2bridge.v1",))
    elif last == "_parse_flags" and isinstance(parent, ast.Call):
        message = "absl's FLAGS have no _parse_flags; a call of FLAGS parses the command line"
        if isinstance(context.parent(parent), ast.Expr):
            yield Hit(parent, message, rewrite=f"{flags}(sys.argv, known_only=True)", imports=("import sys",))
        else:
            yield Hit(
                parent,
                f"{message}, and returns the arguments that are left, with the program's name first",
                Safety.MANUAL,
                todo=True,
            )


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFN006",
    name="private-flags",
    summary="FLAGS._parse_flags() -> FLAGS(sys.argv, known_only=True), FLAGS.__flags",
    why="Up to 1.4, tf.flags was a small wrapper of argparse, and programs used its private parts. Since 1.5, "
    "tf.flags is absl's.",
    safety=Safety.SAFE,
    on=(ast.Attribute,),
    find=find,
    examples=(
        Example(
            f"{_T}FLAGS = tf.flags.FLAGS\nFLAGS._parse_flags()\n",
            f"{_T}import sys\nFLAGS = tf.flags.FLAGS\nFLAGS(sys.argv, known_only=True)\n",
        ),
        Example(
            f"{_T}FLAGS = tf.app.flags.FLAGS\nfor k, v in sorted(FLAGS.__flags.items()):\n    print(k, v)\n",
            f"{_T}import tf2bridge.v1\nFLAGS = tf.app.flags.FLAGS\n"
            "for k, v in sorted(tf2bridge.v1.flags.FLAGS.__flags.items()):\n    print(k, v)\n",
        ),
        Example(f"{_T}print(tf.flags.FLAGS.lr)\n"),
        Example("FLAGS = parser.parse_args()\nFLAGS._parse_flags()\n"),
    ),
)
