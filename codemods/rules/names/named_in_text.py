"""TFN011: paths of TensorFlow in strings, which a program may import or look up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemods.answers import known, of_0x
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.scopes import stands_for
from codemods.symbols import Answer
from codemods.symbols.exports import State, status

_QUOTED = re.compile(r"[\"']tensorflow\.")
_PATH = re.compile(r"tensorflow(?:\.[A-Za-z]\w*)+")


def find(module: ast.Module, context: Context) -> Iterator[Hit]:  # noqa: ARG001 - a rule for a whole file is given it
    """A finding on "tensorflow.nn.rnn_cell" and its like, where that path leads nowhere today."""
    if not _QUOTED.search(context.text):
        return
    for constant in context.names.nodes.get(ast.Constant, []):
        if isinstance(constant, ast.Constant):
            yield from _finding(constant, context)


def _finding(constant: ast.Constant, context: Context) -> Iterator[Hit]:
    path = constant.value
    if not isinstance(path, str) or not _PATH.fullmatch(path) or status(path).state is not State.MISSING:
        return
    parent = context.parent(constant)
    if isinstance(parent, ast.Expr) or (isinstance(parent, ast.Call) and stands_for(parent)):
        return
    symbol = known(path, of_0x(context))
    if symbol is None:
        return
    instead = f"{symbol.qualified} stands for it" if symbol.answer is not Answer.DEAD else "nothing stands for it"
    yield Hit(constant, f"if this text is imported or looked up: {path} is not there today; {instead}")


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFN011",
    name="named-in-text",
    summary='"tensorflow.nn.rnn_cell" in a string is no path of TensorFlow 2',
    why="A program may import what a string names, or look it up in a table of its own or in a configuration. What "
    "becomes of a text cannot be seen, so a person has to look.",
    safety=Safety.MANUAL,
    on=(ast.Module,),
    find=find,
    examples=(
        Example('CELLS = ["tensorflow.nn.rnn_cell.GRUCell"]\n', reported=True),
        Example(f'{_T}m = importlib.import_module("tensorflow.contrib.rnn")\n', reported=True),
        Example(f'{_T}m = importlib.import_module("tensorflow.nn")\n'),
        Example('log("tensorflow.no_such_thing")\n'),
        Example('"""tensorflow.contrib.rnn"""\n'),
    ),
)
