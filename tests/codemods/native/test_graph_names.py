"""Names of variables begin anew in each graph of a program."""

from __future__ import annotations

import re

import pytest

from tests.codemods.native.test_rewriting import native

HEAD = "import tensorflow as tf\n"
RUN = "sess.run(tf.global_variables_initializer())\n{in_}print(sess.run({name} * 2.0))\n"


def part(name: str, graph: str = "", begin: str = "") -> str:
    """Returns a part of a program that makes a variable without a name, in a block of a graph or outside."""
    indent = "    " if graph else ""
    session = f"{indent}with tf.Session() as sess:\n{indent}    "
    run = RUN.format(in_=f"{indent}    ", name=name)
    return f"{begin}{graph}{indent}{name} = tf.Variable(4.0)\n{session}{run}"


RESET = "tf.reset_default_graph()\n"
NEW = "with tf.Graph().as_default():\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (part("a") + part("b"), ["b = tf.Variable(4.0, name='Variable_1')"]),
        (part("a") + part("b", begin=RESET), []),
        (part("a") + part("b", begin=RESET) + part("c"), ["c = tf.Variable(4.0, name='Variable_1')"]),
        (part("a", NEW) + part("b", NEW), []),
        (part("a", NEW) + part("b") + part("c"), ["c = tf.Variable(4.0, name='Variable_1')"]),
    ],
)
def test_names_begin_anew_with_a_graph(text: str, named: list[str]) -> None:
    assert re.findall(r".*name='Variable.*", native(HEAD + text).text) == named
