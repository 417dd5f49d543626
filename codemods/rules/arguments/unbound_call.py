"""TFA006: calls that fail today because their arguments fit no recorded release."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import called, in_graph_mode, known, of_0x, stays
from codemods.calls import is_plain, plan
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.rules.arguments import before_012
from codemods.rules.arguments.argument_order import SPECIAL, plans
from codemods.symbols import RELEASES, TODAY, declared, signature
from codemods.symbols.exports import State, binds, status

_V1 = "tensorflow.compat.v1."
_UNLESS = ", unless an arg_scope gives it"
_HEADS = ("tensorflow.", "tf2bridge.v1.", "tf2bridge.v0.")


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a finding on a call whose arguments do not fit its function, and that no other rule rewrites."""
    name = context.qualified(call.func) or ""
    if not name.startswith(_HEADS) or _is_rewritten(call, name, context):
        return
    symbol = None if _is_left(name, call.func, context) else known(name, of_0x(context))
    target = symbol.qualified if symbol is not None and symbol.qualified else name
    now = status(target)
    if now.state is not State.OK or now.takes is None or now.part != target:
        return
    places = sum(not isinstance(argument, ast.Starred) for argument in call.args)
    named = [keyword.arg for keyword in call.keywords if keyword.arg]
    mismatch = binds(now.takes, places, named, open_ended=not is_plain(call))
    if not mismatch or any(before_012.find(call, context)) or _is_expected(call, context):
        return
    completed = mismatch.startswith("lacks") and ".contrib." in target
    if not (completed and _has_scopes(context)):
        yield Hit(call, f"{target} {mismatch}: this call fails{_UNLESS if completed else ''}", todo=True)


def _has_scopes(context: Context) -> bool:
    """Returns whether the program around the file uses arg_scope, which supplies arguments that calls of contrib leave
    out.

    Another function or file than the caller's may enter the scope.
    """
    project = context.project
    around = project.reaches(context.path) | project.reached_by(context.path)
    return any(name.endswith(".arg_scope") for path in around for name in project.files[path].names_used)


def _is_expected(call: ast.Call, context: Context) -> bool:
    """Returns whether the program expects the call to fail: assertRaises, pytest.raises, or a try that catches
    TypeError.
    """
    node: ast.AST | None = call
    while node is not None and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if isinstance(node, ast.With) and any("aises" in ast.unparse(item.context_expr) for item in node.items):
            return True
        if isinstance(node, ast.Try) and any(
            h.type is None or "TypeError" in ast.unparse(h.type) for h in node.handlers
        ):
            return True
        node = context.parent(node)
    return False


def _is_left(name: str, function: ast.expr, context: Context) -> bool:
    """Returns whether the name stays as it is: in a file of TensorFlow 2, and a name of tf.keras outside graph mode."""
    keras = name.startswith("tensorflow.keras.") and not in_graph_mode(context)
    return keras or stays(name, function, context)


def _is_rewritten(call: ast.Call, name: str, context: Context) -> bool:
    """Returns whether another rule for arguments rewrites the call."""
    symbol = called(call, context)
    if symbol is None or name.startswith("tf2bridge."):
        return False
    if symbol.name in SPECIAL:
        return not is_plain(call) or _is_of_0x(call, symbol.name)
    return signature(symbol.name, TODAY) is not None and any(made.changes for made in plans(call, symbol, context))


def _is_of_0x(call: ast.Call, name: str) -> bool:
    """Returns whether a call fits the parameters of 0.x, and gives as many arguments as today's function needs."""
    renames = declared.PARAMETERS.get(name, {})
    words = (status(f"{_V1}{name}").takes or "").split()
    needed = [word for word in words if not word.endswith("=") and "*" not in word]
    given = len(call.args) + sum(renames.get(keyword.arg or "", keyword.arg) in needed for keyword in call.keywords)
    old, new = signature(name, RELEASES[0]), signature(name, TODAY)
    made = plan(call, old, new, renames) if old and new else None
    return made is not None and made.changes and given >= len(needed)


_T = "import tensorflow as tf\n"
_SLIM = "from tensorflow.contrib import slim\n"
_SCOPED = f"import nets\n{_SLIM}with slim.arg_scope([slim.conv2d], kernel_size=3):\n    nets.build()\n"

rule = Rule(
    code="TFA006",
    name="unbound-call",
    summary="calls with arguments that the function does not take",
    why="Python raises a TypeError when the line runs. The call fits none of the recorded releases. It was always "
    "wrong, or it is of an older release, so a person has to decide what is meant. An arg_scope may give functions of "
    "slim and contrib.layers the arguments that a call lacks. In a program with an arg_scope nothing is reported.",
    safety=Safety.MANUAL,
    on=(ast.Call,),
    packages=("tensorflow", "tf2bridge"),
    find=find,
    examples=(
        Example(
            f"{_T}y = tf.nn.relu(x, slope=0.1)\n",
            f"{_T}# TODO(codemods TFA006): tensorflow.nn.relu takes no slope: this call fails\n"
            "y = tf.nn.relu(x, slope=0.1)\n",
        ),
        Example(
            f"{_T}c = tf.keras.callbacks.TensorBoard(write_grads=True)\n",
            f"{_T}# TODO(codemods TFA006): tensorflow.keras.callbacks.TensorBoard takes no write_grads: this "
            "call fails\n"
            "c = tf.keras.callbacks.TensorBoard(write_grads=True)\n",
        ),
        Example(
            f"{_SLIM}y = slim.conv2d(x, 8)\n",
            f"{_SLIM}# TODO(codemods TFA006): tf2bridge.v1.contrib.slim.conv2d lacks kernel_size: this call fails, "
            "unless an arg_scope gives it\ny = slim.conv2d(x, 8)\n",
        ),
        Example(f"{_SLIM}with slim.arg_scope([slim.conv2d], kernel_size=3):\n    y = slim.conv2d(x, 8)\n"),
        Example(f"{_SLIM}z = slim.conv2d(x, 8)\n", files=(("main.py", _SCOPED),), path="nets.py"),
        Example(f"{_T}with self.assertRaises(TypeError):\n    tf.nn.relu(x, slope=0.1)\n"),
        Example(f"{_T}s = tf.summary.image('x', x, max_images=3)\n"),
        Example(f"{_T}y = tf.nn.relu(x)\n"),
        Example(f"{_T}y = tf.nn.relu(*xs)\n"),
        Example(f"{_T}y = tf.concat(0, [a, b])\n"),
        Example("from mine import relu\ny = relu(1, 2, 3, 4)\n"),
    ),
)
