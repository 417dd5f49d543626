"""TFN005: imports of modules and names of TensorFlow that moved or are gone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.answers import in_graph_mode, is_reached, known, named, of_0x
from codemods.context import Context
from codemods.insert import import_anchor
from codemods.names import in_v1, root_of
from codemods.rule import Example, Hit, Rule, Safety
from codemods.scopes import stands_for
from codemods.stand_in import BRIDGE, stand_in
from codemods.symbols import REASONS, Answer, Symbol, nearest
from codemods.symbols.exports import State, guarded, status
from codemods.values import keeper_of_import

# With --target bridge, TFG002 rewrites every import but those of these modules.
_PRIVATE = ("python.", "models.", "examples.")


def find(node: ast.Import | ast.ImportFrom | ast.Assign, context: Context) -> Iterator[Hit]:
    """Yields a hit on an import of a name from its old place, and a finding for each imported name that is gone."""
    if isinstance(node, ast.Assign):
        yield from _stand_in_before(node)
        return
    if isinstance(node, ast.ImportFrom) and (node.level or not _of_tensorflow(node.module)):
        return
    if hidden := _hidden_by(node, context):
        yield Hit(
            node, f"{hidden}: write `import tensorflow as tf`, and tf. before its names", Safety.MANUAL, todo=True
        )
        return
    lines: list[str] = []
    gone: list[ast.alias] = []
    needed = ""
    for alias in node.names:
        new, why = _one(node, alias, context)
        if new is None and node not in guarded(context.names):  # else the program handles the missing name itself
            yield Hit(node, _gone(_name(node, alias)), Safety.MANUAL, todo=True)
            gone += [alias] if alias.name != "*" and context.target == "compat" else []
        if new is None and alias not in gone:
            lines.insert(0, _single(node, alias))  # first, because its TODO comment is above
        lines += [new] if new else []
        needed = needed or why
    if gone:
        yield _late(node, gone, _merged(lines), context)
    elif needed:
        yield Hit(node, needed, rewrite="\n".join(_merged(lines)))


def _hidden_by(node: ast.Import | ast.ImportFrom, context: Context) -> str:
    """Returns why it is unknown which names `from tensorflow import *` brings; "" if it is known."""
    if not isinstance(node, ast.ImportFrom) or node.module != "tensorflow" or node.names[0].name != "*":
        return ""
    stars = context.names.wildcards
    after = [
        module for module in stars[stars.index("tensorflow") + 1 :] if not module.startswith(("tensorflow", "tf2"))
    ]
    return (
        f"{after[0]} is imported with a star after TensorFlow, so it is unknown which names are TensorFlow's"
        if after
        else ""
    )


def _late(node: ast.Import | ast.ImportFrom, gone: list[ast.alias], lines: list[str], context: Context) -> Hit:
    """Returns the hit that binds the names that are gone to stand-ins, which fail when they are used."""
    names = {alias.asname or alias.name: _name(node, alias) for alias in gone}
    lines += [f"{bound} = {stand_in(name)}" for bound, name in names.items()]
    message = f"nothing replaces {', '.join(names.values())}: now the use fails, not the import"
    anchor = import_anchor(context.tree)
    if anchor is not None and anchor.lineno <= node.lineno <= (anchor.end_lineno or anchor.lineno):
        return Hit(node, message, rewrite="\n".join([BRIDGE, *lines]))  # an import below the anchor would come too late
    return Hit(node, message, rewrite="\n".join(lines), imports=(BRIDGE,))


def _stand_in_before(node: ast.Assign) -> Iterator[Hit]:
    """Yields the finding for a stand-in that an earlier run wrote."""
    gone = stands_for(node.value) if isinstance(node.value, ast.Call) else None
    if gone is not None:
        yield Hit(node, _gone(gone.removeprefix("tensorflow.")), Safety.MANUAL)


def _one(node: ast.Import | ast.ImportFrom, alias: ast.alias, context: Context) -> tuple[str | None, str]:
    """Returns today's import of this name ("" if none is needed, None if the name is gone), and why it changes."""
    unchanged = _single(node, alias)
    name = _name(node, alias)
    symbol = known(f"tensorflow.{name}", of_0x(context)) if name else None
    state = status(f"tensorflow.{name}").state
    if not name or (symbol is None and state is not State.MISSING) or not _concerns(name, context):
        return unchanged, ""
    if context.second and state is State.OK:
        return unchanged, ""
    gone = symbol is None or symbol.answer is Answer.DEAD
    if isinstance(node, ast.Import) and not alias.asname:
        if not gone and symbol is not None and _stays(symbol, unchanged):
            return unchanged, ""
        return "import tensorflow", f"TensorFlow 2 has no module tensorflow.{name}"
    if gone:
        return ("", f"the rewritten file does not use {name}") if _is_idle(node, alias, context) else (None, "")
    assert symbol is not None
    if _stays(symbol, unchanged):
        return unchanged, ""
    keeper = keeper_of_import(alias.asname or alias.name, symbol, context)
    today = keeper or (_old_path(name, symbol, context) if symbol.module else symbol.qualified)
    return _spelled(node, alias, today), f"tensorflow.{name} is {today} today"


def _old_path(name: str, symbol: Symbol, context: Context) -> str:
    """Returns where a module is today: its old path in tf2bridge, if the file uses names that only this has."""
    old = f"tf2bridge.v1.{name}"
    head = f"tensorflow.{name}."
    if symbol.namespace != "tf2bridge.v1" or old == symbol.qualified or status(old).state is not State.OK:
        return symbol.qualified
    names = (context.qualified(chain) or "" for chain in context.names.chains)
    used = {used.removeprefix(head) for used in names if used.startswith(head)}
    lacking = [rest for rest in used if status(f"{symbol.qualified}.{rest}").state is State.MISSING]
    has_all = all(status(f"{old}.{rest}").state is State.OK for rest in used)
    return old if lacking and has_all else symbol.qualified


def _spelled(node: ast.Import | ast.ImportFrom, alias: ast.alias, today: str) -> str:
    """Returns the import of `today` that binds the same name in the file as before."""
    if alias.name == "*":
        return f"from {today} import *"
    module, _, last = today.rpartition(".")
    bound = alias.asname or alias.name
    if isinstance(node, ast.Import):
        return f"import {today} as {bound}"
    return f"from {module} import {last}" + (f" as {bound}" if bound != last else "")


def _stays(symbol: Symbol, statement: str) -> bool:
    """Returns whether the statement already imports the right object, from tensorflow (SAME) or from
    tensorflow.compat.v1.
    """
    if symbol.target != symbol.name or "tensorflow._api" in statement:
        return False
    return symbol.answer is Answer.SAME or (symbol.answer is Answer.COMPAT and "tensorflow.compat.v1" in statement)


def _is_idle(node: ast.Import | ast.ImportFrom, alias: ast.alias, context: Context) -> bool:
    """Returns whether no use needs the imported name once the other rules have run."""
    if context.target == "bridge" or alias.name == "*":
        return False
    bound = alias.asname or alias.name
    imported = f"tensorflow.{_name(node, alias)}"
    for chain in context.names.chains:
        root = root_of(chain)
        if root is None or root.id != bound or context.qualified(root) != imported:
            continue
        use = named(chain, context)
        if use is None or use.symbol.answer is Answer.DEAD or is_reached(use):
            return False
    return True


def _concerns(name: str, context: Context) -> bool:
    if context.target == "bridge":
        return name.startswith(_PRIVATE)
    return in_graph_mode(context) if f"{name}.".startswith(("keras.", "python.keras.")) else True


def _gone(name: str) -> str:
    """Returns why a name cannot be imported, and the nearest name."""
    symbol = known(f"tensorflow.{name}")
    reason = symbol.reason if symbol else REASONS["contrib" if name.startswith("contrib") else "gone"]
    like = nearest(name)
    hint = f"the nearest is {like}" if like else "replace it by hand"
    return f"tensorflow.{name} cannot be imported: {reason}; {hint}"


def _name(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """Returns the imported name without `tensorflow.`; "" for TensorFlow itself and for other packages."""
    qualified = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
    qualified = qualified.removesuffix(".*")
    if not qualified.startswith("tensorflow.") or qualified == "tensorflow.compat.v1":
        return ""
    return in_v1(qualified)


def _of_tensorflow(module: str | None) -> bool:
    return module is not None and (module == "tensorflow" or module.startswith("tensorflow."))


def _single(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    if isinstance(node, ast.Import):
        return ast.unparse(ast.Import([alias]))
    return ast.unparse(ast.ImportFrom(node.module, [alias], node.level))


def _merged(lines: list[str]) -> list[str]:
    """Returns the lines with `from a import b` and `from a import c` joined, and without repeated imports."""
    merged: list[str] = []
    for line in dict.fromkeys(lines):
        head, mark, names = line.partition(" import ")
        if mark and merged and merged[-1].startswith(f"{head} import "):
            merged[-1] += f", {names}"
        else:
            merged.append(line)
    return merged


rule = Rule(
    code="TFN005",
    name="moved-import",
    summary="from tensorflow.contrib import rnn -> from tf2bridge.v1.contrib import rnn",
    why="An import of a module that is gone stops the program at once. The rewritten import takes the name from where "
    "it is today. If the rewritten file no longer uses the imported name, the import is removed. If nothing replaces "
    "the name, a person has to choose. Until then tf2bridge.v1.unavailable lets the program load, and raises an error "
    "where the name is used.",
    safety=Safety.SAFE,
    on=(ast.Import, ast.ImportFrom, ast.Assign),
    find=find,
    examples=(
        Example(
            "from tensorflow.python.ops import rnn_cell_impl\nx = rnn_cell_impl._zero_state_tensors(n, b, t)\n",
            "from tf2bridge.v1.python.ops import rnn_cell_impl\nx = rnn_cell_impl._zero_state_tensors(n, b, t)\n",
        ),
        Example(
            "from tensorflow import complex_abs, sub\nRegister(complex_abs)\ny = sub(a, b)\n",
            "from tf2bridge.v1 import complex_abs\nfrom tensorflow import subtract as sub\n"
            "Register(complex_abs)\ny = sub(a, b)\n",
        ),
        Example(
            "from tensorflow.contrib import rnn\ncell = rnn.BasicLSTMCell(8)\n",
            "from tf2bridge.v1.contrib import rnn\ncell = rnn.BasicLSTMCell(8)\n",
        ),
        Example(
            "from tensorflow.models.rnn import rnn_cell, seq2seq\ncell = rnn_cell.GRUCell(8)\n",
            "from tf2bridge.v0.nn import rnn_cell, seq2seq\ncell = rnn_cell.GRUCell(8)\n",
        ),
        Example("from tensorflow.python.framework import test_util\nrun = test_util.run_v1_only\n"),
        Example("from tensorflow.python.ops import rnn\n", "from tf2bridge.v0 import nn as rnn\n", from_version="0.12"),
        Example("from tensorflow.python.ops import rnn_cell\n", "from tf2bridge.v1.nn import rnn_cell\n"),
        Example(
            "from tensorflow import *\nfrom numpy import *\nx = placeholder(float32)\n",
            "# TODO(codemods TFN005): numpy is imported with a star after TensorFlow, so it is unknown which names "
            "are TensorFlow's: write `import tensorflow as tf`, and tf. before its names\nfrom tensorflow import "
            "*\nfrom numpy import *\nx = placeholder(float32)\n",
        ),
        Example(
            "from tensorflow import placeholder, float32\n",
            "from tensorflow.compat.v1 import placeholder\nfrom tensorflow import float32\n",
        ),
        Example(
            "from tensorflow import mul\ny = mul(a, b)\n", "from tensorflow import multiply as mul\ny = mul(a, b)\n"
        ),
        Example(
            "import tensorflow.contrib.legacy_seq2seq as s\ny = s.sequence_loss(a, b, c)\n",
            "import tf2bridge.v1.contrib.legacy_seq2seq as s\ny = s.sequence_loss(a, b, c)\n",
        ),
        Example(
            "import tensorflow.contrib.layers\nprint(tensorflow.__version__)\n",
            "import tensorflow\nprint(tensorflow.__version__)\n",
        ),
        Example(
            "from tensorflow.contrib import ffmpeg\nffmpeg.decode_audio(x)\n",
            "# TODO(codemods TFN005): tensorflow.contrib.ffmpeg cannot be imported: tf.contrib was removed in "
            "TensorFlow 2.0; the nearest is tf.audio\n"
            'import tf2bridge.v1\nffmpeg = tf2bridge.v1.unavailable("contrib.ffmpeg")\nffmpeg.decode_audio(x)\n',
        ),
        Example(
            'import tf2bridge.v1\nffmpeg = tf2bridge.v1.unavailable("contrib.ffmpeg")\n',
            reported=True,
        ),
        Example(
            "import tensorflow as tf\ndef f(x):\n    from tensorflow.contrib import ffmpeg, rnn\n"
            "    return ffmpeg.decode_audio(rnn.GRUCell(x))\n",
            "import tensorflow as tf\nimport tf2bridge.v1\ndef f(x):\n    # TODO(codemods TFN005): "
            "tensorflow.contrib.ffmpeg cannot be imported: tf.contrib was removed in TensorFlow 2.0; the nearest is "
            "tf.audio\n    from tf2bridge.v1.contrib import rnn\n"
            '    ffmpeg = tf2bridge.v1.unavailable("contrib.ffmpeg")\n'
            "    return ffmpeg.decode_audio(rnn.GRUCell(x))\n",
        ),
        Example(
            "try:\n    from tensorflow.contrib import ffmpeg\n    ffmpeg.encode_audio\nexcept ImportError:\n"
            "    ffmpeg = None\n"
        ),
        Example("from tensorflow.contrib.slim import *\n", "from tf2bridge.v1.contrib.slim import *\n"),
        Example(
            "from tensorflow.contrib.layers.python.layers import utils\nutils.smart_cond(a, b, c)\n",
            "from tf2bridge.v1.contrib.layers.python.layers import utils\nutils.smart_cond(a, b, c)\n",
        ),
        Example("from tensorflow.python.ops import array_ops\n"),
        Example("from tensorflow.python.ops.math_ops import *\n"),
        Example("from tensorflow.nn import relu\n"),
        Example("import tensorflow as tf\nimport tensorflow.compat.v1 as v1\n"),
        Example("from mine.contrib import rnn\n"),
    ),
)
