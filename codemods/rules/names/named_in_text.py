"""TFN011: paths of TensorFlow in strings, which a program may import, look up or patch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemods.answers import known, of_0x
from codemods.context import Context
from codemods.patched import names_replaced, patching, path_today
from codemods.rule import Example, Hit, Rule, Safety
from codemods.scopes import stands_for
from codemods.symbols import Answer
from codemods.symbols.exports import State, status

_QUOTED = re.compile(r"[\"']tensorflow[.\"']")
_PATH = re.compile(r"tensorflow(?:\.[A-Za-z]\w*)*")


def find(module: ast.Module, context: Context) -> Iterator[Hit]:  # noqa: ARG001 - a rule for a whole file is given it
    """Yields a hit on a path that mock patches, and a finding on any other string whose path does not exist today."""
    if not _QUOTED.search(context.text):
        return
    for constant in context.names.nodes.get(ast.Constant, []):
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and _PATH.fullmatch(constant.value):
            call = patching(constant, context)
            yield from _finding(constant, context) if call is None else _of_patch(constant, call, context)


def _of_patch(constant: ast.Constant, call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit that patches the path which the program uses, or findings if its uses are rewritten differently."""
    path = str(constant.value)
    new = path_today(call, path, context)
    text = context.source(constant)
    if new is None or path not in text:
        lost = [f"{path}.{name}" for name in names_replaced(call)] if path == "tensorflow" else []
        for replaced in lost:
            yield from _finding(constant, context, replaced)
        yield from _differing(constant, path, context)
        yield from _finding(constant, context)
    elif new != path:
        message = f"the rewritten program gets {path} from {new}, so the patch has to replace it there"
        yield Hit(constant, message, Safety.SAFE, rewrite=text.replace(path, new, 1))


def _differing(constant: ast.Constant, path: str, context: Context) -> Iterator[Hit]:
    """Yields a finding on a name if some of its uses get tf.compat.v1 and others stay."""
    symbol = known(path, of_0x(context))
    if symbol is None or symbol.answer is not Answer.COMPAT or status(path).state is not State.OK:
        return
    if context.target == "compat" and not context.second:
        message = (
            f"some uses of {path} become {symbol.qualified}, others stay: write the path of the uses that are meant"
        )
        yield Hit(constant, message)


def _finding(constant: ast.Constant, context: Context, path: str | None = None) -> Iterator[Hit]:
    path = path or str(constant.value)
    if status(path).state is not State.MISSING:
        return
    parent = context.parent(constant)
    if isinstance(parent, ast.Expr) or (isinstance(parent, ast.Call) and stands_for(parent)):
        return
    symbol = known(path, of_0x(context))
    if symbol is None:
        return
    instead = f"{symbol.qualified} replaces it" if symbol.answer is not Answer.DEAD else "nothing replaces it"
    yield Hit(constant, f"if the program imports or looks up this text: {path} does not exist today; {instead}")


_T = "import tensorflow as tf\n"
_M = "from unittest import mock\n"
_EITHER = "try:\n    from unittest import mock\nexcept ImportError:\n    import mock\n"

rule = Rule(
    code="TFN011",
    name="named-in-text",
    summary='"tensorflow.nn.rnn_cell" in a string is no path of TensorFlow 2; mock.patch gets the path of the '
    "rewritten program",
    why="A program may import what a string names, or look it up in a table or a configuration of its own. codemods "
    "cannot see how a string is used, so a person has to look. mock.patch, mocker.patch and monkeypatch.setattr "
    "replace the object at a path: they get the path that the rewritten program uses, which is a safe change. If the "
    "program's uses are rewritten in several ways, as the calls of tf.argmax are, a person has to look.",
    safety=Safety.MANUAL,
    on=(ast.Module,),
    find=find,
    examples=(
        Example(
            f'{_M}@mock.patch("tensorflow.train.Saver")\ndef test(saver):\n'
            "    with mock.patch('tensorflow.get_variable', autospec=True):\n        pass\n",
            f'{_M}@mock.patch("tensorflow.compat.v1.train.Saver")\ndef test(saver):\n'
            "    with mock.patch('tensorflow.compat.v1.get_variable', autospec=True):\n        pass\n",
        ),
        Example(
            f"{_EITHER}p = mock.patch(target='tensorflow.Session.run')\n",
            f"{_EITHER}p = mock.patch(target='tensorflow.compat.v1.Session.run')\n",
        ),
        Example(
            "from mock import patch\npatch('tensorflow.layers.dense').start()\n",
            "from mock import patch\npatch('tf2bridge.v1.layers.dense').start()\n",
        ),
        Example(
            f"{_T}p = tf.test.mock.patch('tensorflow.summary.scalar')\n",
            f"{_T}p = tf.test.mock.patch('tensorflow.compat.v1.summary.scalar')\n",
        ),
        Example(
            "def test(monkeypatch, mocker):\n    monkeypatch.setattr('tensorflow.gfile.Exists', lambda path: True)\n"
            "    mocker.patch('tensorflow.gfile.Glob')\n",
            "def test(monkeypatch, mocker):\n"
            "    monkeypatch.setattr('tensorflow.compat.v1.gfile.Exists', lambda path: True)\n"
            "    mocker.patch('tensorflow.compat.v1.gfile.Glob')\n",
        ),
        Example(
            f'{_M}p = mock.patch.multiple("tensorflow", get_variable=f, Session=mock.DEFAULT)\n',
            f'{_M}p = mock.patch.multiple("tensorflow.compat.v1", get_variable=f, Session=mock.DEFAULT)\n',
        ),
        Example(
            f'{_M}p = mock.patch("tensorflow.get_variable")\nq = mock.patch("tensorflow.nn.relu")\n',
            f'{_M}p = mock.patch("tf2bridge.v1.get_variable")\nq = mock.patch("tf2bridge.v1.nn.relu")\n',
            target="bridge",
        ),
        Example(
            f'{_M}p = mock.patch("tensorflow.nn.rnn_cell.GRUCell")\n',
            f'{_M}p = mock.patch("tf2bridge.v0.nn.rnn_cell.GRUCell")\n',
            from_version="0.12",
        ),
        Example(f'{_M}p = mock.patch.multiple("tensorflow", get_variable=f, concat=g)\n', reported=True),
        Example(f'{_M}p = mock.patch("tensorflow.contrib.ffmpeg.decode_audio")\n', reported=True),
        Example(f'{_M}p = mock.patch("tensorflow.initialize_all_variables")\n', reported=True),
        Example(f'{_M}p = mock.patch.dict("sys.modules", {{"tensorflow.contrib": None}})\n', reported=True),
        Example(f'{_M}p = mock.patch("tensorflow.argmax")\n', reported=True),
        Example(f'{_M}p = mock.patch("tensorflow.train")\n', reported=True),
        Example(f'{_M}p = mock.patch("tensorflow.nn.relu")\n'),
        Example(f'{_M}{_T}w = tf.summary.create_file_writer(d)\np = mock.patch("tensorflow.argmax")\n'),
        Example(f'{_M}p = mock.patch("train.get_variable")\nq = mock.patch.object(p, "tensorflow")\n'),
        Example('CELLS = ["tensorflow.nn.rnn_cell.GRUCell"]\n', reported=True),
        Example(f'{_T}m = importlib.import_module("tensorflow.contrib.rnn")\n', reported=True),
        Example(f'{_T}m = importlib.import_module("tensorflow.nn")\n'),
        Example('log("tensorflow.no_such_thing")\n'),
        Example('"""tensorflow.contrib.rnn"""\n'),
    ),
)
