"""Calls with other keywords: nothing else of their text changes."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemods.calls import with_keyword
from codemods.rewording import Rewording


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(a, b)", "f(x=a, y=b)"),
        ("f( a ,b )", "f( x=a ,y=b )"),
        ("f((a), (b, c))", "f(x=(a), y=(b, c))"),
        ("(f)((a))", "(f)(x=(a))"),
        ("f (\n    a,  # first, (not) last\n    b,\n)", "f (\n    x=a,  # first, (not) last\n    y=b,\n)"),
        ("f(  # (\n  a, \\\n  b)", "f(  # (\n  x=a, \\\n  y=b)"),
        ("f(lambda p, q: p, b)", "f(x=lambda p, q: p, y=b)"),
        ("f(a, old = 1)", "f(x=a, new = 1)"),
        ("f('é', 'ü')", "f(x='é', y='ü')"),
        ("f(i for i in a)", "f(x=(i for i in a))"),
        ("f((i for i in a))", "f(x=(i for i in a))"),
        ("f(n := 1, b)", "f(x=(n := 1), y=b)"),
        ("f()", "f()"),
        ("a.b(c)(d)", "a.b(c)(x=d)"),
        ("a + b", "a + b"),
        ("f", "f"),
    ],
)
def test_arguments_get_keywords(text: str, expected: str) -> None:
    assert Rewording(((0, "x"), (1, "y"), ("old", "new"))).of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()", "f(k=1)"),
        ("f( )", "f( k=1)"),
        ("f(a)", "f(a, k=1)"),
        ("f((a))", "f((a), k=1)"),
        ("f(\n    (a),\n)", "f(\n    (a), k=1,\n)"),
        ("f(a  # why\n)", "f(a, k=1  # why\n)"),
        ("f(b=(2), *a)", "f(b=(2), *a, k=1)"),
        ("f(i for i in a)", "f((i for i in a), k=1)"),
        ("x", "x"),
    ],
)
def test_an_argument_is_added_behind_the_others(text: str, expected: str) -> None:
    assert with_keyword("k", "1").of(text) == expected


def test_what_keeps_its_arguments_is_not_parsed_by_libcst(tmp_path: Path) -> None:
    """Nor is a call that gets keywords: LibCST, a third of a start, is not even loaded."""
    (tmp_path / "a.py").write_text("import tensorflow as tf\nx = tf.concat(1, [tf.mul(a, b), c])\n")
    code = "import sys; from codemods.cli import run; run(sys.argv[1:]); print('libcst' in sys.modules)"
    command = [sys.executable, "-c", code, "check", "--diff", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "+x = tf.concat(axis=1, values=[tf.multiply(a, b), c])" in done.stdout
    assert done.stdout.endswith("False\n")


GAPS = st.sampled_from(["", " ", "\n  ", "  # ), (\n", "\t", " \\\n"])
ARGUMENTS = st.sampled_from(
    ["a", "(a)", "((a), b)", "lambda: (1, 2)", "f(1, *b)", "'),('", "a if b else c", "[i for i in a]"]
)


@given(st.lists(st.tuples(GAPS, ARGUMENTS, GAPS), max_size=4), st.sampled_from(["f", "(f)", "f.g", "f(1)"]), GAPS)
def test_any_layout_is_kept(arguments: list[tuple[str, str, str]], function: str, gap: str) -> None:
    """Every argument has its keyword, and without the keywords the text is what it was."""
    inside = ",".join(before + argument + after for before, argument, after in arguments)
    text = f"{function}({inside}{gap})" if not arguments else f"{function}{gap}({inside})"
    new = Rewording(tuple((place, f"key{place}") for place in range(4))).of(text)
    call = ast.parse(f"({new})", mode="eval").body
    assert isinstance(call, ast.Call)
    assert [keyword.arg for keyword in call.keywords] == [f"key{place}" for place in range(len(arguments))]
    for place in range(4):
        new = new.replace(f"key{place}=", "", 1)
    assert new == text
