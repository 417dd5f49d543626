"""LIB025: programs that print lists of NumPy's numbers, which NumPy 2 prints in another form."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.insert import import_anchor
from codemods.rule import Example, Hit, Rule, Safety

_SWITCH = 'set_printoptions(legacy="1.21")'


def find(module: ast.Module, context: Context) -> Iterator[Hit]:
    """Yields one hit in each program that prints such lists and does not choose a form of printing itself."""
    project, path = context.project, context.path
    if not project.is_entry(path) or not project.prints_containers(path) or _chooses(context):
        return
    alias = context.names.alias_of("numpy")
    own = _import_of_numpy(module) if alias else import_anchor(module)
    message = "in lists and in repr, NumPy 2 prints np.float32(0.5) where NumPy 1 printed 0.5"
    if own is not None:
        yield Hit(own, message, after=(f"{alias or 'numpy'}.{_SWITCH}",), imports=() if alias else ("import numpy",))
    elif module.body:  # the file itself imports neither NumPy nor TensorFlow
        yield Hit(module.body[0], message, before=("import numpy", f"numpy.{_SWITCH}"))


def _chooses(context: Context) -> bool:
    """Returns whether the file already passes `legacy` to NumPy's print options."""
    calls = context.names.nodes.get(ast.Call, [])
    return any(
        isinstance(call, ast.Call)
        and context.qualified(call.func) == "numpy.set_printoptions"
        and any(keyword.arg == "legacy" for keyword in call.keywords)
        for call in calls
    )


def _import_of_numpy(module: ast.Module) -> ast.stmt | None:
    """Returns the top-level import that binds NumPy itself."""
    for statement in module.body:
        if isinstance(statement, ast.Import) and any(alias.name == "numpy" for alias in statement.names):
            return statement
    return None


_HEAD = (
    "import numpy as np\nimport tensorflow as tf\ntf.compat.v1.disable_v2_behavior()\nsess = tf.compat.v1.Session()\n"
)
_SWITCHED = _HEAD.replace("import numpy as np\n", f"import numpy as np\nnp.{_SWITCH}\n")

rule = Rule(
    code="LIB025",
    name="numpy-printing",
    summary='np.set_printoptions(legacy="1.21") at the entry of a program that prints lists of numbers',
    why="NumPy 2 writes its numbers with their type where Python asks for their repr: in a printed list, tuple or "
    "dictionary, and with %r. Programs that read such logs, and doctests, fail. The rule reports a program that "
    "prints such a value, fetched by a session or computed by NumPy. The option restores the form of NumPy 1 in the "
    "whole process. It may also change texts that were written for NumPy 2.",
    safety=Safety.UNSAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example(f"{_HEAD}print(sess.run([x, y]))\n", f"{_SWITCHED}print(sess.run([x, y]))\n", unsafe_fixes=True),
        Example(
            f"{_HEAD}losses = []\nlosses.append(sess.run(x))\nprint('losses', losses)\n",
            f"{_SWITCHED}losses = []\nlosses.append(sess.run(x))\nprint('losses', losses)\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_HEAD}print('loss %r' % sess.run(x))\n",
            f"{_SWITCHED}print('loss %r' % sess.run(x))\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_HEAD.partition(chr(10))[2]}print(sess.run([x, y]))\n",
            'import tensorflow as tf\nimport numpy\nnumpy.set_printoptions(legacy="1.21")\n'
            f"{_HEAD.partition('tf' + chr(10))[2]}print(sess.run([x, y]))\n",
            unsafe_fixes=True,
        ),
        Example(
            f"{_HEAD}def train():\n    history = {{}}\n    history['loss'] = np.mean(a)\n    return history\n"
            "print(train())\n",
            f"{_SWITCHED}def train():\n    history = {{}}\n    history['loss'] = np.mean(a)\n    return history\n"
            "print(train())\n",
            unsafe_fixes=True,
        ),
        Example(f"{_HEAD}print(sess.run(x), 'of', [1, 2])\n"),
        Example(f"{_HEAD}names = [layer for layer in layers]\nprint('layers %r' % names, [a, b], repr(c))\n"),
        Example(f"{_HEAD}if a.shape != b.shape:\n    raise ValueError('%r %s' % (a.shape, [sess.run(x)]))\n"),
        Example(f"{_HEAD}print('kept', [os.path.basename(path) for path in paths], [v.op.name for v in old])\n"),
        Example(f"{_HEAD}np.{_SWITCH}\nprint(sess.run([x, y]))\n"),
    ),
)
