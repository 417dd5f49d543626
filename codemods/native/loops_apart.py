"""Loops that make variables and tensors become two: one makes lists of the variables, and one uses these.

    for size in sizes:                                    ws = []
        w = tf.Variable(tf.ones([size, 2]))               for size in sizes:
        outputs.append(tf.matmul(x, w))          ->           ws.append(tf.Variable(tf.ones([size, 2])))
                                                          for w in ws:
                                                              outputs.append(tf.matmul(x, w))

The first loop runs all that the variables need, in the order of the author. What the second loop reads of that, and the
source does not say again, stands in lists too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from codemods import scopes
from codemods.native.kinds import v1_name
from codemods.native.loop_plan import Loop, Maker, is_straight
from codemods.native.loop_scopes import full_name, is_given_once, numbered
from codemods.native.loop_starts import write_starts
from codemods.native.one_by_one import Lines, one_by_one
from codemods.native.places import place_of, stores
from codemods.native.plain_variables import given_name
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk

_RowsOf = Callable[[ast.stmt, str], Iterator[tuple[str, int]]]


def with_variables_apart(text: str) -> Lines | None:
    """Returns a text whose loops make variables, or use them, and the old number of each line; None if all do so."""
    if "for " not in text or "ariable" not in text:
        return None
    return one_by_one(text, _step)


def _step(text: str) -> Lines | None:
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for node in walk(tree):
        if isinstance(node, ast.For) and is_straight(node, names):
            plan = Loop(node, names, source)
            if plan.is_apart():
                return _Writer(plan).written(text)
    return None


@dataclass(eq=False)
class _Writer:
    """Writes the two loops of a plan."""

    plan: Loop

    def written(self, text: str) -> Lines:
        """Returns the text with two loops, and the old number of each line."""
        loop, indent = self.plan.loop, self.plan.source.indent_of(self.plan.loop)
        start = self.plan.source.lines_of(loop)[0]
        first_line, last_line = self.plan.source.positions.line(start), loop.end_lineno or loop.lineno
        rows: list[tuple[str, int]] = []
        holders = [*self.plan.lists.values(), *(maker.holder for maker in self.plan.makers)]
        rows += [(f"{indent}{holder} = []\n", loop.lineno) for holder in holders]
        inner = self.plan.source.indent_of(loop.body[0])
        comments = self._lines(start, self.plan.source.positions.line_start(self.plan.source.span(loop)[0]))
        head = self._lines(self.plan.source.span(loop)[0] - len(indent), self.plan.source.lines_of(loop.body[0])[0])
        firsts = list(self._rows(loop.body, inner, self._first_rows, self.plan.are_plain))
        seconds = list(self._rows(loop.body, inner, self._second_rows, True))
        rows = [*rows, *comments, *head, *firsts]
        rows += [(f"{inner}{holder}.append({place})\n", loop.lineno) for place, holder in self.plan.lists.items()]
        begun = write_starts(self.plan.starts, self.plan.taken, self.plan.names, self.plan.source)
        rows += [(f"{indent}{line}\n", loop.lineno) for line in [*begun, self._second_head()]]
        rows += seconds
        lines = self.plan.source.rendered((0, start)).splitlines(keepends=True)
        lines += text.splitlines(keepends=True)[len(lines) :]
        before = [(line, number) for number, line in enumerate(lines[: first_line - 1], 1)]
        after = [(line, number) for number, line in enumerate(lines[last_line:], last_line + 1)]
        made = [*before, *rows, *after]
        return "".join(line for line, _ in made), tuple(number for _, number in made)

    def _lines(self, start: int, end: int) -> list[tuple[str, int]]:
        """Returns the lines of a span with the edits in it, and their numbers."""
        number = self.plan.source.positions.line(start)
        return [(line, number + at) for at, line in enumerate(self.plan.source.rendered((start, end)).splitlines(True))]

    def _rows(
        self, body: Sequence[ast.stmt], indent: str, rows_of: _RowsOf, keeps_scopes: bool
    ) -> Iterator[tuple[str, int]]:
        for statement in body:
            if statement in self.plan.statements:
                yield from rows_of(statement, indent)
                continue
            assert isinstance(statement, ast.With)
            step = self.plan.source.indent_of(statement.body[0]).removeprefix(self.plan.source.indent_of(statement))
            inside = list(self._rows(statement.body, indent + step if keeps_scopes else indent, rows_of, keeps_scopes))
            if inside and keeps_scopes:
                contexts = ", ".join(self._scope(item.context_expr) for item in statement.items)
                above = self._lines(
                    self.plan.source.lines_of(statement)[0],
                    self.plan.source.positions.line_start(self.plan.source.span(statement)[0]),
                )
                yield from ((indent + line.lstrip(), number) for line, number in above)
                if rows_of == self._first_rows:
                    contexts = self._numbered_scope(statement) or contexts
                yield f"{indent}with {contexts}:\n", statement.lineno
            yield from inside

    def _scope(self, context: ast.expr) -> str:
        """Returns the text of a scope. No variable takes its name from get_variable any more."""
        assert isinstance(context, ast.Call)
        if v1_name(self.plan.names, context.func) != "variable_scope":
            return " ".join(self.plan.source.plain(context).split())
        assert isinstance(context.func, ast.Attribute)
        return f"{self.plan.source.plain(context.func.value)}.name_scope({self.plan.source.plain(context.args[0])})"

    def _first_rows(self, statement: ast.stmt, indent: str) -> Iterator[tuple[str, int]]:
        makers = [maker for maker in self.plan.makers if maker.statement is statement]
        for maker in makers:
            name = (
                full_name(maker.call, maker.scopes, self.plan.names, self.plan.source)
                if not self.plan.are_plain
                else None
            )
            if name is not None:
                self.plan.source.replace(self.plan.source.span(maker.call.args[0]), name)
            self._number(maker)
        if statement in self.plan.first:
            yield from self._moved(statement, indent)
            yield from ((f"{indent}{maker.holder}.append({maker.name})\n", statement.lineno) for maker in makers)
            return
        for maker in makers:
            text = f"{maker.holder}.append({self.plan.source.text_of(maker.call)})"
            rows = reindented(
                f"{self.plan.source.indent_of(statement)}{text}\n", self.plan.source.indent_of(statement), indent
            )
            above = self._above(statement, indent) if maker.is_whole else []
            yield from above
            yield from ((row, maker.call.lineno + at) for at, row in enumerate(rows.splitlines(True)))

    def _number(self, maker: Maker) -> None:
        """Writes the number that TensorFlow 1 gave to a variable of the same name in each turn, where that is sure."""
        name = (
            given_name(maker.call, self.plan.names) if v1_name(self.plan.names, maker.call.func) == "Variable" else None
        )
        if maker.scopes or name is None or not is_given_once(name, maker.call, self.plan.names):
            return
        given = next((known.value for known in maker.call.keywords if known.arg == "name"), None)
        text = numbered(name, maker.holder)
        if given is not None:
            self.plan.source.replace(self.plan.source.span(given), text)
        elif len(maker.call.args) == 1:
            end = self.plan.source.span(maker.call)[1] - 1
            self.plan.source.replace((end, end), f", name={text}")

    def _numbered_scope(self, block: ast.With) -> str | None:
        """Returns the text of a scope that has the same name in each turn, with its number; None for all others."""
        context = block.items[0].context_expr
        holders = [maker.holder for maker in self.plan.makers if maker.scopes[:1] == (block,)]
        if not holders or len(block.items) > 1 or not isinstance(context, ast.Call) or len(context.args) != 1:
            return None
        name = context.args[0].value if isinstance(context.args[0], ast.Constant) else None
        if not isinstance(name, str) or not name.isidentifier() or not is_given_once(name, context, self.plan.names):
            return None
        assert isinstance(context.func, ast.Attribute)
        return f"{self.plan.source.plain(context.func.value)}.name_scope({numbered(name, holders[0])})"

    def _second_rows(self, statement: ast.stmt, indent: str) -> Iterator[tuple[str, int]]:
        if statement in self.plan.first or any(m.statement is statement and m.is_whole for m in self.plan.makers):
            return
        for maker in self.plan.makers:
            if maker.statement is statement:
                lines = "\n" * self.plan.source.plain(maker.call).count("\n")
                self.plan.source.replace(
                    self.plan.source.span(maker.call), f"({maker.name}{lines})" if lines else maker.name
                )
        yield from self._moved(statement, indent)

    def _above(self, statement: ast.stmt, indent: str) -> list[tuple[str, int]]:
        """Returns the comments above a statement."""
        start = self.plan.source.positions.line_start(self.plan.source.span(statement)[0])
        rows = self._lines(self.plan.source.lines_of(statement)[0], start)
        return [(indent + line.lstrip(), number) for line, number in rows]

    def _moved(self, statement: ast.stmt, indent: str) -> Iterator[tuple[str, int]]:
        start, end = self.plan.source.lines_of(statement)
        number = self.plan.source.positions.line(start)
        text = reindented(self.plan.source.rendered((start, end)), self.plan.source.indent_of(statement), indent)
        yield from ((line, number + at) for at, line in enumerate(text.splitlines(True)))

    def _second_head(self) -> str:
        """Returns the first line of the second loop."""
        pairs = [(maker.name, maker.holder) for maker in self.plan.makers]
        pairs = [*((place, holder) for place, holder in self.plan.lists.items()), *pairs]
        if self.plan.again and self.plan.needed:
            target, values = self._elements()
            pairs.insert(0, (target, values))
        targets, values = ", ".join(target for target, _ in pairs), ", ".join(holder for _, holder in pairs)
        return f"for {targets} in {values}:" if len(pairs) == 1 else f"for {targets} in zip({values}):"

    def _elements(self) -> tuple[str, str]:
        """Returns what the second loop takes of the sequence of the first, and this sequence."""
        target, iterated = self.plan.loop.target, self.plan.loop.iter
        counted = isinstance(iterated, ast.Call) and place_of(iterated.func) == "enumerate" and len(iterated.args) == 1
        if counted and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            assert isinstance(iterated, ast.Call)
            if not stores(target.elts[0]) & {*self.plan.needed}:
                target, iterated = target.elts[1], iterated.args[0]
        text = self.plan.source.plain(target)
        is_bare = isinstance(target, ast.Tuple) and not text.startswith("(")
        return f"({text})" if is_bare else text, self.plan.source.plain(iterated)
