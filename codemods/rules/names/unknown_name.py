"""TFN007: names that neither the recorded old releases of TensorFlow nor today's TensorFlow has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import known, of_0x
from codemods.context import Context
from codemods.names import in_v1, root_of
from codemods.rule import Example, Hit, Rule, Safety, Use, rename
from codemods.symbols import RELEASES, Answer, longest
from codemods.symbols.exports import State, guarded, status

_ASKED = f"{', '.join(RELEASES[:-1])} and {RELEASES[-1]}"
_HEADS = ("tensorflow.", "tf2bridge.v1.", "tf2bridge.v0.")


def find(node: ast.expr | ast.Import | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a finding on a name that does not exist and that no other rule reports."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _imports(node, context)
        return
    name = context.qualified(node) or ""
    if not name.startswith(_HEADS) or status(name).state is not State.MISSING:
        return
    root = root_of(node)
    start = context.qualified(root) if root is not None else None
    if start is None or _is_known(name, context) or node in guarded(context.names):
        return
    in_compat = f"tensorflow.compat.v1.{name.removeprefix('tensorflow.')}"
    if start == "tensorflow" and isinstance(node, ast.Attribute) and status(in_compat).state is not State.MISSING:
        yield rename(context, node, in_compat, f"{name} is {in_compat} today", Safety.SAFE)
    elif start in ("tensorflow", "tensorflow.compat.v1", "tf2bridge") or status(start).state is not State.MISSING:
        yield Hit(node, _message(name), todo=True)


def _imports(node: ast.Import | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields findings on imports from tf2bridge; TFN005 reports imports from TensorFlow."""
    if isinstance(node, ast.ImportFrom) and node.level:
        return
    module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        name = f"{module}{alias.name}".removesuffix(".*")
        if not name.startswith("tf2bridge.") or status(name).state is not State.MISSING:
            continue
        if not _is_known(name, context) and node not in guarded(context.names):
            yield Hit(node, _message(name), todo=True)


def _is_known(qualified: str, context: Context) -> bool:
    """Returns whether part of the name is a known symbol, which another rule reports or leaves alone for a reason."""
    if context.target == "bridge" and not qualified.startswith("tensorflow.compat"):
        return True
    name = qualified.replace("tf2bridge.v1.", "tensorflow.").replace("tf2bridge.v0.", "tensorflow.")
    if in_v1(name).startswith("contrib"):
        return True
    part = name
    while "." in part:
        symbol = known(part, of_0x(context))
        if symbol is not None:  # a name below a module has to be known itself
            return part == name or not symbol.module or symbol.answer is Answer.DEAD
        part = part.rpartition(".")[0]
    return False


def _message(name: str) -> str:
    head = in_v1(name)
    match = longest(head)
    part = name if match is None else f"tensorflow.{match[0].name}.{match[1].split('.')[0]}"
    part = status(name).part if match is None or not match[1] else part
    return f"{part} does not exist today, and {_ASKED} did not export it; it may be of another release, or misspelled"


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFN007",
    name="unknown-name",
    summary="names of TensorFlow that neither 2.21 nor a recorded old release has",
    why="A use of a name that does not exist fails when the line runs. The name may be of a release before 0.12, of a "
    "branch that runs only on other releases, or misspelled, so a person has to look.",
    safety=Safety.MANUAL,
    on=(Use, ast.Import, ast.ImportFrom),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            f"{_T}y = tf.nn.no_such_thing(x)\n",
            f"{_T}# TODO(codemods TFN007): tensorflow.nn.no_such_thing does not exist today, and 0.12.1, 1.4.1, "
            "1.12.3 and 1.15.5 did not export it; it may be of another release, or misspelled"
            "\ny = tf.nn.no_such_thing(x)\n",
        ),
        Example(
            f"{_T}FLAGS = tf.app.flags._FlagValues()\n",
            f"{_T}# TODO(codemods TFN007): tensorflow.app.flags._FlagValues does not exist today, and 0.12.1, 1.4.1, "
            "1.12.3 and 1.15.5 did not export it; it may be of another release, or misspelled"
            "\nFLAGS = tf.app.flags._FlagValues()\n",
        ),
        Example(
            "import tensorflow.compat.v1 as tf\ny = tf.random_ops.random_uniform([3])\n",
            "import tensorflow.compat.v1 as tf\n# TODO(codemods TFN007): tensorflow.compat.v1.random_ops does not "
            "exist today, and 0.12.1, 1.4.1, 1.12.3 and 1.15.5 did not export it; it may be of another release, or "
            "misspelled\ny = tf.random_ops.random_uniform([3])\n",
        ),
        Example(f"{_T}patch = tf.test.mock.patch\n", f"{_T}patch = tf.compat.v1.test.mock.patch\n"),
        Example(f"{_T}y = tf.nn.relu(x)\n"),
        Example(f"{_T}y = tf.mul(a, b)\n"),
        Example(f"{_T}y = tf.contrib.slim.conv2d(x, 8, 3)\n"),
        Example(f"{_T}try:\n    f = tf.no_such_thing\nexcept AttributeError:\n    f = None\n"),
        Example("import mine as tf\ny = tf.no_such_thing(x)\n"),
    ),
)
