"""What resolves and binds today, as the data say, and the census of a tree that is made of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from codemods.cli import app
from codemods.settings import Settings
from codemods.symbols import lookup, names
from codemods.symbols.census import Kind, of_paths, tried
from codemods.symbols.exports import State, binds, status


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("tensorflow.nn.relu", State.OK),
        ("tensorflow.mul", State.MISSING),
        ("tensorflow.placeholder", State.MISSING),
        ("tensorflow.compat.v1.placeholder", State.OK),
        ("tensorflow.compat.v1.layers.dense", State.MISSING),
        ("tensorflow.compat.v1.app.flags.DEFINE_string", State.OK),
        ("tensorflow.__version__", State.UNKNOWN),
        ("tensorflow.Variable.initializer", State.OK),
        ("tensorflow.contrib.slim", State.MISSING),
        ("tensorflow.python.ops.array_ops.reshape", State.OK),
        ("tensorflow.python.ops.math_ops.greater", State.OK),
        ("tensorflow.python.ops.seq2seq", State.MISSING),
        ("tensorflow.python.framework.test_util.run_in_graph_and_eager_modes", State.OK),
        ("tensorflow.compat.v1.test.mock.patch", State.UNKNOWN),
        ("tensorflow.examples.tutorials.mnist", State.MISSING),
        ("tf2bridge.v1.layers.dense", State.OK),
        ("tf2bridge.v1.placeholder", State.OK),
        ("tf2bridge.v1.contrib.slim.no_such_layer", State.MISSING),
        ("tf2bridge.v1.contrib.layers.python.layers.utils.smart_cond", State.OK),
        ("tf2bridge.v1.python.layers.dense", State.OK),
        ("tf2bridge.v1.python.layers.no_such_layer", State.MISSING),
        ("tf2bridge.v1.examples.tutorials.mnist.input_data.read_data_sets", State.OK),
        ("tf2bridge.v0.nn.rnn_cell.BasicLSTMCell", State.OK),
    ],
)
def test_whether_a_name_is_there(name: str, state: State) -> None:
    assert status(name).state is state


@pytest.mark.parametrize(
    ("words", "positional", "keywords", "why"),
    [
        ("x y=", 1, [], None),
        ("x y=", 3, [], "takes 2 arguments by position, not 3"),
        ("x y=", 1, ["z"], "takes no z"),
        ("x y=", 1, ["x"], "gets x twice"),
        ("x y", 1, [], "lacks y"),
        ("x *args", 5, [], None),
        ("x **kwargs", 1, ["z"], None),
        ("x * y=", 2, [], "takes 1 arguments by position, not 2"),
        ("x * y=", 1, ["y"], None),
    ],
)
def test_whether_a_call_binds(words: str, positional: int, keywords: list[str], why: str | None) -> None:
    assert binds(words, positional, keywords) == why


def test_every_target_of_a_rename_is_there() -> None:
    answers = [symbol for name in names() if (symbol := lookup(name)) is not None and symbol.qualified]
    assert len(answers) > 5000
    assert not [symbol.name for symbol in answers if status(symbol.qualified).state is State.MISSING]


PROGRAM = """\
import tensorflow as tf
tf.compat.v1.disable_v2_behavior()
from tensorflow.contrib import ffmpeg
x = tf.mul(1, 2)
y = tf.nn.relu(x, slope=0.1)
m = tf.where(tf.argmax(x, 0), x, x)
try:
    old = tf.no_such_name
except AttributeError:
    old = None
print(tf.nn.relu(x), tf.compat.v1.Session().run(x))
"""


def test_the_census_of_a_tree(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    census = of_paths([tmp_path], Settings())
    result = [(dead.line, dead.kind) for dead in census.dead]
    assert result == [(3, Kind.IMPORT), (4, Kind.NAME), (5, Kind.CALL), (6, Kind.CHANGED)]
    assert not census.unreported


def test_what_stands_in_for_a_dead_import_is_a_dead_use(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("from tensorflow.contrib import ffmpeg\nffmpeg.decode_audio(x)\n")
    assert [dead.kind for dead in of_paths([tmp_path], Settings()).dead] == [Kind.IMPORT]
    CliRunner().invoke(app, ["check", str(tmp_path), "--fix", "--force"])
    census = of_paths([tmp_path], Settings())
    assert [(dead.kind, dead.name) for dead in census.dead] == [(Kind.NAME, "tensorflow.contrib.ffmpeg")]
    assert not census.unreported


def test_the_command_prints_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import tensorflow as tf\nx = tf.mul(1, 2)\n")
    result = CliRunner().invoke(app, ["check", str(tmp_path), "--fix", "--force", "--resolve"])
    assert "0 dead uses, 0 dead imports" in result.output
    (tmp_path / "train.py").write_text("import tensorflow as tf\nx = tf.nothing(1, 2)\n")
    result = CliRunner().invoke(app, ["check", str(tmp_path), "--statistics", "--resolve"])
    assert "tensorflow.nothing does not exist" in result.output and result.exit_code == 1


def test_the_command_imports_what_it_says_is_there(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    (tmp_path / "tensorflow.py").write_text("raise SystemExit('a file of the tree that is checked runs')\n")
    (tmp_path / "train.py").write_text(
        "from tf2bridge.v1.keras.layers import Dense\n"
        "import tf2bridge.v1.contrib.slim.python.slim.data\n"
        "from tf2bridge.v1.contrib.framework.python.ops.arg_scope import *\n"
        "from tf2bridge.v1.contrib.slim.nets.inception_v3 import inception_v3\n"
    )
    census = tried(of_paths([tmp_path / "train.py"], Settings()))
    assert (census.imports, census.dead, census.tried) == (4, (), True)
    wrong = replace(census.there[0], name="tensorflow.keras.layers:Dance")
    (dead,) = tried(replace(census, there=(*census.there, wrong))).dead
    assert dead.name == "tensorflow.keras.layers.Dance" and "cannot import name 'Dance'" in dead.reason
