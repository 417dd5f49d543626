"""The engine with small rules of its own: what is spliced where, and that nothing else changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemods.context import Context
from codemods.engine import Changed, Failed, Unchanged, check_file, check_text
from codemods.results import FileResult
from codemods.rule import Hit, Rule, Safety, Use, rename
from codemods.settings import Settings
from codemods.source import SourceFile


def a_rule(code: str, on: type[ast.AST], find: Callable[[Any, Context], Iterator[Hit]], safety: Safety) -> Rule:
    return Rule(code, code.lower(), "summary", "why", safety, (on,), find, ())


def _mul(node: ast.expr, context: Context) -> Iterator[Hit]:
    if context.qualified(node) == "tensorflow.mul":
        yield rename(context, node, "tensorflow.multiply", "renamed")


def _swap(call: ast.Call, context: Context) -> Iterator[Hit]:
    """tf.concat(axis, values) -> tf.concat(values, axis)."""

    def swapped(node: cst.Call) -> cst.Call:
        first, second = node.args
        return node.with_changes(args=[first.with_changes(value=second.value), second.with_changes(value=first.value)])

    if (
        context.qualified(call) == "tensorflow.concat"
        and len(call.args) == 2
        and isinstance(call.args[0], ast.Constant)
    ):
        yield Hit(call, "swapped", rewrite=swapped)


def _sub(call: ast.Call, context: Context) -> Iterator[Hit]:
    """tf.sub(a, b) -> a - b."""

    def minus(node: cst.Call) -> cst.BaseExpression:
        return cst.BinaryOperation(node.args[0].value, cst.Subtract(), node.args[1].value)

    if context.qualified(call) == "tensorflow.sub":
        yield Hit(call, "an operator", rewrite=minus)


def _pack(node: ast.expr, context: Context) -> Iterator[Hit]:
    if context.qualified(node) == "tensorflow.pack":
        yield Hit(node, "look at this", todo=True)


def _layers(node: ast.expr, context: Context) -> Iterator[Hit]:
    if context.qualified(node) == "tensorflow.layers.dense":
        yield rename(context, node, "tf2bridge.v1.layers.dense", "bridged")


MUL = a_rule("TFN901", Use, _mul, Safety.SAFE)
SWAP = a_rule("TFA901", ast.Call, _swap, Safety.SAFE)
SUB = a_rule("TFA902", ast.Call, _sub, Safety.SAFE)
PACK = a_rule("TFN902", Use, _pack, Safety.MANUAL)
LAYERS = a_rule("TFN903", Use, _layers, Safety.SAFE)
RULES = (MUL, SWAP, SUB, PACK, LAYERS)
TF = "import tensorflow as tf\n"


def run(text: str, rules: tuple[Rule, ...] = RULES, **options: Any) -> FileResult:
    return check_text(text, "a.py", Settings(**options), rules=rules)


def after(text: str, rules: tuple[Rule, ...] = RULES, **options: Any) -> str:
    result = run(text, rules, **options)
    assert isinstance(result, Changed | Unchanged), result
    return result.after.decode() if isinstance(result, Changed) else text


def check_rewritten(before: str, expected: str) -> None:
    assert after(TF + before) == TF + expected
    assert after(TF + expected) == TF + expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("tf.mul(a, b)", "tf.multiply(a, b)"),
        ("tf . mul  ( a,b )", "tf.multiply  ( a,b )"),
        ("tf.mul(tf.mul(a, 1), 2)", "tf.multiply(tf.multiply(a, 1), 2)"),
        ("tf.concat(0, [tf.mul(a, 1), b])", "tf.concat([tf.multiply(a, 1), b], 0)"),
        ("tf.concat(0, tf.concat(1, x))", "tf.concat(tf.concat(x, 1), 0)"),
        ("tf.concat(0, [  # why\n    a,\n    b])\n", "tf.concat([  # why\n    a,\n    b], 0)\n"),
        ("x = (tf.mul\n     (a, b))", "x = (tf.multiply\n     (a, b))"),
        ("é = tf.mul(a, 'é'); tf.mul(é, 1)", "é = tf.multiply(a, 'é'); tf.multiply(é, 1)"),
        ("f(tf.mul)(tf.mul)", "f(tf.multiply)(tf.multiply)"),
        ("y = tf.mul\n\ny(1)", "y = tf.multiply\n\ny(1)"),
    ],
)
def test_nested_edits_are_made_in_one_go(before: str, expected: str) -> None:
    check_rewritten(before, expected)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("x = tf.sub(a, b)", "x = a - b"),
        ("x = tf.sub(a, b) * 2", "x = (a - b) * 2"),
        ("x = -tf.sub(a, b).y", "x = -(a - b).y"),
        ("f(tf.sub(a, b))", "f(a - b)"),
        ("tf.sub(a, b)(c)", "(a - b)(c)"),
        ("tf.sub(a,\n  b)[0]", "(a - b)[0]"),
    ],
)
def test_brackets_are_put_where_the_new_expression_needs_them(before: str, expected: str) -> None:
    check_rewritten(before, expected)


def test_a_call_over_lines_inside_brackets() -> None:
    check_rewritten(
        "x = f(\n  tf.concat(0,\n     y) + tf.mul(1,\n 2))", "x = f(\n  tf.concat(y,\n     0) + tf.multiply(1,\n 2))"
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_imports_are_added_once_in_the_files_own_newlines(newline: str) -> None:
    text = "'''doc'''\nimport os\nimport tensorflow as tf\n\ntf.layers.dense(x)\ntf.layers.dense(y)\n"
    new = (
        "'''doc'''\nimport os\nimport tensorflow as tf\nimport tf2bridge.v1\n\n"
        "tf2bridge.v1.layers.dense(x)\ntf2bridge.v1.layers.dense(y)\n"
    )
    assert after(text.replace("\n", newline)) == new.replace("\n", newline)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            "from tensorflow import mul\nmul(a)\n",
            "from tensorflow import mul\nimport tensorflow as tf\ntf.multiply(a)\n",
        ),
        (
            "from tensorflow import mul\ntf = 1\nmul(a)\n",
            "from tensorflow import mul\nimport tensorflow\ntf = 1\ntensorflow.multiply(a)\n",
        ),
        (
            "def f():\n    import tensorflow as tf\n    tf.mul(a)\n",
            "import tensorflow as tf\ndef f():\n    import tensorflow as tf\n    tf.multiply(a)\n",
        ),
        (
            "import tensorflow as T; T.layers.dense(x)",
            "import tensorflow as T; import tf2bridge.v1; tf2bridge.v1.layers.dense(x)",
        ),
        (
            "import tensorflow as T # c\nT.layers.dense(x)",
            "import tensorflow as T # c\nimport tf2bridge.v1\ntf2bridge.v1.layers.dense(x)",
        ),
        (
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise\ntf.layers.dense(x)\n",
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise\nimport tf2bridge.v1\n"
            "tf2bridge.v1.layers.dense(x)\n",
        ),
    ],
)
def test_where_imports_go(before: str, expected: str) -> None:
    assert after(before) == expected
    assert after(expected) == expected


def test_a_todo_stands_above_the_statement_once() -> None:
    before = TF + "if a:\n    x = f(1,\n          tf.pack(b))\n"
    expected = TF + "if a:\n    # TODO(codemods TFN902): look at this\n    x = f(1,\n          tf.pack(b))\n"
    assert after(before) == expected
    result = run(expected)
    assert isinstance(result, Unchanged)
    assert [(f.code, f.line, f.column, f.fixed) for f in result.findings] == [("TFN902", 5, 11, False)]


def test_a_todo_goes_above_decorators_and_whole_lines() -> None:
    assert "\n# TODO(codemods TFN902): look at this\n@d\ndef f(x=tf.pack(1)):" in after(
        TF + "@d\ndef f(x=tf.pack(1)): pass\n"
    )
    assert after(TF + "if a: tf.pack(b)\n") == TF + "# TODO(codemods TFN902): look at this\nif a: tf.pack(b)\n"
    assert after(TF + "a; tf.pack(b)\n") == TF + "# TODO(codemods TFN902): look at this\na; tf.pack(b)\n"


@pytest.mark.parametrize(
    "line",
    [
        "tf.mul(a)  # codemods: ignore",
        "tf.mul(a)  # codemods: ignore[TFN901]",
        "tf.mul(a)  # codemods: ignore[TFA901, TFN]",
        "x = tf.mul(\n  a)  # codemods: ignore[TFN901]",
    ],
)
def test_an_ignore_comment_is_obeyed(line: str) -> None:
    assert run(TF + line) == Unchanged("a.py", ())


def test_an_ignore_comment_for_another_rule_is_not() -> None:
    assert "tf.multiply(a)" in after(TF + "tf.mul(a)  # codemods: ignore[TFA]\ntf.mul(b)")


def test_select_and_ignore_go_by_prefix() -> None:
    text = TF + "tf.mul(tf.concat(0, x))"
    assert after(text, select=("TFA",)) == TF + "tf.mul(tf.concat(x, 0))"
    assert after(text, ignore=("TFA",)) == TF + "tf.multiply(tf.concat(0, x))"


def test_uses_of_a_rewritten_alias_are_left_alone() -> None:
    text = TF + "layers = tf.layers\ndense = layers.dense\nother = dense\nother(x)\nlayers.dense(x)\n"
    new = after(text)
    assert new == TF + (
        "import tf2bridge.v1\nlayers = tf.layers\ndense = tf2bridge.v1.layers.dense\nother = dense\nother(x)\n"
        "tf2bridge.v1.layers.dense(x)\n"
    )
    assert after(new) == new


def test_uses_of_a_rewritten_import_are_looked_at_again() -> None:
    def moved(node: ast.ImportFrom, _: Context) -> Iterator[Hit]:
        if node.module == "tensorflow":
            yield Hit(node, "moved", rewrite="from tensorflow import multiply as mul")

    rules = (*RULES, a_rule("TFN908", ast.ImportFrom, moved, Safety.SAFE))
    assert after("from tensorflow import mul\nmul(a)\n", rules) == "from tensorflow import multiply as mul\nmul(a)\n"


def test_unsafe_edits_wait_to_be_asked_for() -> None:
    unsafe = (a_rule("TFN904", Use, _mul, Safety.UNSAFE),)
    result = run(TF + "tf.mul(a)", unsafe)
    assert isinstance(result, Unchanged)
    assert [(f.fixed, f.fixable) for f in result.findings] == [(False, True)]
    assert after(TF + "tf.mul(a)", unsafe, unsafe_fixes=True) == TF + "tf.multiply(a)"


def statement_rule(**edit: Any) -> tuple[Rule, ...]:
    def find(node: ast.ImportFrom, _: Context) -> Iterator[Hit]:
        if node.module == "old":
            yield Hit(node, "moved", **edit)

    return (a_rule("TFN905", ast.ImportFrom, find, Safety.SAFE),)


@pytest.mark.parametrize(
    ("before", "edit", "expected"),
    [
        ("from old import a\n", {"rewrite": "from new import a"}, "from new import a\n"),
        (
            "if x:\n\tfrom old import a  # c\n",
            {"rewrite": "import b\nimport c"},
            "if x:\n\timport b\n\timport c  # c\n",
        ),
        ("if x: from old import a\n", {"rewrite": "import b\nimport c"}, "if x: import b; import c\n"),
        ("from old import (a,\n  b)\nx\n", {"rewrite": ""}, "x\n"),
        ("if x:\n    from old import a\n", {"rewrite": ""}, "if x:\n    pass\n"),
        ("x; from old import a\n", {"rewrite": ""}, "x; pass\n"),
        ("from old import a", {"after": ("b()",)}, "from old import a\nb()"),
        ("if x:\n  from old import a # c\n", {"after": ("b()",)}, "if x:\n  from old import a # c\n  b()\n"),
        ("from old import a; x\n", {"after": ("b()",)}, "from old import a; b(); x\n"),
        ("if x:\n  from old import a\n", {"before": ("b()", "c()")}, "if x:\n  b()\n  c()\n  from old import a\n"),
    ],
)
def test_statements(before: str, edit: dict[str, Any], expected: str) -> None:
    assert after(before, statement_rule(**edit)) == expected


def test_edits_that_exclude_each_other_are_made_one_after_the_other() -> None:
    def whole(call: ast.Call, context: Context) -> Iterator[Hit]:
        if context.qualified(call) == "tensorflow.neg":
            yield Hit(call, "negative", rewrite=f"(-{context.source(call.args[0])})")

    neg = a_rule("TFA903", ast.Call, whole, Safety.SAFE)
    assert after(TF + "tf.neg(tf.mul(a, b))", (MUL, neg)) == TF + "(-tf.multiply(a, b))"


def test_a_rule_that_breaks_a_file_leaves_it_as_it_was() -> None:
    def broken(node: ast.expr, context: Context) -> Iterator[Hit]:
        if context.qualified(node) == "tensorflow.mul":
            yield Hit(node, "broken", rewrite="tf.(")

    result = run(TF + "tf.mul(a)", (a_rule("TFN906", Use, broken, Safety.SAFE),))
    assert isinstance(result, Failed)
    assert "would not parse" in result.error and "TFN906" in result.error


def test_a_rule_that_raises_is_that_files_failure() -> None:
    def raising(_node: ast.expr, _context: Context) -> Iterator[Hit]:
        raise ZeroDivisionError("oh")

    result = run(TF + "tf.mul(a)", (a_rule("TFN907", Use, raising, Safety.SAFE),))
    assert isinstance(result, Failed)
    assert "ZeroDivisionError: oh" in result.error


@pytest.mark.parametrize("text", ["x = (\n", "def f(:\n", "\tx\n y\n"])
def test_a_file_that_does_not_parse_is_one_clear_failure(text: str) -> None:
    result = run(text)
    assert isinstance(result, Failed)
    assert result.error.startswith("a.py:") and "\n" not in result.error


@pytest.mark.parametrize(
    "text",
    [
        "s = f'{tf.mul(a, b)!r:>{width}} {x}'",
        "s = f'''\n{tf.mul(a,\n 1)}\n'''",
        "s = f'{x}' f'{tf.mul(a, 1)}'",
    ],
)
def test_f_strings_are_rewritten_or_left(text: str) -> None:
    new = after(TF + text)
    assert new in (TF + text, TF + text.replace("tf.mul", "tf.multiply"))


@pytest.mark.parametrize("target", ["compat", "bridge"])
def test_findings_of_later_rounds_are_on_the_lines_of_the_file(target: str) -> None:
    text = (
        "from tensorflow.contrib import slim, rnn\nimport tensorflow as tf, numpy as np\n\n\n"
        "x = np.float(1)\ny = [\n    tf.layers.dense(x),\n    slim.conv2d(x),\n]\nz = slim.gone(y)\nw = np.int(z)\n"
    )
    result = check_text(text, "a.py", Settings(target=target))
    lines = {finding.message.split()[0]: finding.line for finding in result.findings}
    assert (lines["np.float"], lines["np.int"]) == (5, 11)
    assert [finding.line for finding in result.findings if "slim.gone" in finding.message] == [10]


def test_findings_of_python_2_are_on_its_own_lines() -> None:
    result = run(TF + "print 'a'\nimport urllib2, Queue\nx = tf.mul(a, b)\n")
    assert isinstance(result, Changed)
    assert [(f.code, f.line) for f in result.findings] == [("TFN901", 4)]


def test_a_file_keeps_its_encoding_and_byte_order_mark() -> None:
    text = TF + "s = 'é'; tf.mul(a)\n"
    result = check_file(SourceFile("a.py", text, "latin-1"), Settings(), rules=RULES)
    assert isinstance(result, Changed)
    assert result.after == text.replace("mul", "multiply").encode("latin-1")
    marked = check_file(SourceFile("a.py", text, bom=True), Settings(), rules=RULES)
    assert isinstance(marked, Changed)
    assert marked.after == b"\xef\xbb\xbf" + text.replace("mul", "multiply").encode()


NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])
FILLERS = st.sampled_from(
    [
        "",
        "# é comment",
        "x = 'tf.mul(a, b)'",
        "\x0c",
        "if a:\n    pass",
        "y = '''\n\ttf.mul\n'''",
        "def f(tf): tf.mul(1)",
        "z = 1;",
    ]
)
HITS = st.sampled_from(["tf.mul(a, 1)", "u = 'é', tf.mul(tf.mul(b, 'ü'), 2)  # tf.mul", "@tf.mul\ndef g(): pass"])


@given(st.lists(st.tuples(st.one_of(FILLERS, HITS), NEWLINES), max_size=8), st.booleans())
def test_bytes_outside_edits_do_not_change(parts: list[tuple[str, str]], ended: bool) -> None:
    """Whatever stands around them, only the names of the hits change, and a second run changes nothing."""
    text = TF + "".join(part + newline for part, newline in parts)
    text = text if ended else text.rstrip("\r\n")
    new = after(text)
    assert new.replace("tf.multiply", "tf.mul") == text
    assert len(new) - len(text) == 5 * sum(
        {"tf.mul(a, 1)": 1, "@tf.mul\ndef g(): pass": 1}.get(part, 2 * part.startswith("u =")) for part, _ in parts
    )
    assert after(new) == new


def test_python_2_that_the_program_has_an_answer_for_is_no_finding() -> None:
    text = "try:\n    _range = xrange\nexcept NameError:\n    _range = range\n"
    result = check_text(text, "a.py", Settings())
    assert isinstance(result, Unchanged)
    assert not result.findings
