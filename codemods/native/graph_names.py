"""Names of a graph that the program gives twice: TensorFlow 1 numbers them, as in `layer_1/w`.

A text in which each scope and variable has the name that it got is the same program. Old checkpoints and tags of
summaries have these names.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import is_reset, v1_name
from codemods.native.layers import is_scope
from codemods.native.loop_scopes import beginning, quoted
from codemods.native.plain_variables import called, given_name, is_maker, made_by, makes_plain
from codemods.native.source_text import SourceText
from codemods.tree import walk

_LOOPS = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.SetComp, ast.Lambda, ast.IfExp)
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
_OPTIONS = frozenset(("reuse", "values"))
"""Options of a scope that do not change its name."""


@dataclass
class UsedNames:
    """The names in use. Some releases tell upper and lower case apart; a name counts if it is the same in both ways.

    Attributes:
        unsure: (scope, name) of names that are in use an unknown number of times; None for any scope.
        begun: What computed names in use begin with, with their scopes.
    """

    unsure: set[tuple[str | None, str]] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)
    _exact: dict[str, int] = field(default_factory=dict)
    _folded: dict[str, int] = field(default_factory=dict)

    def take(self, scope: str, name: str) -> str | None:
        """Returns the name that an op or a scope gets inside a scope ("a/"); None if the source does not say it."""
        exact, folded = _unique(scope + name, self._exact, False), _unique(scope + name, self._folded, True)
        return exact.removeprefix(scope) if exact == folded and not self._is_unsure(scope, name) else None

    def _is_unsure(self, scope: str, name: str) -> bool:
        full, plain = (scope + name).lower(), re.sub(r"_\d+$", "", name.lower())
        known = {(of, part) for of in (None, scope.lower()) for part in (name.lower(), plain)}
        return bool(known & self.unsure) or any(full.startswith(text) for text in self.begun)

    def note(self, scope: str | None, name: str) -> None:
        """Notes a name that is given an unknown number of times; None for any scope."""
        self.unsure.add((scope.lower() if scope is not None else None, name.lower()))

    def begin(self, text: str) -> bool:
        """Notes what computed names begin with; returns whether no other name in use begins so."""
        text = text.lower()
        is_new = not any(other.startswith(text) for other in (*self._folded, *self.begun))
        is_new = is_new and not any(text.startswith(other) for other in self.begun)
        self.begun.add(text)
        return is_new


def _unique(name: str, used: dict[str, int], folds: bool) -> str:
    """Returns a name that is not in use, as `Graph.unique_name` of TensorFlow 1.15 makes it."""
    key = base = name.lower() if folds else name
    number = used.get(key, 0)
    used[key] = number + 1
    if not number:
        return name
    while key in used:
        key = f"{base}_{number}"
        number += 1
    used[key] = 1
    return f"{name}_{number - 1}"


class _Graphs:
    """The names in use of each graph of a program, in which all names are free at first."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._used: dict[str, UsedNames] = {}

    def of(self, item: Item) -> UsedNames:
        """Returns the names of the graph of a statement, which may begin one."""
        if not item.blocks and is_reset(item.node, self._names):
            self._used.pop("", None)
        if isinstance(item.node, ast.Assign) and self._is_new(item.node.value):
            for target in item.node.targets:
                self._used[ast.unparse(target)] = UsedNames()
        blocks = [block for block in item.blocks if isinstance(block, ast.With)]
        graphs = [graph for block in blocks if (graph := self._entered(block))]
        return self._used.setdefault(graphs[-1] if graphs else "", UsedNames())

    def _entered(self, block: ast.With) -> str:
        """Returns what stands for the graph that a block makes the default one; "" if it is none."""
        for part in block.items:
            call = part.context_expr
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "as_default":
                graph = call.func.value
                if self._is_new(graph):
                    return f"line {block.lineno}"
                if isinstance(graph, (ast.Name, ast.Attribute)) and ast.unparse(graph) in self._used:
                    return ast.unparse(graph)
        return ""

    def _is_new(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and v1_name(self._names, node.func) == "Graph"


@dataclass
class GraphNames:
    """The names of a graph.

    Attributes:
        scopes: A scope's text -> the name that it got, where that is another.
        variables: The call that makes a variable, by itself or by a function of the program -> the name it got.
        makers: Functions that make one variable, which get a parameter for its name.
        unsure: Calls that make variables whose number the source does not say.
    """

    scopes: dict[ast.Constant, str] = field(default_factory=dict)
    variables: dict[ast.Call, str] = field(default_factory=dict)
    makers: list[ast.FunctionDef] = field(default_factory=list)
    unsure: list[ast.Call] = field(default_factory=list)


def graph_names(body: Body, names: Names, functions: Mapping[str, ast.FunctionDef]) -> GraphNames:
    """Returns the scopes and variables that TensorFlow 1 numbered.

    Args:
        body: All statements.
        names: The meanings of names.
        functions: The functions that are not part of the body.
    """
    return _Reader(body, names, functions).read()


class _Reader:
    def __init__(self, body: Body, names: Names, functions: Mapping[str, ast.FunctionDef]) -> None:
        self._body, self._names = body, names
        self._makers = {name: node for name, node in functions.items() if is_maker(node, names, _LOOPS)}
        self._graphs = _Graphs(names)
        self._used = UsedNames()
        self._paths: dict[tuple[ast.With, int], str | None] = {}
        self._made = GraphNames()

    def read(self) -> GraphNames:
        makes = [i for i in self._body.items if any(makes_plain(c, self._names) for c in i.effects.variables)]
        ordered = _in_order(self._body) if len({item.home for item in makes}) > 1 else self._body.items
        if ordered is None:  # the order of functions is not that of the text
            calls = [c for item in makes for c in item.effects.variables if makes_plain(c, self._names)]
            counts = Counter(given_name(call, self._names) for call in calls)
            self._made.unsure += [call for call in calls if counts[given_name(call, self._names)] > 1]
            return self._made
        for item in ordered:
            self._used = self._graphs.of(item)
            scope = self._scope(item)
            for call in self._calls(item):
                self._take(call, scope)
            self._note_unknown(item, scope)
        return self._made

    def _note_unknown(self, item: Item, scope: str | None) -> None:
        """Notes the names that functions, loops and branches of a statement give: no later one is certain."""
        if id(item.node) in {id(node) for node in self._makers.values()}:
            return
        if isinstance(item.node, (ast.FunctionDef, ast.ClassDef)):
            scope = None
        calls = [call for call in self._uncertain(item) if v1_name(self._names, call.func) is not None]
        scoped = self._scoped(calls)
        for call in calls:
            if scope is not None and id(call) in scoped:
                continue  # its name begins with that of a scope in the statement
            name = self._literal(call) if is_scope(call, self._names) else given_name(call, self._names)
            if name is not None:
                self._used.note(scope, name)
            elif scope is not None and any(call is below for below in walk(item.node)):
                self._begin(scope, _begun(call, self._names), item)

    def _uncertain(self, item: Item) -> list[ast.Call]:
        """Returns the calls of a statement that may run never, or several times."""
        inner: list[ast.AST] = [item.node]
        if isinstance(item.node, _PLAIN):
            inner = [node for node in walk(item.node) if isinstance(node, _LOOPS)]
        calls = {id(c): c for node in inner for c in walk(node) if isinstance(c, ast.Call)}
        known = {id(call) for call in self._calls(item)} | {id(made_by(m, self._names)) for m in self._makers.values()}
        calls |= {id(call): call for call in item.effects.variables if id(call) not in known}
        return list(calls.values())

    def _scoped(self, calls: Sequence[ast.Call]) -> set[int]:
        """Returns what stands in the blocks of those calls that open scopes."""
        scoped: set[int] = set()
        for call in (call for call in calls if is_scope(call, self._names)):
            block = self._names.parents.get(self._names.parents.get(call, call))
            if isinstance(block, ast.With) and v1_name(self._names, call.func) != "device":
                scoped |= {id(below) for statement in block.body for below in walk(statement)}
        return scoped

    def _begin(self, scope: str, begun: str | None, item: Item) -> None:
        """Notes what names begin with that a statement computes: other names that begin so have unknown numbers."""
        if begun and not self._used.begin(scope + begun):
            plain = [known for known in item.effects.variables if v1_name(self._names, known.func) == "Variable"]
            self._made.unsure += plain

    def _literal(self, call: ast.Call) -> str | None:
        first = call.args[0] if call.args else None
        is_plain = len(call.args) == 1 and {keyword.arg for keyword in call.keywords} <= _OPTIONS
        if not (is_plain and isinstance(first, ast.Constant) and isinstance(first.value, str)):
            return None
        return None if first.value.endswith("/") else first.value

    def _scope(self, item: Item) -> str | None:
        """Returns the scope round a statement, "a/b/"; None if the source does not say it."""
        path: str | None = ""
        for block in (block for block in item.blocks if isinstance(block, ast.With)):
            for place, part in enumerate(block.items):
                if (block, place) not in self._paths:
                    self._paths[block, place] = self._opened(part.context_expr, path, block)
                path = self._paths[block, place]
        return path

    def _opened(self, context: ast.expr, path: str | None, block: ast.With) -> str | None:
        kind = v1_name(self._names, context.func) if isinstance(context, ast.Call) else None
        if not isinstance(context, ast.Call) or not is_scope(context, self._names) or kind == "device":
            return path
        name = self._literal(context)
        taken = self._used.take(path, name) if path is not None and name is not None else None
        if taken is None or path is None:
            return None
        if taken != name:
            if kind != "name_scope" and not self._has_plain_alone(block):
                return None  # names of get_variable and layers begin with the name that is written
            assert isinstance(context.args[0], ast.Constant)
            self._made.scopes[context.args[0]] = taken
        return f"{path}{taken}/"

    def _has_plain_alone(self, block: ast.With) -> bool:
        inside = [item for item in self._body.items if block in item.blocks]
        made = [call for item in inside for call in item.effects.variables]
        return all(makes_plain(call, self._names) for call in made) and not any(i.effects.layers for i in inside)

    def _calls(self, item: Item) -> list[ast.Call]:
        """Returns the calls of a statement that are certain to run once, in their order."""
        certain: list[ast.Call] = []
        todo: list[ast.AST] = [item.node] if isinstance(item.node, _PLAIN) else []
        while todo:
            node = todo.pop()
            if isinstance(node, _LOOPS):
                continue
            if isinstance(node, ast.Call):
                certain.append(node)
            todo += ast.iter_child_nodes(node)
        return sorted(certain, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))

    def _take(self, call: ast.Call, scope: str | None) -> None:
        maker = self._makers.get(called(call))
        variable = made_by(maker, self._names) if maker is not None else call
        name = given_name(variable, self._names)
        if name is None or is_scope(call, self._names):
            return
        if not makes_plain(variable, self._names):
            if scope is not None and v1_name(self._names, call.func) != "get_variable":
                self._used.take(scope, name)
            return
        taken = self._used.take(scope, name) if scope is not None else None
        if taken is None and scope is not None:
            self._made.unsure.append(call)
        elif taken is not None and taken != name:
            self._made.variables[call] = taken
            if maker is not None and maker not in self._made.makers:
                self._made.makers.append(maker)


def _in_order(body: Body) -> list[Item] | None:
    """Returns the statements in the order in which they run, where a function makes an object that builds a graph.

    Returns:
        None if this order is not certain. Statements that build nothing come first.
    """
    instance, builder = body.main.instance, body.main.function
    if instance is None or builder is None:
        return None
    inside = [item for item in body.items if item.home is builder]
    calls = {id(call) for call in instance.calls}
    home = next((i.home for i in body.items if any(id(node) in calls for node in walk(i.node)) and i.home), None)
    around = [item for item in body.items if item.home is home and not isinstance(item.node, ast.FunctionDef)]
    at = next((n for n, item in enumerate(around) if any(id(node) in calls for node in walk(item.node))), None)
    others = [item for item in body.items if item not in inside and item not in around]
    if at is None or any(item.effects.variables or item.effects.layers for item in others if item.home is not None):
        return None
    return [*others, *around[:at], *inside, *around[at:]]


def _begun(call: ast.Call, names: Names) -> str | None:
    """Returns what the computed name of a scope or a variable begins with; None if it gives no such name."""
    kind = v1_name(names, call.func)
    if kind in ("variable_scope", "name_scope"):
        return beginning(call.args[0]) if call.args else ""
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "name"), None)
    return beginning(given) if given is not None and kind == "Variable" else None


def write_graph_names(source: SourceText, made: GraphNames, names: Names) -> None:
    """Writes the names that scopes and variables got, and a parameter for them into functions."""
    for text, name in made.scopes.items():
        source.replace(source.span(text), repr(name))
    for call, name in made.variables.items():
        _write_name(source, call, repr(name))
    for maker in made.makers:
        variable = made_by(maker, names)
        last = [*maker.args.args, *maker.args.defaults]
        end = max(source.span(argument)[1] for argument in last)
        source.replace((end, end), f", name={quoted(given_name(variable, names) or '')}")
        _write_name(source, variable, "name")


def _write_name(source: SourceText, call: ast.Call, name: str) -> None:
    given: Sequence[ast.expr] = [keyword.value for keyword in call.keywords if keyword.arg == "name"]
    if given:
        source.replace(source.span(given[0]), name)
        return
    end = source.span(call)[1] - 1
    comma = "" if source.data[:end].rstrip().endswith((b",", b"(")) else ", "
    source.replace((end, end), f"{comma}name={name}")
