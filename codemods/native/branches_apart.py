"""Branches that make variables and tensors become two: one makes the variables, and one uses them.

    if self.dueling:                                      if self.dueling:
        with tf.variable_scope("value"):                      w = tf.get_variable("value/w", [3, 1])
            w = tf.get_variable("w", [3, 1])              if self.dueling:
            self.v = tf.matmul(x, w)              ->          with tf.variable_scope("value"):
    else:                                                         self.v = tf.matmul(x, w)
        self.v = tf.reduce_sum(x)                         else:
                                                              self.v = tf.reduce_sum(x)

The condition must be of Python values that the branches do not change, as it is asked twice.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codemods import scopes
from codemods.names import Names
from codemods.native.builder_names import fresh
from codemods.native.builders import makes_variables
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.layers import is_scope
from codemods.native.loop_scopes import full_name, is_text, opens_names
from codemods.native.one_by_one import Lines, one_by_one
from codemods.native.places import mutates, names_in_texts, place_of, stores, uses, variable_names
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk

_Row = tuple[str, int]
_STEADY = (ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.Not)
"""What a condition may consist of: nothing that runs code of the program."""
_ROUND = (ast.With, ast.FunctionDef, ast.ClassDef, ast.Module)


def with_branches_apart(text: str) -> Lines | None:
    """Returns a text whose branches make variables, or use them, and the old number of each line; None if all do so."""
    if "ariable(" not in text or "if " not in text:
        return None
    return one_by_one(text, _step)


def _step(text: str) -> Lines | None:
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for node in walk(tree):
        if isinstance(node, ast.If) and all(isinstance(above, _ROUND) for above in names.above(node)):
            plan = _Branches(node, names, source)
            if plan.are_apart():
                return plan.written(text)
    return None


@dataclass(eq=False)
class _Branches:
    """A branching statement, and how it becomes two.

    Attributes:
        node: The statement.
        names: The meanings of names.
        source: The text.
        makers: The statements that make a variable each, with the scopes round each in the branch.
        first: What the variables need, and the makers.
        statements: All statements of the branches but those with blocks.
    """

    node: ast.If
    names: Names
    source: SourceText
    makers: dict[ast.Assign, tuple[ast.With, ...]] = field(default_factory=dict)
    first: set[ast.stmt] = field(default_factory=set)
    statements: list[ast.stmt] = field(default_factory=list)

    def are_apart(self) -> bool:
        """Returns whether the branches make variables and tensors, and can become two."""
        branches, bodies = self.branches, self.bodies
        if not all(is_steady(branch.test) for branch in branches):
            return False
        if not all(self._read(statement, ()) for body in bodies for statement in body):
            return False
        inside = [node for body in bodies for statement in body for node in walk(statement)]
        if not all(self.source.is_alone(node) for node in inside if isinstance(node, ast.stmt)):
            return False
        return bool(self.makers) and self._find_first() and self._is_ordered() and self._is_steady()

    @property
    def branches(self) -> list[ast.If]:
        """The statement, and those of its `elif`."""
        return branches_of(self.node)[0]

    @property
    def bodies(self) -> list[list[ast.stmt]]:
        """The statements of each branch, those of `else` last."""
        branches, otherwise = branches_of(self.node)
        return [*(branch.body for branch in branches), otherwise]

    def _read(self, statement: ast.stmt, around: tuple[ast.With, ...]) -> bool:
        """Notes a statement of a branch; returns whether it is of a known form."""
        if isinstance(statement, ast.With):
            if not all(self._is_plain_scope(item) for item in statement.items):
                return False
            return all(self._read(inner, (*around, statement)) for inner in statement.body)
        if not isinstance(statement, (ast.Assign, ast.Expr)):
            return False
        self.statements.append(statement)
        made = [
            node
            for node in walk(statement)
            if isinstance(node, ast.Call) and makes_variables(node, self.source.tree, self.names)
        ]
        if not made:
            return not any(v1_name(self.names, n.func) in LAYERS for n in walk(statement) if isinstance(n, ast.Call))
        if not isinstance(statement, ast.Assign) or made != [statement.value] or len(statement.targets) != 1:
            return False
        if place_of(statement.targets[0]) is None or not self._is_named(made[0], around):
            return False
        self.makers[statement] = around
        return True

    def _is_plain_scope(self, item: ast.withitem) -> bool:
        return is_scope(item.context_expr, self.names) and item.optional_vars is None

    def _is_named(self, call: ast.Call, around: tuple[ast.With, ...]) -> bool:
        """Returns whether a variable keeps its name where the scopes of the branch go."""
        if not around:
            return True
        given = [name for block in around for name in opens_names(block, self.names, "variable_scope")]
        return v1_name(self.names, call.func) == "get_variable" and bool(call.args) and all(map(is_text, given))

    def _find_first(self) -> bool:
        """Finds what the variables need; returns whether they need no tensors, and tensors are made too."""
        self.first = set(self.makers)
        todo: list[ast.AST] = [maker.value for maker in self.makers]
        todo += [item.context_expr for around in self.makers.values() for block in around for item in block.items]
        while todo:
            read = {place for place, _ in uses(todo.pop())}
            for statement in self.statements:
                if statement in self.first or not stores(statement) & read:
                    continue
                if mutates(statement) or any(self._is_of_graph(node) for node in walk(statement)):
                    return False
                self.first.add(statement)
                todo.append(statement)
        rest = [statement for statement in self.statements if statement not in self.first]
        return any(self._is_of_graph(node) for statement in rest for node in walk(statement))

    def _is_of_graph(self, node: ast.AST) -> bool:
        """Returns whether a node may make a part of the graph, or run code of the program."""
        name = v1_name(self.names, node.func) if isinstance(node, ast.Call) else None
        return isinstance(node, ast.Call) and (name is None or kind_of_call(name) is not Kind.PYTHON)

    def _is_ordered(self) -> bool:
        """Returns whether each statement reads the same values where the variables come first."""
        rest = [statement for statement in self.statements if statement not in self.first]
        early = {place for statement in self.first for place in stores(statement)}
        needed = {place for statement in self.first for place, _ in uses(statement)}
        late = {place for statement in rest for place in stores(statement) | mutates(statement)}
        inner = {
            node.id for node in walk(self.node) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        inner -= {place for statement in self.statements for place in stores(statement)}
        inner |= {node.arg for node in walk(self.node) if isinstance(node, ast.arg)} | names_in_texts(self.node)
        if (early | needed) & late or early & inner:
            return False
        return all(self._reads_what_is_bound(body, early) for body in self.bodies)

    def _reads_what_is_bound(self, body: Sequence[ast.stmt], early: set[str]) -> bool:
        """Returns whether no statement of a branch reads a name that a later one binds, or that two could have."""
        bound: Counter[str] = Counter()
        for statement in self._inside(body):
            if {place for place, _ in uses(statement)} & early - bound.keys():
                return False
            bound.update(stores(statement))
        again = {place for place, count in bound.items() if count > 1} & early
        plain = {place for maker in self.first - set(self.makers) for place in stores(maker)}
        return not again & plain and all(place.isidentifier() for place in again)

    def _is_steady(self) -> bool:
        """Returns whether the variables change nothing that the conditions read."""
        asked = {ast.unparse(part) for branch in self.branches for part in walk(branch.test) if _is_place(part)}
        return not asked & {place for statement in self.first for place in stores(statement)}

    def _inside(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        below = {id(node) for outer in body for node in walk(outer)}
        return [statement for statement in self.statements if id(statement) in below]

    def written(self, text: str) -> Lines:
        """Returns the text with two statements, and the old number of each line."""
        self._rename()
        for maker, around in self.makers.items():
            assert isinstance(maker.value, ast.Call)
            name = full_name(maker.value, around, self.names, self.source) if around else None
            if name is not None:
                self.source.replace(self.source.span(maker.value.args[0]), name)
        first, last = self.node.lineno, self.node.end_lineno or self.node.lineno
        lines = list(enumerate(text.splitlines(keepends=True), 1))
        made = [(line, number) for number, line in lines if number < first]
        made += [*self._rows(True), *self._rows(False)]
        made += [(line, number) for number, line in lines if number > last]
        return "".join(line for line, _ in made), tuple(number for _, number in made)

    def _rename(self) -> None:
        """Gives variables of a branch other names where a later one of it has the same name."""
        taken = variable_names(self.source.tree)
        for body in self.bodies:
            inside = self._inside(body)
            left = Counter(place for statement in inside if statement in self.makers for place in stores(statement))
            now: dict[str, str] = {}
            for statement in inside:
                reads = [node for node in walk(statement) if isinstance(node, ast.Name)]
                self._write([node for node in reads if isinstance(node.ctx, ast.Load)], now)
                target = statement.targets[0] if isinstance(statement, ast.Assign) else None
                if statement in self.makers and isinstance(target, ast.Name):
                    left[target.id] -= 1
                    now.pop(target.id, None)
                    if left[target.id]:
                        now[target.id] = fresh(target.id, taken)
                        taken.add(now[target.id])
                        self._write([target], now)

    def _write(self, found: Sequence[ast.Name], names: dict[str, str]) -> None:
        for node in found:
            if node.id in names:
                self.source.replace(self.source.span(node), names[node.id])

    def _rows(self, makes: bool) -> Iterator[_Row]:
        """Yields the lines of the statement that makes the variables, or of the one that uses them."""
        indent, words = self.source.indent_of(self.node), ["if", *["elif"] * len(self.branches)]
        end = self.source.positions.line_start(self.source.span(self.node)[0])
        for branch, word in zip(self.branches, words, strict=False):
            inner = indent + self._step_of(branch.body)
            head = (end, self.source.lines_of(branch.body[0])[0])
            test = " ".join(self.source.plain(branch.test).split())
            yield from [(f"{indent}{word} {test}:\n", branch.lineno)] if makes else self._lines(head, "", "")
            yield from list(self._body(branch.body, inner, makes)) or [(f"{inner}pass\n", branch.lineno)]
            end = self.source.lines_of(branch.body[-1])[1]
        last = self.branches[-1].orelse
        rows = list(self._body(last, indent + self._step_of(last), makes)) if last else []
        if rows:
            head = (end, self.source.lines_of(last[0])[0])
            yield from [(f"{indent}else:\n", rows[0][1])] if makes else self._lines(head, "", "")
            yield from rows

    def _step_of(self, body: Sequence[ast.stmt]) -> str:
        return self.source.indent_of(body[0])[len(self.source.indent_of(self.node)) :]

    def _body(self, body: Sequence[ast.stmt], indent: str, makes: bool) -> Iterator[_Row]:
        for statement in body:
            own = self.source.indent_of(statement)
            if isinstance(statement, ast.With):
                step = self.source.indent_of(statement.body[0]).removeprefix(own)
                inside = list(self._body(statement.body, indent if makes else indent + step, makes))
                if inside and not makes:
                    head = self.source.lines_of(statement)[0], self.source.lines_of(statement.body[0])[0]
                    yield from self._lines(head, own, indent)
                yield from inside
            elif (statement in self.first) is makes:
                yield from self._lines(self.source.lines_of(statement), own, indent)

    def _lines(self, span: tuple[int, int], old: str, new: str) -> Iterator[_Row]:
        number = self.source.positions.line(span[0])
        text = reindented(self.source.rendered(span), old, new)
        text = text if text.endswith("\n") else text + "\n"
        yield from ((line, number + at) for at, line in enumerate(text.splitlines(keepends=True)))


def branches_of(node: ast.If) -> tuple[list[ast.If], list[ast.stmt]]:
    """Returns a statement with those of its `elif`, and what `else` has."""
    made = [node]
    while len(made[-1].orelse) == 1 and isinstance(inner := made[-1].orelse[0], ast.If):
        if inner.col_offset != node.col_offset:
            break  # it stands below an `else`
        made.append(inner)
    return made, made[-1].orelse


def is_steady(test: ast.expr) -> bool:
    """Returns whether a condition runs no code of the program, so that it may be asked twice."""
    return all(isinstance(part, (*_STEADY, ast.expr_context)) for part in walk(test))


def _is_place(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute))
