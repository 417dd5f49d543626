"""Continued lines stay aligned to their bracket when the name before it gets longer; any other line stays."""

from __future__ import annotations

import textwrap

from codemods.engine import Changed, check_text
from codemods.settings import Settings

_HEAD = "import tensorflow as tf\n"


def rewritten(text: str) -> str:
    result = check_text(_HEAD + textwrap.dedent(text), "model.py", Settings(select=("TFN", "TFA")))
    assert isinstance(result, Changed)
    return result.after.decode().removeprefix(_HEAD)


def test_lines_aligned_to_the_bracket_move_with_it() -> None:
    assert rewritten("""
        x = tf.placeholder(tf.float32,
                           [None, 4],

                           name="x")
    """) == textwrap.dedent("""
        x = tf.compat.v1.placeholder(tf.float32,
                                     [None, 4],

                                     name="x")
    """)


def test_inner_brackets_move_with_theirs_and_the_outer() -> None:
    assert rewritten("""
        y = tf.log(tf.to_float(f(a,
                                 b),
                               # the name
                               "n"),
                   name="y")
    """) == textwrap.dedent("""
        y = tf.compat.v1.log(tf.compat.v1.to_float(f(a,
                                                     b),
                                                   # the name
                                                   "n"),
                             name="y")
    """)


def test_line_that_moves_moves_what_is_aligned_to_it() -> None:
    assert rewritten("""
        y = tf.pack([a,
                     b], name=tf.initialize_variables([c,
                                                       d]))
    """).endswith(
        textwrap.dedent("""
        y = tf.stack([a,
                      b], name=tf.compat.v1.variables_initializer([c,
                                                                   d]))
    """)
    )


def test_lines_with_an_indentation_of_their_own_stay() -> None:
    text = """
        x = tf.placeholder(
            tf.float32,
            name="x")
        y = tf.placeholder(tf.float32,
            [None],
                           name="y")
    """
    assert rewritten(text) == textwrap.dedent(text).replace("tf.placeholder", "tf.compat.v1.placeholder")


def test_lines_of_a_text_stay() -> None:
    text = '''
        x = tf.placeholder(tf.float32, name="""a
                           b""")
    '''
    assert rewritten(text) == textwrap.dedent(text).replace("tf.placeholder", "tf.compat.v1.placeholder")
