"""TFN004: names of TensorFlow 1 that nothing replaces."""

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
    if use is None or use.symbol.name.startswith("contrib."):
        return
    hint = f"; the nearest is {use.symbol.nearest}" if use.symbol.nearest else "; replace it by hand"
    yield Hit(use.node, f"{use.short}: {use.symbol.reason}{hint}", todo=True)
    late = in_assignment(use.node, use.symbol.name, context) if use.node is node else None
    if late is not None and node not in guarded(context.names):
        yield late


rule = Rule(
    code="TFN004",
    name="gone-name",
    summary="names that neither TensorFlow 2.21 nor tf2bridge has",
    why="Neither TensorFlow 2.21 nor tf2bridge computes what these names did, so a person has to choose a "
    "replacement. A TODO marks the place and gives the nearest name.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            "import tensorflow as tf\ntf.graph_util.set_cpu0('')\n",
            "import tensorflow as tf\n# TODO(codemods TFN004): tf.graph_util.set_cpu0: "
            "TensorFlow 2.21 has no such name; replace it by hand\ntf.graph_util.set_cpu0('')\n",
        ),
        Example("import tensorflow as tf\ny = tf.nn.relu(x)\n"),
        Example("import tensorflow as tf\ny = tf.contrib.slim.nothing(x)\n"),
    ),
)
