"""The facts about TensorFlow's names: what is looked up, and that every answer is true of the TensorFlow installed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from codemods import symbols
from codemods.symbols import Answer, Symbol, longest, lookup, signature


def answer(name: str) -> Symbol:
    symbol = lookup(name)
    assert symbol is not None, name
    return symbol


@pytest.mark.parametrize(
    ("name", "qualified"),
    [
        ("nn.relu", "tensorflow.nn.relu"),
        ("placeholder", "tensorflow.compat.v1.placeholder"),
        ("mul", "tensorflow.multiply"),
        ("initialize_all_variables", "tensorflow.compat.v1.global_variables_initializer"),
        ("python.ops.math_ops.reduce_sum", "tensorflow.compat.v1.reduce_sum"),
        ("nn.rnn_cell.BasicLSTMCell", "tf2bridge.v1.nn.rnn_cell.BasicLSTMCell"),
        ("models.rnn.rnn_cell.GRUCell", "tf2bridge.v1.nn.rnn_cell.GRUCell"),
        ("contrib.deprecated.scalar_summary", "tf2bridge.v1.scalar_summary"),
        ("contrib.framework.get_or_create_global_step", "tensorflow.compat.v1.train.get_or_create_global_step"),
        ("layers.dense", "tf2bridge.v1.layers.dense"),
        ("contrib.slim.nets.resnet_v1", "tf2bridge.v1.contrib.slim.nets.resnet_v1"),
        ("contrib.keras.api.keras.layers.Dense", "tf2bridge.v1.contrib.keras.layers.Dense"),
        ("contrib.keras.python.keras.layers.Dense", "tf2bridge.v1.python.keras._impl.keras.layers.Dense"),
        ("python.keras.models.Model", "tf2bridge.v1.python.keras.models.Model"),
        ("python.keras.utils.to_categorical", "tf2bridge.v1.python.keras.utils.to_categorical"),
        (
            "contrib.learn.python.learn.estimators.Estimator",
            "tf2bridge.v1.contrib.learn.python.learn.estimators.Estimator",
        ),
    ],
)
def test_name_is_written_so_today(name: str, qualified: str) -> None:
    assert answer(name).qualified == qualified


def test_releases_that_had_a_name() -> None:
    assert answer("mul").releases == ("0.12.1",)
    assert answer("layers.dense").releases == ("1.4.1", "1.12.3", "1.15.5")


def test_name_that_is_gone_says_why_and_what_is_nearest() -> None:
    gone = answer("contrib.opt.GGTOptimizer")
    assert gone.answer is Answer.DEAD
    assert gone.reason == "tf.contrib was removed in TensorFlow 2.0"
    assert gone.nearest == "tf.compat.v1.train"


def test_a_private_name_that_tf2bridge_supplies_is_not_gone() -> None:
    name = "python.framework.ops.register_dense_tensor_like_type"
    symbol = symbols.lookup(name)
    assert symbol is not None and symbol.qualified == f"tf2bridge.v1.{name}"


def test_unknown_name_has_no_answer() -> None:
    assert lookup("no.such.name") is None


def test_compat_v1_is_the_same_question() -> None:
    assert lookup("compat.v1.layers.dense") == lookup("layers.dense")


def test_longest_known_part_of_a_dotted_name() -> None:
    result = longest("app.flags.FLAGS.learning_rate")
    assert result is not None
    assert (result[0].name, result[1]) == ("app.flags.FLAGS", "learning_rate")


def test_argument_order_of_each_release() -> None:
    assert signature("concat", "0.12") == ("concat_dim", "values", "name")
    assert signature("concat", "1.4") == signature("concat", symbols.TODAY) == ("values", "axis", "name")
    assert signature("nn.nce_loss", "0.11") == signature("nn.nce_loss", "0.12.1")
    assert signature("nn.relu", "0.12") is None


def test_data_are_small_sorted_and_one_line_each() -> None:
    for path in symbols.DATA.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
        assert list(data) == sorted(data)
        assert len(text.splitlines()) == len(data) + 2
        assert len(text) < 1_000_000


def test_looking_up_does_not_import_tensorflow() -> None:
    code = "import sys; from codemods import symbols; symbols.lookup('mul'); print('tensorflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
