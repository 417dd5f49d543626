"""Options of a run, such as `run_metadata`, which recorded the times of operations and change no number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.source_text import SourceText
from codemods.tree import walk

WHY = "this recorded the times of operations, as tf.profiler does today; it is a comment now"

_MADE = ("RunOptions", "RunMetadata")
_PLAIN = frozenset(("trace_level", "output_partition_graphs", "report_tensor_allocations_upon_oom"))
"""Options that change no result and no error (`config.proto` of 1.15.5)."""
_GIVEN = ("options", "run_metadata")


def without_run_options(text: str) -> tuple[str, tuple[int, ...]]:
    """Returns a text whose calls of sessions have no such options, and the lines that are comments now.

    No line moves. A text that uses these options otherwise, as for a timeline, is returned as it is.
    """
    if not any(name in text for name in _MADE):
        return text, ()
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    held: dict[str, list[ast.stmt]] = {}
    for made in (node for node in walk(tree) if isinstance(node, ast.Assign)):
        if _is_plain(made.value, names) and len(made.targets) == 1:
            held.setdefault(ast.unparse(made.targets[0]), []).append(made)
    gone = [statement for statements in held.values() for statement in statements] + list(_recorded(tree, held))
    used = {id(below) for statement in gone for below in walk(statement)}
    for call in (node for node in walk(tree) if isinstance(node, ast.Call)):
        given = [keyword for keyword in call.keywords if keyword.arg in _GIVEN]
        known = [part for part in given if ast.unparse(part.value) in held or _is_plain(part.value, names)]
        follows = bool(call.args) or call.keywords[:1] != given[:1]  # there is a comma before each
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("run", "eval") and known == given and follows:
            used |= {id(below) for part in given for below in walk(part.value)}
            for part in given:
                _remove(call, part, source)
    others = (node for node in walk(tree) if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in used)
    if any(ast.unparse(node) in held or v1_name(names, node) in _MADE for node in others):
        return text, ()
    if not all(source.is_alone(statement) for statement in gone):
        return text, ()
    for statement in gone:
        _comment(statement, names, source)
    return source.result(), tuple(sorted(statement.lineno for statement in gone))


def _is_plain(value: ast.expr, names: Names) -> bool:
    if not isinstance(value, ast.Call) or v1_name(names, value.func) not in _MADE or value.args:
        return False
    return {keyword.arg for keyword in value.keywords} <= _PLAIN


def _recorded(tree: ast.Module, held: dict[str, list[ast.stmt]]) -> Iterator[ast.stmt]:
    """Yields the statements that give a writer what a run recorded: `writer.add_run_metadata(metadata, tag)`."""
    for statement in (node for node in walk(tree) if isinstance(node, ast.Expr)):
        call = statement.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args):
            continue
        if call.func.attr == "add_run_metadata" and ast.unparse(call.args[0]) in held:
            yield statement


def _remove(call: ast.Call, part: ast.keyword, source: SourceText) -> None:
    """Removes an argument with the comma before it; the lines stay."""
    values: list[ast.expr] = [*call.args, *(keyword.value for keyword in call.keywords)]
    start = max(end for value in values if (end := source.span(value)[1]) < source.span(part.value)[0])
    end, after = source.span(part.value)[1], source.span(call)[1]
    lines = "\n" * source.data[start:end].count(b"\n")
    if source.data[end:after] == b")" and not source.data[after : source.positions.line_end(after)].strip():
        source.replace((end, after), f"){lines}")
        lines = ""
    source.replace((start, end), lines)


def _comment(statement: ast.stmt, names: Names, source: SourceText) -> None:
    """Writes a statement as a comment, line by line; as `pass` too if its block has no other."""
    start, end = source.span(statement)
    lines = source.data[start:end].decode().split("\n")
    block = [getattr(names.parents[statement], name, None) for name in ("body", "orelse", "finalbody")]
    before = "pass  " if [statement] in block else ""
    indent = source.indent_of(statement)
    commented = [f"# {line.removeprefix(indent)}".replace("tf.compat.v1.", "tf.") for line in lines]
    source.replace((start, end), before + f"\n{indent}".join(commented))
