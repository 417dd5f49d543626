"""TFS002: freeze_graph becomes tf2bridge.export."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.calls import bound
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_FREEZE = "tensorflow.python.tools.freeze_graph.freeze_graph"
_TOLD = (
    "input_graph", "input_saver", "input_binary", "input_checkpoint", "output_node_names", "restore_op_name",
    "filename_tensor_name", "output_graph", "clear_devices", "initializer_nodes", "variable_names_whitelist",
    "variable_names_blacklist", "input_meta_graph", "input_saved_model_dir", "saved_model_tags", "checkpoint_version",
)  # fmt: skip
"""The parameters of 1.15 (python/tools/freeze_graph.py); those of 0.12 were the first ten and a blacklist."""

_SOURCES = ("input_saved_model_dir", "input_meta_graph", "input_graph")
_TAKEN = {*_SOURCES, "input_checkpoint", "output_node_names", "output_graph"}
_WITHOUT_EFFECT = {"input_binary", "restore_op_name", "filename_tensor_name", "clear_devices", "checkpoint_version"}
"""tf2bridge.export recognizes the kind of a file itself; freeze_graph did not run the restore op either."""

_MESSAGE = "tf2bridge.export writes the same frozen graph, from any release's files"
_UNSEEN = "codemods cannot see all arguments of this freeze_graph; tf2bridge.export writes frozen graphs"
_USED = "freeze_graph returns the graph; tf2bridge.export writes it and returns nothing: read the file that it wrote"


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call of freeze_graph, with a rewrite if tf2bridge.export can do what its arguments ask for."""
    if context.qualified(call.func) != _FREEZE:
        return
    given = bound(call, _TOLD)
    why = _UNSEEN if given is None else _USED if not _is_alone(call, context) else _unknown(given)
    if given is None or why:
        yield Hit(call, why, Safety.MANUAL, todo=True)
        return
    text = f"{context.spell('tf2bridge')}.export({', '.join(_arguments(given, context))})"
    yield Hit(call, _MESSAGE, rewrite=text, imports=("import tf2bridge",))


def _is_alone(call: ast.Call, context: Context) -> bool:
    return isinstance(context.parent(call), ast.Expr)


def _unknown(given: dict[str, ast.expr]) -> str:
    """Returns why a call cannot be rewritten; "" if it can."""
    missing = [name for name in ("output_node_names", "output_graph") if name not in given]
    extra = [
        name for name, value in given.items() if name not in _TAKEN | _WITHOUT_EFFECT and not _is_nothing(name, value)
    ]
    if extra or missing or not any(name in given and not _is_empty(given[name]) for name in _SOURCES):
        named = ", ".join([*extra, *missing]) or "no input"
        return f"tf2bridge.export cannot do what this call of freeze_graph asks for: {named}"
    return ""


def _is_nothing(name: str, value: ast.expr) -> bool:
    return _is_empty(value) or (
        name == "saved_model_tags" and isinstance(value, ast.Constant) and value.value == "serve"
    )


def _is_empty(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value in ("", None)


def _arguments(given: dict[str, ast.expr], context: Context) -> Iterator[str]:
    source = next(name for name in _SOURCES if name in given and not _is_empty(given[name]))
    yield context.source(given[source])
    yield context.source(given["output_graph"])
    yield f"outputs={_names(given['output_node_names'], context)}"
    if source != "input_saved_model_dir" and "input_checkpoint" in given and not _is_empty(given["input_checkpoint"]):
        yield f"checkpoint={context.source(given['input_checkpoint'])}"


def _names(names: ast.expr, context: Context) -> str:
    """Returns the argument "a, b" as the text of a list of names."""
    if isinstance(names, ast.Constant) and isinstance(names.value, str):
        return repr(names.value.replace(" ", "").split(",")).replace("'", '"')
    text = context.source(names)
    needs_no_brackets = isinstance(names, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return f"{text if needs_no_brackets else f'({text})'}.replace(' ', '').split(',')"


_I = "from tensorflow.python.tools import freeze_graph\n"

rule = Rule(
    code="TFS002",
    name="freeze-graph",
    summary="freeze_graph.freeze_graph -> tf2bridge.export",
    why="freeze_graph needs the graph as the release that runs it would write it. The freeze_graph of TensorFlow 1.4 "
    "left resource variables out without an error. tf2bridge.export reads the files of 0.12 to 1.15, refuses "
    "variables that are left over, removes training, and writes the same nodes and numbers. The command `tf2bridge "
    "export` does the same.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow",),
    find=find,
    examples=(
        Example(
            f"{_I}freeze_graph.freeze_graph(\n    input_graph=d + '/graph.pbtxt', input_saver='', input_binary=False,\n"
            "    input_checkpoint=path, output_node_names='logits,probs', restore_op_name='save/restore_all',\n"
            "    filename_tensor_name='save/Const:0', output_graph=out, clear_devices=True, initializer_nodes='')\n",
            f"{_I}import tf2bridge\n"
            'tf2bridge.export(d + \'/graph.pbtxt\', out, outputs=["logits", "probs"], checkpoint=path)\n',
        ),
        Example(
            f"{_I}freeze_graph.freeze_graph(pb, '', True, ckpt, FLAGS.names, '', '', out, True, '')\n",
            f"{_I}import tf2bridge\n"
            "tf2bridge.export(pb, out, outputs=FLAGS.names.replace(' ', '').split(','), checkpoint=ckpt)\n",
        ),
        Example(
            f"{_I}freeze_graph.freeze_graph(None, '', True, None, 'y', None, None, out, True, '',\n"
            "                          input_saved_model_dir=folder, saved_model_tags='serve')\n",
            f'{_I}import tf2bridge\ntf2bridge.export(folder, out, outputs=["y"])\n',
        ),
        Example(
            f"{_I}freeze_graph.freeze_graph(pb, '', True, ckpt, 'y', '', '', out, True, 'init_tables')\n",
            f"{_I}# TODO(codemods TFS002): tf2bridge.export cannot do what this call of freeze_graph asks for: "
            "initializer_nodes\n"
            "freeze_graph.freeze_graph(pb, '', True, ckpt, 'y', '', '', out, True, 'init_tables')\n",
        ),
        Example(
            f"{_I}graph = freeze_graph.freeze_graph(pb, '', True, ckpt, 'y', '', '', out, True, '')\n",
            f"{_I}# TODO(codemods TFS002): {_USED}\n"
            "graph = freeze_graph.freeze_graph(pb, '', True, ckpt, 'y', '', '', out, True, '')\n",
        ),
        Example("import mine as freeze_graph\nfreeze_graph.freeze_graph(1)\n"),
    ),
)
