"""Makes edits that add lines before and after statements, add imports once, and replace or remove statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemods.positions import Positions, first_line_node
from codemods.splice import Edit

_IMPORT, _AFTER, _BEFORE, _TODO = 0, 1, 3, 2


def line_statement(statement: ast.stmt, positions: Positions, parents: dict[ast.AST, ast.AST]) -> ast.stmt:
    """Returns the statement at the start of the line: the statement itself, or one around or before it."""
    current: ast.AST | None = statement
    while isinstance(current, ast.AST):
        if isinstance(current, ast.stmt):
            line, column = first_line_node(current)
            offset = positions.offset(line, column)
            if positions.indent(offset) is not None:
                return current
            block = _block(current, parents)
            earlier = [s for s in block if s.lineno == current.lineno and s.col_offset < current.col_offset]
            if earlier and positions.indent(positions.offset(earlier[0].lineno, earlier[0].col_offset)) is not None:
                return earlier[0]
        current = parents.get(current)
    return statement


def _block(statement: ast.stmt, parents: dict[ast.AST, ast.AST]) -> list[ast.stmt]:
    parent = parents.get(statement)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def before(
    statement: ast.stmt, lines: tuple[str, ...], positions: Positions, parents: dict[ast.AST, ast.AST], newline: str
) -> Edit:
    """Returns the edit that adds lines above a statement, with its indentation."""
    target = line_statement(statement, positions, parents)
    offset = positions.offset(*first_line_node(target))
    indent = positions.indent(offset) or ""
    start = positions.line_start(offset)
    return Edit(start, start, "".join(f"{indent}{line}{newline}" for line in lines), _BEFORE)


def todo(
    node: ast.AST, code: str, message: str, positions: Positions, parents: dict[ast.AST, ast.AST], newline: str
) -> Edit | None:
    """Returns the edit that adds the TODO comment for a finding above its statement; None if the comment exists."""
    current: ast.AST | None = node
    while current is not None and not isinstance(current, ast.stmt):
        current = parents.get(current)
    if current is None:
        return None
    assert isinstance(current, ast.stmt)
    mark = f"# TODO(codemods {code}): "
    edit = before(current, (mark + " ".join(message.split()),), positions, parents, newline)
    above = positions.data[: edit.start].decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]
    while above and above[-1].lstrip().startswith("#"):
        if above.pop().lstrip().startswith(mark.rstrip()):
            return None
    return Edit(edit.start, edit.end, edit.text, _TODO)


def after(statement: ast.stmt, lines: tuple[str, ...], positions: Positions, newline: str, rank: int = _AFTER) -> Edit:
    """Returns the edit that adds lines below a statement, or on its line if another statement follows there."""
    start, end = positions.span(statement)
    line_end = positions.line_end(end)
    rest = positions.data[end:line_end].strip()
    indent = positions.indent(start)
    if indent is None or (rest and not rest.startswith(b"#") and rest != b";"):
        return Edit(end, end, "".join(f"; {line}" for line in lines), rank)
    next_line = positions.after_newline(line_end)
    if next_line == line_end:  # the last line has no newline, and this stays so
        return Edit(line_end, line_end, "".join(f"{newline}{indent}{line}" for line in lines), rank)
    return Edit(next_line, next_line, "".join(f"{indent}{line}{newline}" for line in lines), rank)


def imports(lines: list[str], tree: ast.Module, positions: Positions, newline: str) -> Iterator[Edit]:
    """Returns the edit that adds missing imports below the first import of TensorFlow, or at the beginning."""
    present = {ast.dump(statement) for statement in _single_imports(tree)}
    missing = [line for line in dict.fromkeys(lines) if ast.dump(ast.parse(line).body[0]) not in present]
    if not missing:
        return
    anchor = import_anchor(tree)
    if anchor is not None:
        yield after(anchor, tuple(missing), positions, newline, _IMPORT)
    elif tree.body:
        start = positions.line_start(positions.offset(*first_line_node(tree.body[0])))
        yield Edit(start, start, "".join(line + newline for line in missing), _IMPORT)
    else:
        yield Edit(len(positions.data), len(positions.data), "".join(line + newline for line in missing), _IMPORT)


def import_anchor(tree: ast.Module) -> ast.stmt | None:
    """Returns the first top-level import of TensorFlow, else the last of docstring and future imports."""
    head: ast.stmt | None = None
    for index, statement in enumerate(tree.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if _imports_tensorflow(statement):
            return statement
        is_doc = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if is_doc or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            head = statement
    return head


def _imports_tensorflow(statement: ast.stmt) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Import) and any(a.name.split(".")[0] == "tensorflow" for a in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "tensorflow":
            return True
    return False


def _single_imports(tree: ast.Module) -> Iterator[ast.stmt]:
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield ast.Import(names=[alias])
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                yield ast.ImportFrom(module=statement.module, names=[alias], level=statement.level)


def replacement(
    statement: ast.stmt, text: str, positions: Positions, parents: dict[ast.AST, ast.AST], newline: str
) -> Edit:
    """Returns the edit with a statement's new text, in its indentation. "" removes the statement, or leaves `pass`."""
    start, end = positions.span(statement)
    indent = positions.indent(start)
    if text:
        joint = "; " if indent is None else newline + indent
        lines = text.split("\n")
        return Edit(start, end, joint.join(lines).replace(f"{joint}{newline}", newline * 2))
    line_end = positions.line_end(end)
    alone = indent is not None and not re.sub(rb"[ \t;]", b"", positions.data[end:line_end])
    if alone and len(_block(statement, parents)) > 1:
        return Edit(positions.line_start(start), positions.after_newline(line_end), "")
    return Edit(start, end, "pass")
