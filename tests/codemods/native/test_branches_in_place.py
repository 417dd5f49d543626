"""Named functions of tf.cond become lambdas, where their names mean the same at the call; see fixtures, `decoded`."""

from __future__ import annotations

import pytest

from codemods.native.branches_in_place import with_branches_in_place
from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import HEAD, native

TF = "import tensorflow as tf\n"
BRANCHES = "def f1(): return x + 1\n\ndef f2():\n    '''The other one.'''\n    return x - 1\n\n"


def in_place(text: str) -> str | None:
    """Returns a text with lambdas, below the import; None if it stays."""
    made = with_branches_in_place(TF + text)
    return made[0].removeprefix(TF) if made is not None else None


def test_functions_of_one_statement_become_lambdas() -> None:
    assert in_place(BRANCHES + "y = tf.cond(x > 0, f1, false_fn=f2)\n") == (
        "\n\ny = tf.cond(x > 0, lambda: x + 1, false_fn=lambda: x - 1)\n"
    )


def test_a_function_with_other_users_stays() -> None:
    made = in_place(BRANCHES + "y = tf.cond(x > 0, f1, f2)\nz = f1()\n")
    assert made is not None and made.startswith("def f1(): return x + 1\n") and "lambda: x + 1, lambda: x - 1" in made


@pytest.mark.parametrize(
    "text",
    [
        "def f1():\n    a = x + 1\n    return a\ny = tf.cond(x > 0, f1, lambda: x)\n",
        "def f1(): return [x + 1]\ny = tf.cond(x > 0, f1, lambda: x)\n",
        "def f1(a=1): return x + a\ny = tf.cond(x > 0, f1, lambda: x)\n",
        "@once\ndef f1(): return x + 1\ny = tf.cond(x > 0, f1, lambda: x)\n",
        "def f1(): return x + 1\ndef f1(): return x + 2\ny = tf.cond(x > 0, f1, lambda: x)\n",
        "y = tf.cond(x > 0, f1, lambda: x)\ndef f1(): return x + 1\n",
        "def f1(): return x + 1\ndef g(x):\n    return tf.cond(x > 0, f1, lambda: x)\n",
        "def f1(): return x + 1\ndef g(f1):\n    return tf.cond(x > 0, f1, lambda: x)\n",
    ],
)
def test_other_branches_stay(text: str) -> None:
    assert in_place(text) is None


def test_what_a_decoder_feeds_itself_is_refused() -> None:
    text = HEAD + (
        "x = tf.placeholder(tf.float32, [2, 3])\ncell = tf.nn.rnn_cell.BasicRNNCell(3)\n"
        "outputs, _ = tf.contrib.legacy_seq2seq.rnn_decoder([x, x], tf.zeros([2, 3]), cell, loop_function=own)\n"
        "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
        "print(sess.run(outputs[1], {x: np.ones([2, 3])}))\n"
    )
    with pytest.raises(NotNativeError, match="the option loop_function of rnn_decoder has no counterpart"):
        native("own = lambda value, number: value\n" + text)
