"""Makes `x = tf.placeholder(tf.float32, [None, 784]) / 255.0` a placeholder where the program feeds `x`.

What is fed takes the place of the quotient, so that TensorFlow 1 never divided. Nothing else can feed the placeholder.
"""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import named_arguments, place_of
from codemods.native.source_text import SourceText

_FLOATS = ("float32", "float64", "float16")
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def with_fed_quotients(text: str) -> str:
    """Returns a text in which places that are fed, and are computed of a placeholder and a number, are placeholders."""
    if "placeholder" not in text:
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    fed = {place_of(key) for node in names.nodes.get(ast.Dict, []) for key in getattr(node, "keys", []) if key}
    for statement in names.nodes.get(ast.Assign, []):
        assert isinstance(statement, ast.Assign)
        target = place_of(statement.targets[0]) if len(statement.targets) == 1 else None
        made = _placeholder_in(statement.value, names)
        if target is not None and target in fed and made is not None:
            source.replace(source.span(statement.value), source.plain(made))
    return source.result()


def _placeholder_in(value: ast.expr, names: Names) -> ast.Call | None:
    """Returns the placeholder of floats that a number is added to, or that is scaled by one."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, _OPERATORS) or value.lineno != value.end_lineno:
        return None
    for call, number in ((value.left, value.right), (value.right, value.left)):
        is_number = isinstance(number, ast.Constant) and type(number.value) in (int, float)
        if not isinstance(call, ast.Call) or v1_name(names, call.func) != "placeholder" or not is_number:
            continue
        stated = named_arguments(call, ("dtype", "shape", "name")).get("dtype")
        name = (names.qualified(stated) or "").rpartition(".")[2] if stated is not None else ""
        text = stated.value if isinstance(stated, ast.Constant) else name
        return call if text in _FLOATS else None
    return None
