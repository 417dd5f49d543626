"""Full names of variables that scopes with computed names begin: `"layer%d/w" % i` for `w` in `"layer%d" % i`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.plain_variables import given_name
from codemods.native.source_text import SourceText
from codemods.tree import walk


def opens_names(block: ast.With, names: Names, kind: str) -> Iterator[ast.expr | None]:
    """Yields the names of the scopes of one kind that a block opens; None for one with options."""
    for item in block.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and v1_name(names, call.func) == kind:
            yield call.args[0] if len(call.args) == 1 and not call.keywords else None


def is_text(node: ast.expr | None) -> bool:
    """Returns whether an expression is certain to be a text, and not None or a scope."""
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_text(node.left) or is_text(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "str"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "format" and is_text(node.func.value)
    return False


def beginning(node: ast.expr) -> str:
    """Returns the text that a computed text is certain to begin with."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return beginning(node.values[0]) if node.values and isinstance(node.values[0], ast.Constant) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        text = beginning(node.left)
        return text.partition("%")[0] if isinstance(node.op, ast.Mod) else text
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return beginning(node.func.value).partition("{")[0]
    return ""


def is_given_once(name: str, call: ast.Call, names: Names) -> bool:
    """Returns whether no other call of a program may give a name, or this name with a number.

    Args:
        name: The name of a variable or a scope. An upper and a lower case letter are the same to some releases.
        call: The call that gives it.
        names: The meanings of names.
    """
    own = {id(node) for node in walk(call)}
    for node in (node for node in walk(names.tree) if id(node) not in own):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        parts = text.lower().split("/")
        if any(re.fullmatch(re.escape(name.lower()) + r"(_\d+)?", part) for part in parts):
            return False
        if name == "Variable" and isinstance(node, ast.Call) and given_name(node, names) == name:
            return False
    return True


def numbered(name: str, holder: str) -> str:
    """Returns the text of a name that is given once in each turn of a loop, by the list that each turn adds to."""
    return f'f"{name}_{{len({holder})}}" if {holder} else "{name}"'


def full_name(call: ast.Call, blocks: Sequence[ast.With], names: Names, source: SourceText) -> str | None:
    """Returns the text of a variable's name with what variable scopes put before it; None if they put nothing.

    Args:
        call: The call of get_variable.
        blocks: The blocks round it, the outermost first.
        names: The meanings of names.
        source: The text.
    """
    parts = [name for block in blocks for name in opens_names(block, names, "variable_scope") if name is not None]
    if not parts:
        return None
    texts = [name for part in (*parts, call.args[0]) for name in (part, None)][:-1]
    if all(isinstance(part, ast.Constant) for part in (*parts, call.args[0])):
        return repr("/".join(str(part.value) for part in (*parts, call.args[0]) if isinstance(part, ast.Constant)))
    last = call.args[0]
    only = parts[0] if len(parts) == 1 else None
    if isinstance(last, ast.Constant) and isinstance(last.value, str) and isinstance(only, ast.BinOp):
        left, is_format = only.left, isinstance(only.op, ast.Mod)
        stated = left.value if isinstance(left, ast.Constant) else None
        if is_format and isinstance(stated, str) and source.plain(left).count("\n") == 0:
            value = f"{stated}/{last.value.replace('%', '%%')}"
            return f"{quoted(value)} % {source.plain(only.right)}"
    return " + ".join('"/"' if part is None else _summand(part, source) for part in texts)


def _summand(node: ast.expr, source: SourceText) -> str:
    text = " ".join(source.plain(node).split())
    return f"({text})" if isinstance(node, ast.BinOp) else text


def quoted(text: str) -> str:
    """Returns a text as it stands in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
