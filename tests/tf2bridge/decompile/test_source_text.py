"""How statements are written: broken into lines, with few names."""

from __future__ import annotations

import ast

import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.expressions import wrapped
from tf2bridge.decompile.lines import Line, docstring
from tf2bridge.decompile.reused_names import with_reused_names


def reused(*lines: str, parameters: tuple[str, ...] = ()) -> list[str]:
    return [str(line) for line in with_reused_names([Line(line) for line in lines], parameters)]


def test_a_name_is_used_again_when_nothing_needs_it() -> None:
    assert reused("relu = f(x)", "relu_2 = g(relu)", "return relu_2") == [
        "relu = f(x)",
        "relu = g(relu)",
        "return relu",
    ]
    assert reused("x_2 = f(x)", "return x + x_2", parameters=("x",)) == ["x_2 = f(x)", "return x + x_2"]
    assert reused("x_2 = x", "for f in self.f:", "    x_2 = f(x_2)", "return x_2", parameters=("x",)) == [
        "for f in self.f:",
        "    x = f(x)",
        "return x",
    ]


def test_the_variable_of_a_loop_takes_no_name_that_the_loop_needs() -> None:
    lines = ("x_2 = g(x)", "for x_3 in self.x:", "    x_2 = x_3(x_2)", "return x_2")
    assert reused(*lines, parameters=("x",)) == ["x = g(x)", "for x_3 in self.x:", "    x = x_3(x)", "return x"]


def test_what_an_inner_function_reads_keeps_its_name() -> None:
    lines = ("a = f(x)", "def body(y):", "    return y + a", "a_2 = g(x)", "return loop(body, a_2)")
    assert reused(*lines) == list(lines)


def test_a_long_sum_has_a_line_for_each_term() -> None:
    terms = [f"self.factor_{number} * tf.sigmoid(gate_{number})" for number in range(3)]
    assert wrapped(f"state = {terms[0]} + {terms[1]} - {terms[2]}", 8) == [
        "state = (",
        f"    {terms[0]}",
        f"    + {terms[1]}",
        f"    - {terms[2]}",
        ")",
    ]
    text = "x" * 60
    assert wrapped(f"y = f('{text} + 1', self.second_of_the_arguments)", 8) == [
        "y = f(",
        f"    '{text} + 1',",
        "    self.second_of_the_arguments,",
        ")",
    ]


@pytest.mark.parametrize("name", ['x"""; import os; os.abort(); """', "a\\N\n\x1b[2J", "modèle \\", 'ends with "'])
def test_no_name_ends_a_docstring(name: str) -> None:
    (statement,) = ast.parse(docstring(name)).body
    assert isinstance(statement, ast.Expr)
    assert ast.literal_eval(statement.value) == name
    module = tf2bridge.wrap(tf.tanh, inputs={"x": tf.TensorSpec([2])})
    assert ast.get_docstring(ast.parse(text_of(module, name).source), clean=False) == name


def test_docstrings_have_names_and_shapes() -> None:
    module = tf2bridge.wrap(lambda x: {"y": tf.tanh(x), "z": tf.shape(x)}, inputs={"x": tf.TensorSpec([None, 3])})
    source = text_of(module, "about").source
    assert '"""Returns a list: y [None, 3], z [2]."""' in source
