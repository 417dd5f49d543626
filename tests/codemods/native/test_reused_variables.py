"""Variables that a second scope uses again are those of the first, or the program is refused."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from codemods.native.reused_variables import with_shared_variables
from tests.codemods.native.test_rewriting import native, numbers, run

HEAD = "import tensorflow as tf\n"
FIRST = "with tf.variable_scope('d'):\n    w = tf.get_variable('w', [2, 3])\n"


@pytest.mark.parametrize(
    ("second", "wanted"),
    [
        (
            "with tf.variable_scope('d', reuse=True):\n    v = tf.get_variable('w', [2, 3])\n",
            "with tf.variable_scope('d'):\n    v = w\n",
        ),
        (
            "with tf.variable_scope('d', reuse=tf.AUTO_REUSE):\n    v = tf.get_variable('w',\n        [2, 3])\n",
            "with tf.variable_scope('d'):\n    v = w\n",
        ),
        (
            "with tf.variable_scope('e', reuse=tf.AUTO_REUSE):\n    v = tf.get_variable('w', [2, 3])\n",
            "with tf.variable_scope('e'):\n    v = tf.get_variable('w', [2, 3])\n",
        ),
        (
            "with tf.variable_scope('d') as scope:\n"
            "    scope.reuse_variables()\n"
            "    v = tf.get_variable('w', [2, 3])\n",
            "with tf.variable_scope('d') as scope:\n    v = w\n",
        ),
        (
            "tf.get_variable_scope().reuse_variables()\nwith tf.variable_scope('d'):\n    v = tf.get_variable('w')\n",
            "with tf.variable_scope('d'):\n    v = w\n",
        ),
    ],
)
def test_the_second_variable_is_the_first(second: str, wanted: str) -> None:
    made = with_shared_variables(HEAD + FIRST + second)
    assert made is not None
    assert made[0] == HEAD + FIRST + wanted
    assert len(made[1]) == made[0].count("\n")


RUN = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n    print(sess.run(y))\n"


@pytest.mark.parametrize(
    "second",
    [
        "flag = bool(input())\nwith tf.variable_scope('d', reuse=flag):\n    v = tf.get_variable('w', [2, 3])\n",
        "with tf.variable_scope('d', reuse=True):\n    v = [tf.get_variable('w', [2, 3])][0]\n",
    ],
)
def test_what_the_source_does_not_say_is_refused(second: str) -> None:
    with pytest.raises(NotNativeError, match="uses variables again"):
        native(HEAD + FIRST + second + "y = tf.matmul(v, w, transpose_b=True)\n" + RUN)


def test_the_program_has_one_variable() -> None:
    second = "with tf.variable_scope('d', reuse=True):\n    v = tf.get_variable('w', [2, 3])\n"
    text = native(HEAD + FIRST + second + "y = tf.matmul(v, w, transpose_b=True)\n" + RUN).text
    assert text.count("tf.Variable(") == 1
    assert "v = w\n" in text


def test_a_function_that_uses_it_again_has_a_store() -> None:
    second = (
        "def make():\n    return tf.get_variable('w', [2, 3])\n"
        "with tf.variable_scope('d', reuse=True):\n    v = make()\n    u = make()\n"
    )
    made = native(HEAD + FIRST + second + "y = tf.matmul(v, w, transpose_b=True)\n" + RUN).text
    assert "with store.scope('d', reuse=True):" in made
    printed = run(made)
    assert len(numbers(printed)) == 4


TWO = """
with tf.variable_scope('a'):
    w = tf.get_variable('w', [2], initializer=tf.constant_initializer(1.0))
with tf.variable_scope('b'):
    w = tf.get_variable('w', [2], initializer=tf.constant_initializer(2.0))
with tf.variable_scope('a', reuse=True):
    again = tf.get_variable('w', [2])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(again * 3.0))
"""


def test_a_variable_is_shared_after_its_name_was_bound_to_another_one() -> None:
    assert "again = w\n" not in (with_shared_variables(HEAD + TWO) or (TWO, ()))[0]
    assert run(native(HEAD + TWO).text).split() == ["[3.", "3.]"]
