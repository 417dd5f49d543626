"""Makes the new text of nodes from hits on expressions and statements, inner nodes first.

LibCST parses the text of a node with the inner edits already made, and the rule gets the result. So nested edits need
only the positions of ast, and only changed text is parsed again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from codemods.positions import Positions
from codemods.rewording import Rewording
from codemods.rule import Hit

# An expression of these classes may stand here without brackets of its own.
_ROOMY = (ast.Call, ast.keyword, ast.Assign, ast.Return, ast.Expr, ast.List, ast.AugAssign, ast.Dict)


@dataclass(frozen=True)
class Edit:
    """An edit that replaces the bytes from start to end by `text`. `rank` orders insertions at one place."""

    start: int
    end: int
    text: str
    rank: int = 0


@dataclass(eq=False)
class Place:
    """One node to be rewritten, the hits on it in the order of their codes, and the places inside it."""

    start: int
    end: int
    node: ast.AST
    hits: list[Hit]
    inside: list[Place] = field(default_factory=list)


def forest(hits: Iterable[Hit], positions: Positions) -> list[Place]:
    """Returns the outermost places, each with those inside it. Hits on the same node share a place."""
    by_node: dict[ast.AST, Place] = {}
    for hit in hits:
        if hit.node not in by_node:
            start, end = positions.span(hit.node)
            by_node[hit.node] = Place(start, end, hit.node, [])
        by_node[hit.node].hits.append(hit)
    places = sorted(by_node.values(), key=lambda p: (p.start, -p.end, not isinstance(p.node, ast.stmt)))
    outermost: list[Place] = []
    open_places: list[Place] = []
    for place in places:
        while open_places and not _holds(open_places[-1], place):
            open_places.pop()
        (open_places[-1].inside if open_places else outermost).append(place)
        open_places.append(place)
    return outermost


def _holds(outer: Place, inner: Place) -> bool:
    return inner.start < outer.end and inner.end <= outer.end


def render(place: Place, positions: Positions, parents: dict[ast.AST, ast.AST], deferred: list[Hit]) -> str:
    """Returns the new text of a place. Hits that would throw away edits made inside are put on `deferred`."""
    parts: list[str] = []
    at = place.start
    for inner in place.inside:
        parts.append(positions.data[at : inner.start].decode())
        parts.append(render(inner, positions, parents, deferred))
        at = inner.end
    text = "".join(parts) + positions.data[at : place.end].decode()
    for hit in place.hits:
        if isinstance(hit.rewrite, str):
            if place.inside:
                deferred.append(hit)
            else:
                text = _bracketed_text(hit.rewrite, place.node, parents)
        elif hit.rewrite is not None:
            text = apply(hit.rewrite, text, place.node, parents)
    return text


def apply(rewrite: Any, text: str, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    """Calls a rule with the LibCST node of an expression's text; returns the text of its result."""
    if isinstance(rewrite, Rewording):
        return rewrite.of(text)
    import libcst as cst

    before = parse_expression(text)
    after = rewrite(before)
    if after is before:
        return text
    if _is_loose(after, cst) and not _has_room(node, parents):
        after = after.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.Module(body=[]).code_for_node(after)


def parse_expression(text: str) -> Any:
    """Returns the LibCST node of an expression's text, which may run over lines as it may inside brackets."""
    import libcst as cst

    try:
        return cst.parse_expression(text)
    except cst.ParserSyntaxError:
        node: Any = cst.parse_expression(f"({text}\n)")
        return node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[:-1])


def _is_loose(node: Any, cst: Any) -> bool:
    """Returns whether an expression binds more loosely than the call or name it stands for."""
    loose = (
        cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Comparison, cst.IfExp, cst.Lambda,
        cst.Await, cst.Yield, cst.NamedExpr, cst.Tuple,
    )  # fmt: skip
    return isinstance(node, loose) and not node.lpar


def _has_room(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    parent = parents.get(node)
    if isinstance(node, ast.BinOp | ast.Compare | ast.BoolOp | ast.UnaryOp | ast.IfExp | ast.Tuple):
        return True  # it had no brackets, or has them outside its own text
    return isinstance(parent, _ROOMY) and getattr(parent, "func", None) is not node


def _bracketed_text(text: str, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    if isinstance(node, ast.stmt) or text.replace(".", "").isidentifier() or _has_room(node, parents):
        return text
    loose = (
        ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.Await, ast.Yield, ast.Tuple,
    )  # fmt: skip
    try:
        parsed = ast.parse(text, mode="eval").body
    except SyntaxError:
        return text
    outer = not (text.startswith("(") and parsed.col_offset == 0 and isinstance(parsed, ast.Tuple))
    return f"({text})" if isinstance(parsed, loose) and parsed.col_offset == 0 and outer else text
