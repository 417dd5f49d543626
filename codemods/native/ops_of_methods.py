"""Ops that a method or function builds at each call, and runs: they are built once, where the graph is.

    def update(self):                                  self.copy_op = []            # at the end of __init__
        copy_op = []                                   for a, b in zip(self.target, self.main):
        for a, b in zip(self.target, self.main):           self.copy_op.append(a.assign(b))
            copy_op.append(a.assign(b))          ->
        self.sess.run(copy_op)                         def update(self):
                                                           self.sess.run(self.copy_op)

TensorFlow 1 made new ops at each call, which computed the same: they depend on nothing but the graph.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from codemods import scopes
from codemods.names import Names
from codemods.native.builder_names import fresh
from codemods.native.drivers import MERGING
from codemods.native.kinds import COLLECTIONS, DRAWS, Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.mains import builds, straight
from codemods.native.one_by_one import Lines, one_by_one
from codemods.native.places import bound_names, mutates, names_in_texts, place_of, stores, uses, variable_names
from codemods.native.recurrent import cell_class, function_of
from codemods.native.savers_of_objects import first_of, grows_elsewhere
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk

_KINDS = frozenset({Kind.CONSTANT, Kind.TENSOR, Kind.ASSIGN})
_METHODS = frozenset(("assign", "assign_add", "assign_sub", "value", "append", "get_shape", "as_list"))
_PURE = frozenset(("zip", "range", "len", "enumerate", "int", "float", "list"))
_AFTER = frozenset({Kind.SESSION, Kind.INIT, Kind.SAVER, Kind.WRITER, Kind.CONFIG, Kind.PYTHON})
"""What `__init__` may make after the ops, as it runs the graph, or knows nothing of it."""
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.If, ast.While)


def with_ops_of_methods(text: str) -> Lines | None:
    """Returns a text whose methods run ops that were built before, and the old number of each line; None if all do."""
    if ".run(" not in text:
        return None
    return one_by_one(text, _step)


def _step(text: str) -> Lines | None:
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        first = first_of(owner)
        if first is None or not _can_grow(first, names, source):
            continue
        called = {place for place, _ in uses(first)}
        for method in methods:
            if method is not first and not method.decorator_list and f"self.{method.name}" not in called:
                moved = _Moved(method, first, owner, names, source)
                if moved.is_found():
                    return moved.written()
    if not any(builds(node, names) for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))):
        return None
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        if not function.decorator_list and not builds(function, names):
            moved = _OfFunction(function, function, tree, names, source)
            if moved.is_found():
                return moved.written()
    return None


def _can_grow(first: ast.FunctionDef, names: Names, source: SourceText) -> bool:
    """Returns whether statements can stand at the end of `__init__`, which builds a graph."""
    below = list(walk(first))
    runs = any(isinstance(node, ast.Return) for node in below)
    return not runs and builds(first, names) and source.is_alone(first.body[-1]) and not first.decorator_list


@dataclass(eq=False)
class _Moved:
    """The statements of a method that build ops, and the `__init__` that takes them.

    Attributes:
        method: The method.
        first: The `__init__`.
        owner: The class.
        names: The meanings of names.
        source: The text.
        statements: The statements.
        shown: Name -> the attribute that the method reads instead.
    """

    method: ast.FunctionDef
    first: ast.FunctionDef
    owner: ast.ClassDef | ast.Module
    names: Names
    source: SourceText
    statements: list[ast.stmt] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)

    def is_found(self) -> bool:
        """Returns whether there are such statements, and it is certain that they mean the same in `__init__`."""
        known: set[str] = set()
        for statement in self.method.body:
            if self._is_movable(statement, known):
                self.statements.append(statement)
                known |= stores(statement)
        self._keep_needed()
        if self._reads_collections() and grows_elsewhere(self.first, self.source.tree, self.names):
            return False
        bound = {place for statement in self.statements for place in stores(statement)}
        rest = [statement for statement in self.method.body if statement not in self.statements]
        changed = {place for statement in rest for place in stores(statement) | mutates(statement)}
        if not self.statements or bound & changed or bound & names_in_texts(self.method):
            return False
        inner = {name for node in walk(self.method) if _has_names(node) for name in bound_names(node)}
        read = {node.id for statement in rest for node in walk(statement) if isinstance(node, ast.Name)} & bound
        loops = [statement.target for statement in self.statements if isinstance(statement, ast.For)]
        self._show(sorted(read))
        is_shown = bool(read) and self.shown.keys() >= read and self._place() > 0
        return is_shown and not bound & inner and not any(stores(target) & read for target in loops)

    def _show(self, read: Sequence[str]) -> None:
        """Finds the attributes that the method reads instead of names."""
        taken = {node.attr for node in walk(self.source.tree) if isinstance(node, ast.Attribute)}
        taken |= {node.name for node in self.owner.body if isinstance(node, ast.FunctionDef)}
        for name in read:
            attribute = name if name not in taken else f"{self.method.name}_{name}"
            if attribute not in taken:
                self.shown[name] = f"self.{attribute}"

    def _is_movable(self, statement: ast.stmt, known: Set[str]) -> bool:
        """Returns whether a statement builds, or is a container for what is built, and reads nothing of a call."""
        is_bound = isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name) for t in statement.targets)
        is_loop = isinstance(statement, ast.For) and not statement.orelse
        added = place_of(statement.value.func.value) if _is_append(statement) else None  # type: ignore[attr-defined]
        if not (is_bound or is_loop or added in known) or not self.source.is_alone(statement):
            return False
        below = list(walk(statement))
        if any(isinstance(node, _LEAVING) for node in below):
            return False
        if not all(self._is_known(node) for node in below if isinstance(node, ast.Call)):
            return False
        if mutates(statement) - known:
            return False
        own = stores(statement) if is_loop else set()
        return all(self._is_of_graph(place, known | own) for place, _ in uses(statement))

    def _is_known(self, call: ast.Call) -> bool:
        """Returns whether a call makes ops alone, or what holds them."""
        name = v1_name(self.names, call.func)
        if name is None:
            method = call.func.attr if isinstance(call.func, ast.Attribute) else None
            return method in _METHODS if method is not None else place_of(call.func) in _PURE
        if name in MERGING:
            return not any(self._summarizes(node) for node in walk(self.source.tree))
        if name in LAYERS or name in DRAWS or function_of(name) or cell_class(name) or name.startswith("metrics."):
            return False
        return name in COLLECTIONS or kind_of_call(name) in _KINDS

    def _summarizes(self, node: ast.AST) -> bool:
        """Returns whether a node is a call outside `__init__` that makes a summary."""
        name = v1_name(self.names, node.func) if isinstance(node, ast.Call) else None
        is_summary = name is not None and name not in MERGING and kind_of_call(name) is Kind.SUMMARY
        return is_summary and not any(below is node for below in walk(self.first))

    def _is_of_graph(self, place: str, known: Set[str]) -> bool:
        """Returns whether a place has the same value where the graph is built and at each call of the method."""
        if place in known or place == "self":
            return True
        if place.startswith("self."):
            return self._is_kept(place.removeprefix("self."))
        if place in _own_names(self.method) | _own_names(self.first):
            return False
        bindings = self.names.module.bindings.get(place, [])
        return place in dir(builtins) if not bindings else len(bindings) == 1 and bindings[0].imported is not None

    def _is_kept(self, attribute: str) -> bool:
        """Returns whether `__init__` alone sets an attribute, and nothing else changes it."""
        inside = {id(node) for node in walk(self.first)}
        others = [node for node in walk(self.source.tree) if id(node) not in inside]
        sets = [node for node in walk(self.first) if _is_set(node, attribute)]
        changes = [place for node in others if isinstance(node, ast.Expr) for place in mutates(node)]
        return (
            bool(sets) and not any(_is_set(node, attribute) for node in others) and f"self.{attribute}" not in changes
        )

    def _keep_needed(self) -> None:
        """Leaves the statements that build, and what they need."""
        built: set[str] = set()
        for statement in self.statements:
            calls = [node for node in walk(statement) if isinstance(node, ast.Call)]
            makes = any(v1_name(self.names, call.func) or _is_assignment(call) for call in calls)
            if makes or {place for place, _ in uses(statement)} & built:
                built |= stores(statement)
        needed: set[str] = set()
        kept: list[ast.stmt] = []
        for statement in reversed(self.statements):
            if stores(statement) & (built | needed):
                kept.insert(0, statement)
                needed |= {place for place, _ in uses(statement)} | mutates(statement)
        self.statements = kept

    def _reads_collections(self) -> bool:
        calls = [node for statement in self.statements for node in walk(statement) if isinstance(node, ast.Call)]
        return any(v1_name(self.names, call.func) in COLLECTIONS for call in calls)

    def _place(self) -> int:
        """Returns the number of the last line of `__init__` that builds, or sets what the statements read; else 0."""
        read = {place for statement in self.statements for place, _ in uses(statement)}
        last = 0
        for statement in self.first.body:
            names = [v1_name(self.names, n.func) for n in walk(statement) if isinstance(n, ast.Call)]
            makes = any(name is not None and kind_of_call(name) not in _AFTER for name in names)
            if makes or stores(statement) & read:
                last = statement.end_lineno or last
        return last

    def _indent(self) -> str:
        return self.source.indent_of(self.first.body[-1])

    def written(self) -> Lines:
        """Returns the text with the statements at the end of `__init__`, and the old number of each line."""
        new = dict(self.shown)
        taken = variable_names(self.first) | variable_names(self.source.tree)
        for statement in self.statements:
            for name in sorted(stores(statement) - new.keys()):
                new[name] = fresh(f"{self.method.name}_{name}", taken)
                taken.add(new[name])
        for node in walk(self.method):
            if isinstance(node, ast.Name) and node.id in new:
                self.source.replace(self.source.span(node), new[node.id])
        indent, moved, gone = self._indent(), list[tuple[str, int]](), set[int]()
        for statement in self.statements:
            start, end = self.source.lines_of(statement)
            number = self.source.positions.line(start)
            part = reindented(self.source.rendered((start, end)), self.source.indent_of(statement), indent)
            rows = part.splitlines(keepends=True)
            moved += [(row if row.endswith("\n") else row + "\n", number + at) for at, row in enumerate(rows)]
            gone |= set(range(number, number + len(rows)))
        last = self._place()
        made: list[tuple[str, int]] = []
        for number, line in enumerate(self.source.result().splitlines(keepends=True), 1):
            made += [] if number in gone else [(line if line.endswith("\n") else line + "\n", number)]
            made += moved if number == last else []
        return "".join(line for line, _ in made), tuple(number for _, number in made)


class _OfFunction(_Moved):
    """The statements of a function that build ops of the graph of the module, which takes them."""

    def _show(self, read: Sequence[str]) -> None:
        inside = {id(node) for node in walk(self.method)}
        others = (node for node in walk(self.source.tree) if id(node) not in inside)
        taken = {name for node in others for name in (getattr(node, "id", None), getattr(node, "name", None)) if name}
        taken |= {node.arg for node in walk(self.source.tree) if isinstance(node, ast.arg)}
        for name in read:
            self.shown[name] = name if name not in taken else fresh(f"{self.method.name}_{name}", taken)

    def _is_of_graph(self, place: str, known: Set[str]) -> bool:
        if place in known or place in dir(builtins):
            return True
        if not place.isidentifier() or place in _own_names(self.method):
            return False
        bindings = self.names.module.bindings.get(place, [])
        if len(bindings) != 1 or bindings[0].imported is not None:
            return len(bindings) == 1
        expressions = (node for node in walk(self.source.tree) if isinstance(node, ast.Expr))
        return self._maker(place) is not None and not any(place in mutates(node) for node in expressions)

    def _maker(self, place: str) -> ast.stmt | None:
        """Returns the statement of the module that binds a name, with the blocks round it."""
        bound = (node for node in straight(self.source.tree.body) if isinstance(node, ast.Assign))
        made = next((node for node in bound if place in stores(node)), None)
        return next((node for node in self.source.tree.body if any(b is made for b in walk(node))), None)

    def _place(self) -> int:
        read = {place for statement in self.statements for place, _ in uses(statement)}
        makers = (self._maker(place) for place in read)
        return max((maker.end_lineno or 0 for maker in makers if maker is not None), default=0)

    def _indent(self) -> str:
        return ""


def _is_set(node: ast.AST, attribute: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == attribute and not isinstance(node.ctx, ast.Load)


def _own_names(function: ast.FunctionDef) -> set[str]:
    """Returns the names that a function binds, its parameters among them."""
    bound = {n.id for n in walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return bound | {node.arg for node in walk(function) if isinstance(node, ast.arg)}


def _is_append(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append"


def _is_assignment(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("assign", "assign_add", "assign_sub")


def _has_names(node: ast.AST) -> bool:
    return isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
