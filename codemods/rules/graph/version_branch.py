"""TFG004: branches on TensorFlow's version in a program that runs in graph mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from codemods.answers import in_graph_mode
from codemods.branches import TENSORFLOW_VERSIONS, changed_since_1x, outcome
from codemods.context import Context
from codemods.names import Names, in_v1
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import Answer, longest
from codemods.symbols.exports import State, status
from codemods.variables import variable_of

_VERSIONS = ("__version__", "VERSION")
_TAKEN = (
    "this takes the branch for TensorFlow 2, but the rest of the program is in graph mode: keep only the branch for "
    "1.x and run codemods again, or test with hasattr for the name that a branch uses"
)
_holders: WeakKeyDictionary[Names, frozenset[str]] = WeakKeyDictionary()
_naming: WeakKeyDictionary[Names, bool] = WeakKeyDictionary()


def find(node: ast.If | ast.IfExp | ast.Assign | ast.Return | ast.Assert, context: Context) -> Iterator[Hit]:
    """Yields a finding on a condition whose value differs on TensorFlow 2, in a program of graphs."""
    if not _names_a_version(context):
        return
    if isinstance(node, ast.Assert):
        if _fails(node.test, context) and in_graph_mode(context):
            yield Hit(node, "this asks for an older TensorFlow, and fails on TensorFlow 2", todo=True)
        return
    test = node.test if isinstance(node, ast.If | ast.IfExp) else node.value
    today = _today(test, context) if test is not None else None
    if today is None or not in_graph_mode(context):
        return
    if isinstance(node, ast.Assign | ast.Return):
        message = (
            f"this is {today} on TensorFlow 2, and the program is in graph mode: branches for 1.x need {not today}"
        )
        yield Hit(node, message, todo=True)
    elif _matters(_branch(node, today, context), context):
        yield Hit(node, _TAKEN, todo=True)


def _names_a_version(context: Context) -> bool:
    """Returns whether the file contains one of the names in _VERSIONS.

    The answer is kept, because every node asks for it.
    """
    names = context.names
    if names not in _naming:
        _naming[names] = any(word in context.text for word in _VERSIONS)
    return _naming[names]


def _today(test: ast.expr, context: Context) -> bool | None:
    """Returns the value of a condition today, if it differs on TensorFlow 2; a variable may hold the version."""

    def assigned(name: ast.expr) -> ast.expr | None:
        if not isinstance(name, ast.Name) or name.id not in _holders_of_version(context):
            return None
        variable = variable_of(name, context)
        value = variable.values[0] if variable is not None and len(variable.values) == 1 else None
        if value is None or changed_since_1x(value, context.qualified) is not None:
            return None  # the finding is at the assignment of this value
        return value

    return changed_since_1x(test, context.qualified, assigned)


def _holders_of_version(context: Context) -> frozenset[str]:
    """Returns the names of the variables that are assigned a value made from TensorFlow's version."""
    names = context.names
    if names not in _holders:
        versions = (
            chain for chain in names.chains if any(name in TENSORFLOW_VERSIONS for _, name in context.prefixes(chain))
        )
        statements = (context.statement(chain) for chain in versions)
        targets = (target for node in statements if isinstance(node, ast.Assign) for target in node.targets)
        _holders[names] = frozenset(
            node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
        )
    return _holders[names]


def _fails(test: ast.expr, context: Context) -> bool:
    """Returns whether a condition is false today because of TensorFlow's version."""
    return outcome(test, context.qualified) is False and outcome(test, context.qualified, False) is None


def _branch(node: ast.If | ast.IfExp, today: bool, context: Context) -> Sequence[ast.AST]:
    """Returns the statements that run only on TensorFlow 2; after `if old: return a` that is the rest of the block."""
    if isinstance(node, ast.IfExp):
        return [node.body if today else node.orelse]
    if today or node.orelse or not isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break):
        return node.body if today else node.orelse
    blocks = (getattr(context.parent(node), field, []) for field in ("body", "orelse", "finalbody"))
    return next((block[block.index(node) + 1 :] for block in blocks if node in block), [])


def _matters(branch: Sequence[ast.AST], context: Context) -> bool:
    """Returns whether a branch does more than use names of TensorFlow that work in graph mode."""
    if all(isinstance(statement, ast.Pass) for statement in branch):
        return False
    inside = {node for statement in branch for node in ast.walk(statement)}
    if any(isinstance(node, ast.Raise) for node in branch):
        return True
    used = {context.qualified(chain) or "" for chain in context.names.chains if chain in inside}
    for node in inside:
        if isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names if alias.name != "tensorflow"}
        elif isinstance(node, ast.ImportFrom):
            used |= {f"{node.module}.{alias.name}" for alias in node.names}
    named = [name for name in used if name.startswith(("tensorflow.", "tf2bridge."))]
    return not named or not all(map(_works_in_graphs, named))


def _works_in_graphs(name: str) -> bool:
    """Returns whether TensorFlow 1 had the name, so that the rewritten program has it as it was."""
    short = in_v1(in_v1(name))
    if short == "compat.v1" or short.startswith(("disable_", "tf2bridge.")):
        return True
    if short.startswith(("keras", "python.")):
        return False
    match = longest(short)
    if match is None or match[0].answer is Answer.DEAD:
        return False
    return not match[1] or not match[0].module or status(f"tensorflow.compat.v1.{short}").state is State.OK


_T = "import tensorflow as tf\n"
_D = "from distutils.version import LooseVersion\n"
_G = "x = tf.placeholder(tf.float32)\n"
_TODO = f"# TODO(codemods TFG004): {_TAKEN}\n"


def _noted(text: str) -> Example:
    """Returns an example of a finding; `@` marks where the TODO goes."""
    return Example(text.replace("@", ""), text.replace("@", _TODO))


rule = Rule(
    code="TFG004",
    name="version-branch",
    summary="if LooseVersion(tf.__version__) >= '2.0': ... runs in a program in graph mode, too",
    why="A program that supports both releases chooses by the version, which is 2 today. But the rewritten program is "
    "in graph mode, and its other code is that of 1.x. So the branch for TensorFlow 2 may be the wrong one: it may "
    "call Optimizer._compute_gradients of TensorFlow 2 in place of compute_gradients. A person has to look. A branch "
    "that uses only what TensorFlow 1 had too, such as tf.compat.v1, is right as it is.",
    safety=Safety.MANUAL,
    on=(ast.If, ast.IfExp, ast.Assign, ast.Return, ast.Assert),
    find=find,
    targets=("compat",),
    examples=(
        _noted(
            f"{_T}{_D}{_G}@if LooseVersion(tf.__version__) < LooseVersion('2.0.0'):\n"
            "    f = tf.train.Optimizer.compute_gradients\nelse:\n    f = tf.optimizers.Optimizer._compute_gradients\n"
        ),
        _noted(f"{_T}{_G}@if tf.VERSION.startswith('1.'):\n    a = 1\nelif b:\n    a = 2\n"),
        _noted(f"{_T}{_G}if b:\n    a = 1\n@elif tf.__version__ >= '2':\n    a = 2\n"),
        _noted(
            f"{_T}{_G}@if tuple(map(int, tf.__version__.split('.')[:2])) >= (2, 0):\n"
            "    raise ImportError('this needs TensorFlow 1')\n"
        ),
        _noted(f"{_T}{_G}@k = tf.keras.layers if tf.__version__ > '2' else tf.layers\n"),
        Example(
            f"{_T}{_G}def f():\n    if tf.__version__ < '2':\n        return tf.log(x)\n"
            "    return tf.optimizers.Adam(g)\n",
            f"{_T}{_G}def f():\n    {_TODO}    if tf.__version__ < '2':\n        return tf.log(x)\n"
            "    return tf.optimizers.Adam(g)\n",
        ),
        _noted(f"{_T}{_G}major = int(tf.__version__.split('.')[0])\n@if major >= 2:\n    y = g(x)\n"),
        _noted(
            f"{_T}{_D}{_G}version = LooseVersion(tf.__version__)\n@if version >= LooseVersion('2.0'):\n    y = g(x)\n"
        ),
        Example(
            f"{_T}{_G}IS_TF2 = tf.__version__.startswith('2.')\nif IS_TF2:\n    y = g(x)\n",
            f"{_T}{_G}# TODO(codemods TFG004): this is True on TensorFlow 2, and the program is in graph mode: "
            "branches for 1.x need False\nIS_TF2 = tf.__version__.startswith('2.')\nif IS_TF2:\n    y = g(x)\n",
        ),
        Example(
            f"{_T}{_G}assert tf.__version__.startswith('1.4')\n",
            f"{_T}{_G}# TODO(codemods TFG004): this asks for an older TensorFlow, and fails on TensorFlow 2\n"
            "assert tf.__version__.startswith('1.4')\n",
        ),
        Example(
            f"{_T}import model\nif tf.__version__ < '2':\n    a = 1\nelse:\n    a = 2\n",
            f"{_T}import model\n{_TODO}if tf.__version__ < '2':\n    a = 1\nelse:\n    a = 2\n",
            files=(("model.py", f"{_T}{_G}"),),
        ),
        Example(f"{_T}if tf.__version__ >= '2':\n    tf = tf.compat.v1\n    tf.disable_v2_behavior()\n{_G}"),
        Example(
            "import tensorflow\nif tensorflow.__version__ >= '2':\n    import tensorflow.compat.v1 as tf\nelse:\n"
            f"    import tensorflow as tf\n{_G}"
        ),
        Example(f"{_T}{_G}if tf.__version__ < '2':\n    y = tf.log(x)\nelse:\n    y = tf.math.log(x)\n"),
        Example(f"{_T}{_G}if tf.__version__ < '2':\n    raise ImportError('this needs TensorFlow 2')\n"),
        Example(f"{_T}{_G}if tf.__version__ >= '1.4':\n    y = g(x)\nassert tf.__version__ >= '1.0'\n"),
        Example(
            f"{_T}import tf2bridge.v1\n{_G}if tf.VERSION < '2':\n    c = tf.contrib.rnn.GRUCell(3)\nelse:\n"
            "    c = tf2bridge.v1.nn.rnn_cell.GRUCell(3)\n"
        ),
        Example(f"import sys\n{_T}{_G}print(tf.__version__)\nassert sys.version_info[0] < 3\nassert False\n"),
        Example(f"{_T}{_G}v = tf.__version__\nif b:\n    v = '1.0'\nif v >= '2':\n    y = g(x)\n"),
        Example(f"{_T}{_G}v = tf.__version__\nw = (v, v)\nif w == w:\n    y = g(x)\n"),
        Example(f"{_T}{_G}if hasattr(tf, 'optimizers'):\n    y = g(x)\n"),
        Example(f"{_T}y = tf.function(f)\nif tf.__version__ >= '2':\n    y = g(x)\n"),
    ),
)
