"""Makes the new text of a file from its hits. Edits replace byte ranges, so that no other byte can change."""

from __future__ import annotations

import ast
import bisect
import sys
from dataclasses import dataclass

from codemods import alignment, insert, parsing
from codemods.context import Context
from codemods.errors import BrokenRewriteError
from codemods.names import root_of
from codemods.positions import NEWLINE, Positions
from codemods.requirements import Requirement
from codemods.rule import Hit, Rule, Safety
from codemods.settings import Settings
from codemods.splice import Edit, Place, forest, render


@dataclass(frozen=True)
class Marked:
    """A hit with its rule and its safety."""

    rule: Rule
    hit: Hit
    safety: Safety

    def applies(self, settings: Settings) -> bool:
        """Returns whether the edit is applied."""
        allowed = self.safety is Safety.SAFE or (self.safety is Safety.UNSAFE and settings.unsafe_fixes)
        return allowed and self.hit.changes


def held_back(context: Context, marked: list[Marked], settings: Settings) -> list[Marked]:
    """Returns hits on names whose import or alias is rewritten in this round; they wait for the next round.

    So `slim = tf.contrib.slim` is rewritten once, and not each `slim.conv2d` as well.
    """
    changing = {m.hit.node for m in marked if m.applies(settings) and m.hit.rewrite is not None}
    bound = [m for m in marked if m.hit.node in changing and not m.hit.alone]
    return [m for m in bound if _depends(m.hit.node, context, changing)]


def _depends(node: ast.AST, context: Context, changing: set[ast.AST]) -> bool:
    root = root_of(node)
    if root is None:
        return False
    for binding in context.names.bindings(root):
        if binding.statement in changing:
            return True
        part: ast.AST | None = binding.alias
        while part is not None:
            if part in changing:
                return True
            part = part.value if isinstance(part, ast.Attribute) else None
    return False


@dataclass(frozen=True)
class Rewritten:
    """A new text, and the hits whose edits have to wait for another round.

    `shifts`: line -> by how many lines the text from there on has moved down.
    """

    text: str
    waiting: list[Marked]
    shifts: list[tuple[int, int]]

    def old_line(self, line: int) -> int:
        """Returns the old number of a line of the new text; for an added line, the place where it was added."""
        place = bisect.bisect_right(self.shifts, (line, sys.maxsize)) - 1
        shift = self.shifts[place][1] if place >= 0 else 0
        start, following = self.shifts[place + 1] if place + 1 < len(self.shifts) else (sys.maxsize, 0)
        return max(1, min(line - shift, start - following))


def rewrite(context: Context, marked: list[Marked], settings: Settings) -> Rewritten:
    """Makes the edits that can be made together. Raises BrokenRewriteError if the result does not parse."""
    positions = context.positions
    chosen = sorted((m for m in marked if m.applies(settings)), key=lambda m: m.rule.code)
    kept_back = held_back(context, marked, settings)
    waiting = {id(m) for m in kept_back}
    chosen = [m for m in chosen if id(m) not in waiting]
    edits, deferred = _node_edits(context, [m.hit for m in chosen if m.hit.rewrite is not None], positions)
    if parted := {hit.together for hit in deferred if hit.together is not None}:
        kept_back += [m for m in chosen if m.hit.together in parted]
        chosen = [m for m in chosen if m.hit.together not in parted]
        edits, deferred = _node_edits(context, [m.hit for m in chosen if m.hit.rewrite is not None], positions)
    edits += alignment.kept(edits, context.names, positions)
    edits += _line_edits(context, marked, chosen, positions, settings)
    text, shifts = _splice(positions, edits)
    problem = parsing.syntax_error(text) if edits and Requirement not in context.names.nodes else None
    if problem is not None:
        codes = ",".join(dict.fromkeys(m.rule.code for m in chosen))
        raise BrokenRewriteError(context.path, problem.lineno or 1, problem.msg, codes)
    late = {id(hit) for hit in deferred}
    return Rewritten(text, [*kept_back, *(m for m in chosen if id(m.hit) in late)], shifts)


def _node_edits(context: Context, hits: list[Hit], positions: Positions) -> tuple[list[Edit], list[Hit]]:
    """Returns the edits, and the hits that have to wait for edits inside their nodes."""
    deferred: list[Hit] = []
    usable = [hit for hit in hits if _reads_back(hit.node, context, positions)]
    edits: list[Edit] = []
    parents = context.names.parents if usable else {}
    for place in forest(usable, positions):
        edits += _place_edits(context, place, positions, parents, deferred)
    return edits, deferred


def _place_edits(
    context: Context, place: Place, positions: Positions, parents: dict[ast.AST, ast.AST], deferred: list[Hit]
) -> list[Edit]:
    if not isinstance(place.node, ast.stmt):
        return [Edit(place.start, place.end, render(place, positions, parents, deferred))]
    if place.inside or len(place.hits) > 1:
        deferred += place.hits if place.inside else place.hits[1:]
    if place.inside:
        return [edit for inner in place.inside for edit in _place_edits(context, inner, positions, parents, deferred)]
    newline = context.newline
    return [insert.replacement(place.node, str(place.hits[0].rewrite), positions, parents, newline)]


def _line_edits(
    context: Context, marked: list[Marked], chosen: list[Marked], positions: Positions, settings: Settings
) -> list[Edit]:
    """Returns the edits that add lines before and after statements, imports and TODO comments."""
    newline = context.newline
    edits: list[Edit] = []
    for m in chosen:
        if m.hit.before:
            statement = context.statement(m.hit.node)
            edits.append(insert.before(statement, m.hit.before, positions, context.names.parents, newline))
        if m.hit.after:
            edits.append(insert.after(context.statement(m.hit.node), m.hit.after, positions, newline))
    for m in marked:
        if m.hit.todo and not m.applies(settings):
            edit = insert.todo(m.hit.node, m.rule.code, m.hit.message, positions, context.names.parents, newline)
            edits += [edit] if edit else []
    wanted = [line for m in chosen for line in m.hit.imports]
    edits += insert.imports(wanted, context.tree, positions, newline)
    return edits


def _splice(positions: Positions, edits: list[Edit]) -> tuple[str, list[tuple[int, int]]]:
    """Returns the text with the edits, and the `shifts` of a Rewritten.

    Insertions at one place keep their rank, and equal ones are made once.
    """
    parts: list[bytes] = []
    shifts: list[tuple[int, int]] = []
    at = shift = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.start, e.end > e.start, e.rank)):
        if edit.start < at:
            continue
        parts += [positions.data[at : edit.start], edit.text.encode()]
        at = edit.end
        more = len(NEWLINE.findall(edit.text)) - len(NEWLINE.findall(positions.data[edit.start : at].decode()))
        if more:
            shift += more
            shifts.append((positions.line(at) + shift, shift))
    return (b"".join(parts) + positions.data[at:]).decode(), shifts


def _reads_back(node: ast.AST, context: Context, positions: Positions) -> bool:
    """Returns whether the text at a node's position is the node.

    Python before 3.12 gives wrong positions in f-strings.
    """
    if ast.JoinedStr not in context.names.nodes or isinstance(node, ast.stmt):
        return True
    above = context.names.parents.get(node)
    while above is not None and not isinstance(above, ast.JoinedStr | ast.stmt):
        above = context.names.parents.get(above)
    if not isinstance(above, ast.JoinedStr):
        return True
    try:
        return ast.dump(ast.parse(positions.text(node), mode="eval").body) == ast.dump(node)
    except (SyntaxError, UnicodeDecodeError):
        return False
