"""Which expressions of a program are parts of its graph, or of what runs it: all that a native program has not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Set

from codemods.native.from_graph.definitions import Definitions, Function, Place
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.tree import walk

_TYPES = re.compile(r"(float|int|uint|bool|string|complex|half|double|bfloat|qu?int)\w*$")
"""Types, which both releases have."""
_OF_GRAPHS = re.compile(
    r"(.*initializer|(.*\.)?initializers|.*regularizer|TensorShape|Dimension|DType|as_dtype|(io\.)?(Fixed|Var)LenFeature)"
    r"(\.|$)"
)
"""Python values of TensorFlow that only the building of a graph takes. A seed stays: data may be shuffled by it."""
_ADDING = frozenset(("append", "extend", "insert", "add", "update", "setdefault"))
_IDLE = _ADDING | frozenset(
    ("close", "set_shape", "finalize", "minimize", "apply_gradients", "build", "sort", "reverse", "add_graph")
)
"""Methods of parts of the graph that do nothing else."""
_ACTING = re.compile(
    r"(train\.)?(write_graph|start_queue_runners|export_meta_graph|import_meta_graph|Saver|global_step)$|saved_model\."
    r"|summary\.FileWriter|train\.SummaryWriter|(io\.)?write_(file|graph)$|contrib\.(learn|slim\.learning|training)\."
)
"""Names of TensorFlow 1 that do more than build."""


class Building:
    """The places of a program that hold parts of its graph.

    Args:
        definitions: What the program defines.
        runs: The calls that become calls of functions, whose values are arrays.
        kept: Further calls that stay, such as those of savers.

    Attributes:
        places: The places.
        returning: The functions that return parts of the graph.
    """

    def __init__(self, definitions: Definitions, runs: Set[ast.Call], kept: Set[ast.Call] = frozenset()) -> None:
        self.definitions = definitions
        self.names = definitions.names
        self.places: set[Place] = set()
        self.returning: set[Function] = set()
        self._calls = runs | kept
        size = -1
        while size != (size := len(self.places) + len(self.returning)):
            for node in walk(self.names.tree):
                self._read(node)

    def holds(self, node: ast.AST) -> bool:
        """Returns whether an expression is part of the graph."""
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, (ast.Name, ast.Attribute)):
            symbol = v1_name(self.names, node)
            if symbol is not None:
                return _builds(symbol) and not _TYPES.match(symbol)
            if self.definitions.place(node) in self.places:
                return True
            return isinstance(node, ast.Attribute) and self.holds(node.value)
        if is_feed(node, self):
            return False
        if isinstance(node, ast.Subscript) and not self.holds(node.value):
            return self.holds(node.slice) and not self._may_be_fed(node.slice)
        return any(self.holds(child) for child in ast.iter_child_nodes(node))

    def is_in_running_loop(self, node: ast.AST) -> bool:
        """Returns whether a loop round a node runs the graph."""
        while (node := self.names.parents.get(node, self.names.tree)) is not self.names.tree:
            if isinstance(node, (ast.For, ast.While)) and any(below in self._calls for below in walk(node)):
                return True
        return False

    def _may_be_fed(self, node: ast.expr) -> bool:
        return isinstance(node, (ast.Name, ast.Attribute))

    def _of_call(self, call: ast.Call) -> bool:
        if call in self._calls:
            return False
        symbol = v1_name(self.names, call.func)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if symbol is not None and _builds(symbol):
            return True
        called = self.definitions.called(call)
        if called or (isinstance(call.func, ast.Name) and call.func.id in self.definitions.classes):
            return any(function in self.returning for function in called) or self._makes_parts(call)
        return self.holds(call.func) or any(map(self.holds, given))

    def _makes_parts(self, call: ast.Call) -> bool:
        """Returns whether a call makes an object of a class that derives from one of TensorFlow, such as a cell."""
        made = self.definitions.classes.get(call.func.id) if isinstance(call.func, ast.Name) else None
        return made is not None and any(map(self.holds, made.bases))

    def _read(self, node: ast.AST) -> None:
        """Notes the places that a statement, a comprehension or a call gives parts of the graph."""
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind(node.optional_vars, node.context_expr)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._bind(node.target, node.iter)
        elif isinstance(node, ast.Call):
            self._read_call(node)
        elif isinstance(node, Function):
            self._read_function(node)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            is_apart = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            values = value.elts if is_apart and isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
            for part, of in zip(target.elts, values, strict=True):
                self._bind(part, of)
        elif self.holds(value):
            self._note(target)

    def _note(self, target: ast.expr) -> None:
        if isinstance(target, ast.Starred):
            target = target.value
        while isinstance(target, ast.Subscript):
            target = target.value
        place = self.definitions.place(target)
        if place is not None and not (isinstance(target, ast.Attribute) and self.holds(target.value)):
            self.places.add(place)

    def _read_call(self, call: ast.Call) -> None:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING and any(map(self.holds, given)):
            self._note(call.func.value)
        for function in self.definitions.called(call):
            for parameter, argument in self.definitions.arguments(function, call):
                if self.holds(argument):
                    place = self.definitions.parameter_place(function, parameter)
                    self.places |= {place} if place is not None else set()

    def _read_function(self, function: Function) -> None:
        if function not in self.returning and any(map(self.holds, self.definitions.returned(function))):
            self.returning.add(function)
            if function.decorator_list and isinstance(self.names.parents[function], ast.ClassDef):
                self.places.add(function.name)  # a property, which is read as an attribute


def _builds(symbol: str) -> bool:
    """Returns whether a name of TensorFlow 1 belongs to the building of a graph."""
    return kind_of_call(symbol) is not Kind.PYTHON or _OF_GRAPHS.match(symbol) is not None


def only_builds(call: ast.Call, building: Building) -> bool:
    """Returns whether a call whose value nothing takes does nothing but build the graph, or print what it has."""
    symbol = v1_name(building.names, call.func)
    if symbol is not None:
        return _ACTING.match(symbol) is None
    if isinstance(call.func, ast.Attribute) and not building.definitions.called(call):
        return call.func.attr in _IDLE
    called = building.definitions.called(call)
    is_print = isinstance(call.func, ast.Name) and call.func.id == "print"
    return (is_print and not building.is_in_running_loop(call)) or (
        bool(called) and all(function in building.returning for function in called)
    )


def is_feed(node: ast.AST, building: Building) -> bool:
    """Returns whether an expression is a dict of what is fed: its keys are parts of the graph, its values are not."""
    if not isinstance(node, ast.Dict) or not node.keys:
        return False
    keys = [key for key in node.keys if key is not None]
    return any(map(building.holds, keys)) and not any(map(building.holds, node.values))


def parts_in(node: ast.AST, building: Building, outside: Iterable[ast.AST]) -> ast.AST | None:
    """Returns the first part of the graph that an expression reads, outside of some nodes in it; None for none."""
    left_out = set(outside)
    calls: list[ast.Call] = []
    pending = [node]
    while pending:
        below = pending.pop(0)
        if below in left_out:
            continue
        if isinstance(below, (ast.Name, ast.Attribute)):
            if isinstance(getattr(below, "ctx", None), ast.Load) and building.holds(below):
                return _innermost(below, building)
            if isinstance(below, ast.Attribute) and building.names.qualified(below) is None:
                pending.append(below.value)
            continue
        pending += ast.iter_child_nodes(below)
        if isinstance(below, ast.Call) and building.holds(below):
            calls.append(below)
    return next(iter(calls), None)


def _innermost(node: ast.expr, building: Building) -> ast.expr:
    """Returns the part of the graph whose attribute a part of the graph is."""
    while isinstance(node, ast.Attribute) and building.names.qualified(node) is None and building.holds(node.value):
        node = node.value
    return node
