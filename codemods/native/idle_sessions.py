"""Takes out the session of a program whose objects run the graph themselves.

It is left when the objects got their own ([sessions_of_objects.py](sessions_of_objects.py)): nothing runs it but the
initializer.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native.call_order import runs_again
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.session_arguments import sessions_in
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk


class _Idle:
    """The statements of sessions and initializers outside classes."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self.inside = {id(below) for node in tree.body if isinstance(node, ast.ClassDef) for below in walk(node)}
        self.sessions = set(sessions_in(tree, names))
        made = [node for node in walk(tree) if isinstance(node, ast.Assign) and len(node.targets) == 1]
        self._initializers = {ast.unparse(n.targets[0]) for n in made if self._gives(n.value, Kind.INIT)}
        self.gone: list[ast.stmt] = []
        self.blocks: list[ast.With] = []
        self.graphs: list[ast.expr] = []
        """`sess.graph`, where a writer of summaries gets it."""
        self.runs: list[ast.Call] = []
        for node in walk(tree):
            if id(node) not in self.inside:
                self._read(node)

    @property
    def names(self) -> set[str]:
        """The names of the sessions and initializers."""
        return self.sessions | self._initializers

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            if ast.unparse(node.targets[0]) in self.names:
                self.gone.append(node)
        elif isinstance(node, ast.With) and len(node.items) == 1:
            held = node.items[0].optional_vars
            if held is not None and ast.unparse(held) in self.sessions:
                self.blocks.append(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._read_call(node, node.value)

    def _read_call(self, statement: ast.Expr, call: ast.Call) -> None:
        function = call.func
        if v1_name(self._names, function) in ("summary.FileWriter", "train.SummaryWriter"):
            self.graphs += (part for part in call.args[1:] if self._is_of_session(part, "graph"))
        elif self._is_of_session(function, "close") and not call.args:
            self.gone.append(statement)
        elif self._is_of_session(function, "run") and len(call.args) == 1 and not call.keywords:
            given = call.args[0]
            if self._gives(given, Kind.INIT) or ast.unparse(given) in self._initializers:
                self.gone.append(statement)
                self.runs.append(call)

    def _is_of_session(self, node: ast.expr, attribute: str) -> bool:
        known = isinstance(node, ast.Attribute) and node.attr == attribute
        return isinstance(node, ast.Attribute) and known and ast.unparse(node.value) in self.sessions

    def _gives(self, value: ast.expr, kind: Kind) -> bool:
        return isinstance(value, ast.Call) and kind_of_call(v1_name(self._names, value.func) or "") is kind


def without_idle_sessions(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without sessions that only initialize, and the lines of the initializing calls.

    The text has as many lines as before. None if there is no such session.
    """
    tree = ast.parse(text)
    source = SourceText(text, tree)
    names = scopes.resolve(tree)
    idle = _Idle(tree, names)
    if len(idle.runs) > 1 or any(runs_again(call, tree, names) for call in idle.runs):
        return None  # variables that have changed get their first values again
    used = {id(below) for node in (*idle.gone, *idle.graphs) for below in walk(node)}
    used |= {id(block.items[0].optional_vars) for block in idle.blocks} | idle.inside
    if any(isinstance(node, ast.Name) and node.id in idle.names and id(node) not in used for node in walk(tree)):
        return None
    if not (idle.gone or idle.blocks) or not _can_go(idle.gone, tree, source):
        return None
    for graph in idle.graphs:
        start, end = source.span(graph)
        source.replace((source.data.rindex(b",", 0, start), end), "")
    for statement in idle.gone:
        start, end = source.span(statement)
        start = source.positions.line_start(start)
        source.replace((start, end), "\n" * source.data[start:end].count(b"\n"))
    for block in sorted(idle.blocks, key=lambda block: -block.lineno):  # the inner ones first
        _dedent(block, source)
    return source.result(), tuple(call.lineno for call in idle.runs)


def _can_go(gone: Sequence[ast.stmt], tree: ast.Module, source: SourceText) -> bool:
    """Returns whether each statement stands alone on its lines, and leaves others in its block."""
    if not all(source.is_alone(statement) for statement in gone):
        return False
    fields = (getattr(node, name, None) for node in walk(tree) for name in ("body", "orelse", "finalbody"))
    blocks = (block for block in fields if isinstance(block, list) and block)
    return all(any(node not in gone for node in block) for block in blocks)


def _dedent(block: ast.With, source: SourceText) -> None:
    """Writes the statements of a block where the block stands. Its own line is empty."""
    start, end = source.lines_of(block)
    at, first = source.positions.line_start(source.span(block)[0]), source.lines_of(block.body[0])[0]
    comments = source.data[start:at].decode() + "\n" * source.data[at:first].count(b"\n")
    moved = source.rendered((first, end))
    source.replace((start, end), comments + reindented(moved, source.indent_of(block.body[0]), source.indent_of(block)))
