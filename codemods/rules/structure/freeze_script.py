"""TFS003: restoring a checkpoint only to freeze it becomes tf2bridge.export."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.calls import bound
from codemods.context import Context
from codemods.names import in_v1
from codemods.rule import Example, Hit, Rule, Safety

_CONVERT = "graph_util.convert_variables_to_constants"
_PARAMETERS = ("sess", "input_graph_def", "output_node_names")
_FILES = ("gfile.GFile", "gfile.FastGFile", "gfile.Open", "io.gfile.GFile", "open")

_MESSAGE = "tf2bridge.export reads the checkpoint and its .meta and writes the frozen graph"
_LIVE = (
    "convert_variables_to_constants works under tf.compat.v1 and is deprecated; if the session's values are in a "
    "checkpoint with its .meta, tf2bridge.export(checkpoint, path, outputs=[...]) writes the frozen graph"
)


@dataclass
class _Script:
    """The facts about a block that freezes a checkpoint, collected statement by statement."""

    saver: str = ""
    session: str = ""
    frozen: str = ""
    meta: ast.expr | None = None
    checkpoint: ast.expr | None = None
    names: ast.expr | None = None
    path: ast.expr | None = None
    bound: set[str] = field(default_factory=set)

    @property
    def is_whole(self) -> bool:
        return None not in (self.meta, self.checkpoint, self.names, self.path)


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields hits on the block around convert_variables_to_constants if it only freezes, or a finding on the call."""
    if in_v1(context.qualified(call.func) or "") != _CONVERT:
        return
    block = _block(call, context)
    if block is None:
        yield Hit(call, _LIVE, Safety.MANUAL)
        return
    statements = [*_before(block, context), block]
    script = _read(statements, context)
    if script is None or _used_elsewhere(script, statements, context):
        yield Hit(call, _LIVE, Safety.MANUAL)
        return
    text = f"{context.spell('tf2bridge')}.export({', '.join(_arguments(script, context))})"
    for statement in statements[:-1]:
        yield Hit(statement, _MESSAGE, rewrite="")
    yield Hit(block, _MESSAGE, rewrite=text, imports=("import tf2bridge",))


def _block(call: ast.Call, context: Context) -> ast.With | None:
    """Returns the `with tf.Session() as sess:` in whose body the call is assigned; None if there is none."""
    assigned = context.statement(call)
    block = context.parent(assigned)
    return block if isinstance(block, ast.With) and isinstance(assigned, ast.Assign) else None


def _before(block: ast.With, context: Context) -> list[ast.stmt]:
    """Returns the statement just before the block, if it imports the graph that the block restores."""
    body = getattr(context.parent(block), "body", [])
    place = body.index(block) if block in body else 0
    earlier = body[place - 1] if place else None
    if not isinstance(earlier, ast.Assign) or not isinstance(earlier.value, ast.Call):
        return []
    return [earlier] if in_v1(context.qualified(earlier.value.func) or "") == "train.import_meta_graph" else []


def _read(statements: list[ast.stmt], context: Context) -> _Script | None:
    """Returns what the statements do; None if one of them does anything else."""
    script = _Script()
    block = statements[-1]
    assert isinstance(block, ast.With)
    item = block.items[0]
    if len(block.items) != 1 or in_v1(context.qualified(item.context_expr) or "") != "Session":
        return None
    if not isinstance(item.optional_vars, ast.Name):
        return None
    script.session = item.optional_vars.id
    script.bound.add(script.session)
    for statement in (*statements[:-1], *block.body):
        if not _told(statement, script, context):
            return None
    return script if script.is_whole else None


def _told(statement: ast.stmt, script: _Script, context: Context) -> bool:
    if isinstance(statement, ast.Assign):
        return _assigned(statement, script, context)
    if isinstance(statement, ast.Expr):
        return _restored(statement.value, script)
    return isinstance(statement, ast.With) and _written(statement, script, context)


def _assigned(statement: ast.Assign, script: _Script, context: Context) -> bool:
    target, made = statement.targets[0], statement.value
    if len(statement.targets) != 1 or not isinstance(target, ast.Name) or not isinstance(made, ast.Call):
        return False
    script.bound.add(target.id)
    name = in_v1(context.qualified(made.func) or "")
    if name == "train.import_meta_graph" and len(made.args) == 1:
        script.saver, script.meta = target.id, made.args[0]
        return all(keyword.arg == "clear_devices" for keyword in made.keywords)
    if name == _CONVERT:
        given = bound(made, _PARAMETERS) or {}
        script.frozen, script.names = target.id, given.get("output_node_names")
        return len(given) == len(_PARAMETERS) and _is_graph(given["input_graph_def"], script)
    return name == "get_default_graph" or _is_graph(made, script)


def _is_graph(value: ast.expr, script: _Script) -> bool:
    """Returns whether a value is the unchanged graph: `sess.graph.as_graph_def()`, `sess.graph_def`, or its name."""
    if isinstance(value, ast.Name):
        return value.id in script.bound
    made = value.func if isinstance(value, ast.Call) and not value.args and not value.keywords else value
    return isinstance(made, ast.Attribute) and made.attr == ("as_graph_def" if made is not value else "graph_def")


def _restored(call: ast.expr, script: _Script) -> bool:
    """Reads `saver.restore(sess, checkpoint)` into the script; False if the call is anything else."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 2:
        return False
    saver, session = call.func.value, call.args[0]
    if call.func.attr != "restore" or not isinstance(saver, ast.Name) or saver.id != script.saver:
        return False
    script.checkpoint = call.args[1]
    return isinstance(session, ast.Name) and session.id == script.session and not call.keywords


def _written(block: ast.With, script: _Script, context: Context) -> bool:
    """Reads `with tf.gfile.GFile(path, "wb") as f: f.write(frozen.SerializeToString())`; False if it is not that."""
    opened, handle = block.items[0].context_expr, block.items[0].optional_vars
    if not isinstance(opened, ast.Call) or not isinstance(handle, ast.Name) or len(block.items) + len(block.body) != 2:
        return False
    name = in_v1(context.qualified(opened.func) or "") or getattr(opened.func, "id", "")
    if name not in _FILES or len(opened.args) != 2 or getattr(opened.args[1], "value", "") not in ("wb", "w"):
        return False
    script.path = opened.args[0]
    script.bound.add(handle.id)
    wanted = f"{handle.id}.write({script.frozen}.SerializeToString())"
    return ast.unparse(block.body[0]) == wanted


def _used_elsewhere(script: _Script, statements: list[ast.stmt], context: Context) -> bool:
    """Returns whether a name that the statements bind is read anywhere else in the file."""
    inside = [node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Name)]
    meant = {id(context.names.bindings(name)) for name in inside if name.id in script.bound}
    names = [name for name in context.names.nodes.get(ast.Name, []) if isinstance(name, ast.Name)]
    return any(id(context.names.bindings(name)) in meant and _is_read(name, inside) for name in names)


def _is_read(name: ast.Name, inside: list[ast.Name]) -> bool:
    return isinstance(name.ctx, ast.Load) and name not in inside


def _arguments(script: _Script, context: Context) -> Iterator[str]:
    assert script.meta and script.checkpoint and script.names and script.path
    checkpoint = context.source(script.checkpoint)
    meta = context.source(script.meta)
    beside = meta.replace('"', "'") in (f"{checkpoint} + '.meta'".replace('"', "'"), f"{checkpoint}+'.meta'")
    yield checkpoint if beside else meta
    yield context.source(script.path)
    yield f"outputs={context.source(script.names)}"
    if not beside:
        yield f"checkpoint={checkpoint}"


_T = "import tensorflow as tf\n"
_RESTORE = "    saver.restore(sess, path)\n"
_CONSTANTS = (
    "    frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph.as_graph_def(), names.split(','))\n"
)
_WRITE = "    with tf.gfile.GFile(out, 'wb') as f:\n        f.write(frozen.SerializeToString())\n"

rule = Rule(
    code="TFS003",
    name="freeze-script",
    summary="import_meta_graph, restore, convert_variables_to_constants, write -> tf2bridge.export",
    why="A session that only freezes a checkpoint does what tf2bridge.export does. tf2bridge.export reads the files "
    "of 0.12 to 1.15, refuses variables that are left over, removes training, and writes the same nodes and numbers.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow",),
    find=find,
    examples=(
        Example(
            f"{_T}saver = tf.train.import_meta_graph(path + '.meta', clear_devices=True)\n"
            f"with tf.Session() as sess:\n{_RESTORE}{_CONSTANTS}{_WRITE}",
            f"{_T}import tf2bridge\ntf2bridge.export(path, out, outputs=names.split(','))\n",
        ),
        Example(
            f"{_T}def freeze(meta, path, out, names):\n    with tf.Session(graph=tf.Graph()) as sess:\n"
            "        loader = tf.train.import_meta_graph(meta)\n        loader.restore(sess, path)\n"
            "        graph_def = tf.get_default_graph().as_graph_def()\n"
            "        small = tf.graph_util.convert_variables_to_constants(sess, graph_def, names)\n"
            "        with open(out, 'wb') as f:\n            f.write(small.SerializeToString())\n"
            "def read(path):\n    with open(path) as f:\n        return f.read()\n",
            f"{_T}import tf2bridge\ndef freeze(meta, path, out, names):\n"
            "    tf2bridge.export(meta, out, outputs=names, checkpoint=path)\n"
            "def read(path):\n    with open(path) as f:\n        return f.read()\n",
        ),
        Example(
            f"{_T}saver = tf.train.Saver()\nwith tf.Session() as sess:\n{_RESTORE}{_CONSTANTS}{_WRITE}",
            reported=True,
        ),
        Example(
            f"{_T}saver = tf.train.import_meta_graph(path + '.meta')\n"
            f"with tf.Session() as sess:\n{_RESTORE}{_CONSTANTS}{_WRITE}print(len(frozen.node))\n",
            reported=True,
        ),
        Example(f"{_T}with tf.Session() as sess:\n    sess.run(y)\n"),
    ),
)
