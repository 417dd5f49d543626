"""TFN009: the TensorFlow module is passed on as a value, so that uses of its names cannot be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import in_graph_mode
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

_HOLDERS = (ast.keyword, ast.arguments, ast.Return, ast.Dict, ast.List)
# Functions that look at the module itself and not at its names; TFN008 rewrites getattr.
_LOOKING = frozenset(["getattr", "id", "print", "reload", "repr", "str", "type"])


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on `self.tf = tf`, `def f(tf=tf)`, `f(tf)`, `hasattr(tf, "x")` in a program of TensorFlow 1."""
    if not isinstance(node, ast.Name) or context.qualified(node) != "tensorflow" or not in_graph_mode(context):
        return
    if not _is_handed_on(node, context):
        return
    if _is_asked(node, context):
        message = "hasattr looks in TensorFlow 2 here; the names of TensorFlow 1 are in tf.compat.v1 today"
        yield Hit(node, message, rewrite=context.spell("tensorflow.compat.v1"))
    elif context.era.is_0x:
        message = (
            "the TensorFlow module is passed on, and codemods cannot rewrite the calls made through it; name "
            "its functions here"
        )
        yield Hit(node, message, Safety.MANUAL, todo=True)
    else:
        message = "the TensorFlow module is passed on; the names of TensorFlow 1 are in tf.compat.v1 today"
        yield Hit(node, message, rewrite=context.spell("tensorflow.compat.v1"))


def _is_asked(node: ast.Name, context: Context) -> bool:
    """Returns whether the module is the first argument of hasattr, which returns a bool and passes nothing on."""
    parent = context.parent(node)
    return isinstance(parent, ast.Call) and getattr(parent.func, "id", "") == "hasattr" and parent.args[:1] == [node]


def _is_handed_on(node: ast.Name, context: Context) -> bool:
    parent = context.parent(node)
    if isinstance(parent, ast.Call):
        name = getattr(parent.func, "id", getattr(parent.func, "attr", ""))
        return parent.func is not node and name not in _LOOKING
    if isinstance(parent, ast.Assign):
        inside = isinstance(context.parent(parent), ast.ClassDef)
        return inside or not all(isinstance(target, ast.Name | ast.Tuple) for target in parent.targets)
    return isinstance(parent, _HOLDERS)


_P = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"

rule = Rule(
    code="TFN009",
    name="module-value",
    summary="self.tf = tf, def f(tf=tf), f(tf), hasattr(tf, 'x') -> tf.compat.v1",
    why="The names of a module are used wherever the module is passed to: `self.tf.nn.dropout(x, 0.9)` drops nine "
    "values in ten if self.tf is TensorFlow 2, and one if it is tf.compat.v1. codemods follows another name in the "
    "same file (`t = tf`). It does not follow an attribute, a parameter or a return value. Calls in a program of 0.x "
    "have other argument orders, so there a person has to look.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("tensorflow",),
    find=find,
    targets=("compat",),
    examples=(
        Example(
            f"{_P}class A:\n    def __init__(self):\n        self.tf = tf\n",
            f"{_P}class A:\n    def __init__(self):\n        self.tf = tf.compat.v1\n",
        ),
        Example(f"{_P}def f(x, tf=tf):\n    return x\n", f"{_P}def f(x, tf=tf.compat.v1):\n    return x\n"),
        Example(f"{_P}y = build(tf, backend=tf)\n", f"{_P}y = build(tf.compat.v1, backend=tf.compat.v1)\n"),
        Example(f'{_P}y = hasattr(tf, "log")\n', f'{_P}y = hasattr(tf.compat.v1, "log")\n'),
        Example(
            f'{_P}y = tf.add if hasattr(tf, "mul") else tf.nn.relu\n',
            f'{_P}y = tf.add if hasattr(tf.compat.v1, "mul") else tf.nn.relu\n',
            from_version="0.12",
        ),
        Example(
            f"{_P}y = build(tf)\n",
            "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n# TODO(codemods TFN009): the TensorFlow module "
            "is passed on, and codemods cannot rewrite the calls made through it; name its functions here\ny = "
            "build(tf)\n",
            from_version="0.12",
        ),
        Example(f"{_P}t = tf\ny = t.nn.relu(x)\n"),
        Example(f"{_P}y = np if tf is None else 1\nprint(tf)\n"),
        Example("import tensorflow as tf\nw = tf.summary.create_file_writer(d)\ny = build(tf)\n"),
        Example("import mine as tf\nx = tf.placeholder(1)\ny = build(tf)\n"),
    ),
)
