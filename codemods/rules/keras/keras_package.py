"""TFK002: `import keras` inside a graph-mode program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import in_graph_mode
from codemods.context import Context
from codemods.facts import imported_by
from codemods.old_keras import HOMES, home
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols.exports import State, status


def find(node: ast.Import | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on an import from the package keras, unless the program has its own module of that name."""
    if not _names(node) or not in_graph_mode(context) or _is_local(node, context):
        return
    message = (
        "keras is Keras 3 today, which does not work in graph mode; tf2bridge.v1.keras is the Keras of TensorFlow 1"
    )
    homes = {name: home(name) for name in _names(node)}
    missing = [name for name, package in homes.items() if package is None]
    if missing:
        yield Hit(node, f"{message}, which has no {missing[0]}", Safety.MANUAL, todo=True)
        return
    if isinstance(node, ast.ImportFrom):
        package = max((package for package in homes.values() if package), key=HOMES.index)
        module = f"{package}.{node.module}"
        yield Hit(node, message, rewrite=ast.unparse(ast.ImportFrom(module, node.names, 0)))
    else:
        lines = [_line(alias, homes.get(alias.name), context) for alias in node.names]
        yield Hit(node, message, rewrite="\n".join(dict.fromkeys(lines)))


def _names(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Returns the qualified names that the statement imports from keras."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if _of_keras(alias.name)]
    if node.level or not _of_keras(node.module or ""):
        return []
    return [str(node.module) if alias.name == "*" else f"{node.module}.{alias.name}" for alias in node.names]


def _of_keras(name: str) -> bool:
    return name.split(".")[0] == "keras"


def _line(alias: ast.alias, package: str | None, context: Context) -> str:
    """Returns the new import of one module; `import keras.layers` binds keras."""
    if package is None:
        return ast.unparse(ast.Import([alias]))
    if alias.asname and "." in alias.name:
        return f"import {package}.{alias.name} as {alias.asname}"
    return f"from {_home_of_uses(context)} import keras" + (f" as {alias.asname}" if alias.asname else "")


def _home_of_uses(context: Context) -> str:
    """Returns the package whose keras has every dotted name that the file uses, such as keras.layers.core.Dense."""
    names = [context.qualified(chain) or "" for chain in context.names.chains]
    used = [name for name in names if name.startswith("keras.")]
    lacking = [name for name in used if status(f"{HOMES[0]}.{name}").state is State.MISSING]
    only_in_second = any(status(f"{HOMES[1]}.{name}").state is State.OK for name in lacking)
    return HOMES[1] if only_in_second else HOMES[0]


def _is_local(node: ast.stmt, context: Context) -> bool:
    imported = imported_by(node)
    return imported is not None and bool(context.project.loaded(context.path, imported))


_GRAPH = "import tensorflow as tf\nsess = tf.Session()\n"

rule = Rule(
    code="TFK002",
    name="keras-package",
    summary="import keras -> from tf2bridge.v1 import keras in programs of TensorFlow 1 or Keras 2",
    why="Programs of TensorFlow 1 used the package keras (2.0 to 2.3) inside their own graphs and sessions, where "
    "Keras 3 does not work. tf2bridge.v1.keras is the Keras that TensorFlow 1 carried, with the same code. But a "
    "release of keras may have had other defaults than the TensorFlow of its time, so this rewrite needs "
    "--unsafe-fixes.",
    safety=Safety.UNSAFE,
    on=(ast.Import, ast.ImportFrom),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            f"{_GRAPH}import keras\nm = keras.models.Sequential()\n",
            f"{_GRAPH}from tf2bridge.v1 import keras\nm = keras.models.Sequential()\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_GRAPH}from keras.layers import Dense\nfrom keras import backend as K\n",
            f"{_GRAPH}from tf2bridge.v1.keras.layers import Dense\nfrom tf2bridge.v1.keras import backend as K\n",
            unsafe_fixes=True,
        ),
        Example(
            "from keras.models import Model\nfrom keras.layers.core import Dense\nm = Model(Dense(3)(x))\n",
            "from tf2bridge.v1.keras.models import Model\nfrom tf2bridge.v1.python.keras.layers.core import Dense\n"
            "m = Model(Dense(3)(x))\n",
            unsafe_fixes=True,
        ),
        Example("from keras.models import Sequential\nfrom keras.layers import Dense\nm = Sequential([Dense(3)])\n"),
        Example(
            f"{_GRAPH}import os, keras.layers, keras.backend as K\n",
            f"{_GRAPH}import os\nfrom tf2bridge.v1 import keras\nimport tf2bridge.v1.keras.backend as K\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_GRAPH}from keras.ops import relu\n",
            f"{_GRAPH}# TODO(codemods TFK002): keras is Keras 3 today, which does not work in graph mode; "
            "tf2bridge.v1.keras is the Keras of TensorFlow 1, which has no keras.ops.relu\nfrom keras.ops import "
            "relu\n",
        ),
        Example(
            f"{_GRAPH}from keras.layers.core import Dense\nfrom keras.engine.topology import Layer\n",
            f"{_GRAPH}from tf2bridge.v1.python.keras.layers.core import Dense\n"
            "from tf2bridge.v1.python.keras.engine.topology import Layer\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_GRAPH}import keras\nm = keras.layers.core.Dense(1)\n",
            f"{_GRAPH}from tf2bridge.v1.python import keras\nm = keras.layers.core.Dense(1)\n",
            unsafe_fixes=True,
        ),
        Example(f"{_GRAPH}import keras\n", reported=True),
        Example(f"{_GRAPH}import keras.layers\n", files=(("keras.py", "import tensorflow as tf\n"),)),
        Example("import tensorflow as tf\nimport keras\nm = keras.Sequential()\n"),
        Example("import keras\nm = keras.Sequential()\n"),
    ),
)
