"""TFK003: names that Keras 3 dropped, in programs that do not show which TensorFlow they are for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import in_graph_mode, is_reached, named
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.symbols import Answer
from codemods.symbols.exports import State, guarded, status


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a finding on a tf.keras name that only tf2bridge.v1.keras has, if the program may be of TensorFlow 2."""
    use = named(node, context)
    if use is None or use.symbol.answer is not Answer.BRIDGE or not use.symbol.name.startswith("keras."):
        return
    if is_reached(use) or in_graph_mode(context) or node in guarded(context.names):
        return
    if status(f"tensorflow.{use.symbol.name}").state is State.MISSING:
        message = (
            f"{use.short}: Keras 3 has no such name; tf2bridge.v1.{use.symbol.target} has it: if this is a program of "
            "TensorFlow 1.x, give its release (--from-version), else replace it by hand"
        )
        yield Hit(use.node, message, todo=True)


_SAID = (
    "tf.keras.utils.multi_gpu_model: Keras 3 has no such name; tf2bridge.v1.keras.utils.multi_gpu_model has it: if "
    "this is a program of TensorFlow 1.x, give its release (--from-version), else replace it by hand"
)

rule = Rule(
    code="TFK003",
    name="dropped-keras-name",
    summary="names that Keras 3 dropped, in a program that may be of TensorFlow 2",
    why="Nothing shows whether the program ran on TensorFlow 1 or 2. In a program of TensorFlow 1, all of tf.keras "
    "becomes tf2bridge.v1.keras, which has the name. A model of Keras 3 does not work with it.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            "import tensorflow as tf\nm = tf.keras.utils.multi_gpu_model(m, 2)\n",
            f"import tensorflow as tf\n# TODO(codemods TFK003): {_SAID}\nm = tf.keras.utils.multi_gpu_model(m, 2)\n",
        ),
        Example("import tensorflow as tf\nm = tf.keras.Sequential()\n"),
    ),
)
