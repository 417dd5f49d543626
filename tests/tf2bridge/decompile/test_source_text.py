"""How statements are written: broken into lines, with few names."""

from __future__ import annotations

import ast
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge.decompile.constant_text import constant_text, keras_range_text, keras_triangle_text
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.expressions import LONGEST, wrapped
from tf2bridge.decompile.lines import Line, docstring
from tf2bridge.decompile.names import Names
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


def test_a_long_call_is_broken_also_if_more_stands_after_it() -> None:
    cell = f"self.{'c' * 70}"
    assert wrapped(f"lstm = {cell}(tf.concat([x, y], -1), [h, c])[1]", 8) == [
        f"lstm = {cell}(",
        "    tf.concat([x, y], -1), [h, c]",
        ")[1]",
    ]
    assert wrapped(f"items = tf.TensorArray(tf.float32, {'n' * 60}).unstack(x)", 8)[1:] == [
        f"    tf.float32, {'n' * 60}",
        ").unstack(x)",
    ]


def test_many_numbers_share_lines() -> None:
    lines = wrapped(f"y = tf.constant({[number - 8.5 for number in range(40)]})", 8)
    assert len(lines) == 8
    assert ast.literal_eval("".join(lines[1:-1])) == ([number - 8.5 for number in range(40)],)
    assert max(map(len, lines)) <= LONGEST - 8


def test_a_long_docstring_is_broken() -> None:
    module = tf2bridge.wrap(
        lambda x: {f"result_{number}": x + number for number in range(9)}, inputs={"x": tf.TensorSpec([2])}
    )
    lines = text_of(module, "about").source.splitlines()
    assert max(map(len, lines)) <= LONGEST
    assert any(line.strip().endswith('result_8 [2]."""') for line in lines)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.arange(50, dtype=np.int32)[None], "tf.range(50)[tf.newaxis]"),
        (np.arange(20, dtype=np.int64)[:, None], "tf.range(20, dtype=tf.int64)[:, tf.newaxis]"),
        (np.arange(30, 0, -3, dtype=np.int32), "tf.range(30, 0, -3)"),
        (np.eye(12, dtype=np.float32)[2], "tf.one_hot(2, 12)"),
        (np.where(np.arange(9) == 4, 7, 5).astype(np.int32)[None], "tf.one_hot([4], 9, 7, 5, dtype=tf.int32)"),
        (np.tri(5, dtype=np.float32)[None], "tf.linalg.band_part(tf.ones([1, 5, 5]), -1, 0)"),
        (np.triu(np.ones([4, 6], np.int32)), "tf.linalg.band_part(tf.ones([4, 6], tf.int32), 0, -1)"),
        (np.eye(4, dtype=np.float64)[None], "tf.eye(4, batch_shape=[1], dtype=tf.float64)"),
        (np.array([0, 1, 2], np.int32), "tf.constant([0, 1, 2])"),
        (np.array([[1, 2], [3, 4]] * 5, np.int32), f"tf.constant({[[1, 2], [3, 4]] * 5})"),
    ],
)
def test_rows_that_follow_a_rule(array: Any, expected: str) -> None:
    text = constant_text(array, tf.as_dtype(array.dtype))
    assert text == expected
    value = eval(text, {"tf": tf})
    assert value.dtype == array.dtype
    assert np.array_equal(value, array)
    if (in_keras := keras_range_text(array) or keras_triangle_text(array)) is not None:
        assert np.array_equal(eval(in_keras, {"keras": keras}), array)


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


def test_a_further_name_like_that_of_a_builtin_has_one_underscore() -> None:
    names = Names()
    assert [names.new("Sum") for _ in range(3)] == ["sum_", "sum_2", "sum_3"]
