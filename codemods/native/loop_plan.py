"""Which statements of a loop make its variables, and what the others need of them."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.builder_names import fresh
from codemods.native.builders import makes_variables
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.layers import is_scope
from codemods.native.loop_scopes import is_text, opens_names
from codemods.native.loop_starts import starts
from codemods.native.places import mutates, place_of, stores, uses, variable_names
from codemods.native.plain_variables import given_name
from codemods.native.recurrent import cell_class
from codemods.native.repeated_values import is_repeatable
from codemods.native.source_text import SourceText
from codemods.tree import walk

_BRANCHING = (
    ast.If, ast.For, ast.While, ast.Try, ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.IfExp, ast.BoolOp,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
"""What may evaluate a part of itself never, or several times."""
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete)
_READING = frozenset(("len", "range", "enumerate", "zip", "int", "float", "str", "min", "max", "print", "sum", "list"))
"""Functions of Python that change no argument."""


@dataclass(eq=False)
class Maker:
    """A call that makes a variable once in each turn of a loop.

    Attributes:
        call: The call.
        statement: The statement that it is in.
        name: What the variable is called in the second loop.
        holder: The list of these variables.
        scopes: The `with` blocks round it in the loop.
        is_kept: Whether other variables are made of it, so that it has its name in the first loop too.
    """

    call: ast.Call
    statement: ast.stmt
    name: str
    holder: str
    scopes: tuple[ast.With, ...]
    is_kept: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether its statement only gives it its name."""
        node = self.statement
        return isinstance(node, ast.Assign) and node.value is self.call and place_of(node.targets[0]) == self.name


@dataclass(eq=False)
class Loop:
    """A loop, and how it becomes two.

    Attributes:
        loop: The loop.
        names: The meanings of names.
        source: The text.
        makers: The calls that make variables, in their order.
        statements: The statements of the loop, with the blocks round each.
        first: Those of the first loop, beside those that only make variables.
        lists: What the second loop reads of the first -> the list that has it.
        needed: What the second loop reads that is no variable.
        again: Whether the second loop takes that from the sequence of the first.
        are_plain: Whether scopes stay, as they name the variables.
        starts: What is a variable before the loop and a tensor in it -> the names of the variable in the text.
        taken: The names of the program.
    """

    loop: ast.For
    names: Names
    source: SourceText
    makers: list[Maker] = field(default_factory=list)
    statements: dict[ast.stmt, tuple[ast.With, ...]] = field(default_factory=dict)
    first: set[ast.stmt] = field(default_factory=set)
    lists: dict[str, str] = field(default_factory=dict)
    needed: list[str] = field(default_factory=list)
    again: bool = False
    are_plain: bool = True
    starts: dict[str, list[ast.Name]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def is_apart(self) -> bool:
        """Returns whether the loop makes variables and tensors, and can become two."""
        self.taken = variable_names(self.source.tree)
        self.statements = dict(_flat(self.loop.body, ()))
        if not all(self.source.is_alone(node) for node in walk(self.loop) if isinstance(node, ast.stmt)):
            return False
        return self._find_makers() and self._find_first() and self._find_lists() and self._names_are_known()

    def _find_makers(self) -> bool:
        """Finds the calls that make variables; returns whether all run once in each turn."""
        for statement, blocks in self.statements.items():
            certain = {id(node) for node in _certain(statement)}
            for call in (node for node in walk(statement) if isinstance(node, ast.Call)):
                if v1_name(self.names, call.func) in LAYERS:
                    return False
                if not makes_variables(call, self.source.tree, self.names):
                    continue
                if id(call) not in certain or any(call in walk(maker.call) for maker in self.makers):
                    return False
                self.makers.append(self._maker(call, statement, blocks))
        return bool(self.makers)

    def _maker(self, call: ast.Call, statement: ast.stmt, blocks: tuple[ast.With, ...]) -> Maker:
        target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is call else None
        wished = target.id if isinstance(target, ast.Name) else _wished(call, self.names)
        given = {maker.name for maker in self.makers}
        name = wished if isinstance(target, ast.Name) and wished not in given else fresh(wished, self.taken | given)
        holder = fresh(f"{name}_list" if name.endswith("s") else f"{name}s", self.taken)
        self.taken |= {name, holder}
        return Maker(call, statement, name, holder, blocks)

    def _find_first(self) -> bool:
        """Finds the statements that variables need; returns whether they need no tensors."""
        of_makers = {maker.statement: maker for maker in self.makers}
        todo: list[ast.AST] = [maker.call for maker in self.makers]
        todo += [item.context_expr for maker in self.makers for block in maker.scopes for item in block.items]
        while todo:
            read = {place for place, _ in uses(todo.pop())}
            for statement in self.statements:
                if statement in self.first or not stores(statement) & read:
                    continue
                self.first.add(statement)
                if statement in of_makers:
                    of_makers[statement].is_kept = True
                    if not of_makers[statement].is_whole:
                        return False
                elif any(self._is_of_graph(node) for node in walk(statement)):
                    return False
                else:
                    todo.append(statement)
        self.first |= {statement for statement in self.statements if self._is_early_print(statement)}
        return any(self._computes(statement) for statement in self._second())

    def _computes(self, statement: ast.stmt) -> bool:
        """Returns whether a statement computes tensors, or anything of a variable of the loop."""
        names = {maker.name for maker in self.makers}
        if names & {place for place, _ in uses(statement)}:
            return True
        of_variables = {id(node) for maker in self.makers for node in walk(maker.call)}
        held = [maker for maker in self.makers if maker.statement is statement]
        value = getattr(statement, "value", None)
        kept = [value, *(value.args if isinstance(value, ast.Call) else ())]
        if any(not any(maker.call is node for node in kept) for maker in held):
            return True
        return any(self._is_of_graph(node) for node in walk(statement) if id(node) not in of_variables)

    def _is_early_print(self, statement: ast.stmt) -> bool:
        """Returns whether a statement prints what the first loop has, and nothing else."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or place_of(call.func) != "print":
            return False
        python = {place for other in self.first for place in stores(other)} | stores(self.loop.target)
        return {place for place, _ in uses(statement)} <= python | {"print", "str", "len"}

    def _is_of_graph(self, node: ast.AST) -> bool:
        """Returns whether a node may make a tensor, or run a session."""
        if not isinstance(node, ast.Call):
            return False
        name = v1_name(self.names, node.func)
        if name is not None:
            return kind_of_call(name) is not Kind.PYTHON
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("run", "eval")

    def _second(self) -> list[ast.stmt]:
        """Returns the statements of the second loop."""
        whole = {maker.statement for maker in self.makers if maker.is_whole}
        return [statement for statement in self.statements if statement not in self.first | whole]

    def _find_lists(self) -> bool:
        """Finds what the second loop reads of the first; returns whether it is certain which value that is."""
        second = self._second()
        changed = {place for statement in self.first for place in mutates(statement)}
        read = {place for node in second for place, _ in uses(node)}
        read |= {place for node in self._scopes_of(second) for place, _ in uses(node)}
        if read & changed or self._may_change_first(second):
            return False
        bound: list[str] = [*stores(self.loop.target)]
        for statement in self.statements:
            bound += sorted(stores(statement))
        needed = [place for place in dict.fromkeys(bound) if place in read]
        firsts = {place for statement in self.first for place in stores(statement)} | stores(self.loop.target)
        firsts -= {maker.name for maker in self.makers}
        for place in needed:
            if place in firsts and (bound.count(place) > 1 or not place.isidentifier()):
                return False
        if not all(self._is_bound_first(maker) for maker in self.makers):
            return False
        targets = stores(self.loop.target)
        self.needed = [place for place in needed if place in firsts]
        self.starts = starts(
            self._carried(second, read),
            self.loop,
            self.names,
            lambda call: makes_variables(call, self.source.tree, self.names),
        )
        iterated = {place for place, _ in uses(self.loop.iter)}
        is_stable = not any(stores(statement) & iterated for statement in self.statements)
        self.again = is_stable and is_repeatable(self.loop.iter, self.source.tree) and not (set(self.needed) - targets)
        for place in self.needed if not self.again else ():
            self.lists[place] = fresh(f"{place}_list" if place.endswith("s") else f"{place}s", self.taken)
            self.taken.add(self.lists[place])
        return True

    def _may_change_first(self, second: Sequence[ast.stmt]) -> bool:
        """Returns whether a call of Python in the second loop gets an object that the first loop reads."""
        nodes = [*self.first, *(maker.call for maker in self.makers)]
        own = {place for statement in self.statements for place in stores(statement)} | stores(self.loop.target)
        read = {place for node in nodes for place, _ in uses(node)} - own
        for call in (node for statement in second for node in walk(statement) if isinstance(node, ast.Call)):
            if v1_name(self.names, call.func) is not None or place_of(call.func) in _READING:
                continue
            of = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            if {place_of(part) for part in (*of, *call.args, *(k.value for k in call.keywords))} & read:
                return True
        return False

    def _carried(self, second: Sequence[ast.stmt], read: set[str]) -> list[str]:
        """Returns what the second loop reads of the turn before."""
        bound = {place for statement in second for place in stores(statement)} & read
        return sorted(place for place in bound if place.isidentifier() and not self._begins_with(place, second))

    def _begins_with(self, place: str, second: Sequence[ast.stmt]) -> bool:
        """Returns whether the first statement of a turn that has a name only binds it."""
        for statement in second:
            if place in {known for known, _ in uses(statement)} | mutates(statement):
                return False
            if place in stores(statement):
                return True
        return True

    def _is_bound_first(self, maker: Maker) -> bool:
        """Returns whether no statement above a variable's own reads or binds its name in a turn."""
        if not maker.is_whole:
            return True
        for statement in self.statements:
            if statement is maker.statement:
                return True
            if maker.name in stores(statement) | {place for place, _ in uses(statement)}:
                return False
        return False

    def _scopes_of(self, statements: Sequence[ast.stmt]) -> list[ast.expr]:
        blocks = dict.fromkeys(block for statement in statements for block in self.statements[statement])
        return [item.context_expr for block in blocks for item in block.items]

    def _names_are_known(self) -> bool:
        """Returns whether the names of the variables stay the same where the scopes of the loop are written anew."""
        blocks = dict.fromkeys(block for around in self.statements.values() for block in around)
        for block in blocks:
            if not all(is_scope(item.context_expr, self.names) and item.optional_vars is None for item in block.items):
                return False
            if not all(is_text(name) for name in opens_names(block, self.names, "variable_scope")):
                return False
        kinds = {v1_name(self.names, maker.call.func) for maker in self.makers if maker.scopes}
        self.are_plain = "get_variable" not in kinds
        if any(cell_class(kind or "") for kind in kinds):
            return False
        return self.are_plain or kinds == {"get_variable"}


def is_straight(loop: ast.For, names: Names) -> bool:
    """Returns whether a loop stands in no other one, and always ends after its last element."""
    parent = names.parents.get(loop)
    while parent is not None and not isinstance(parent, (ast.FunctionDef, ast.Module)):
        if not isinstance(parent, (ast.With, ast.If)):
            return False
        parent = names.parents.get(parent)
    return not loop.orelse and not any(isinstance(node, _LEAVING) for node in walk(loop))


def _wished(call: ast.Call, names: Names) -> str:
    """Returns a name for a variable that the author gives none in Python."""
    name = given_name(call, names) or ""
    return name if name.isidentifier() and name != "Variable" and not keyword.iskeyword(name) else "parameter"


def _flat(body: Sequence[ast.stmt], blocks: tuple[ast.With, ...]) -> Iterator[tuple[ast.stmt, tuple[ast.With, ...]]]:
    """Yields the statements of a loop, those in `with` blocks too, and the blocks round each."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from _flat(statement.body, (*blocks, statement))
        else:
            yield statement, blocks


def _certain(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yields the nodes of a statement that are evaluated once."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if not isinstance(node, _BRANCHING):
            yield node
            todo += ast.iter_child_nodes(node)
