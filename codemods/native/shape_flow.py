"""The shapes that places have before each statement of a program that builds a graph."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import bound_pairs, is_main_block, place_of, stores
from codemods.native.shapes_of_expressions import Evaluator
from codemods.native.shapes_of_ops import Number, Sizes, Tensor, Value
from codemods.tree import walk

READS = ("shape", "get_shape")
"""What gives the shape of a tensor."""
_DEEPEST = 8
_SETTING = frozenset(("setattr", "vars", "exec", "globals"))
_Block = ast.Module | ast.FunctionDef


@dataclass
class Step:
    """A statement that runs after those before it, and the values of places before it."""

    node: ast.stmt
    places: dict[str, Value]
    made: dict[str, int]
    """Place -> the number of the step that bound it last."""


class Program:
    """The shapes of a file."""

    def __init__(self, tree: ast.Module, use: Callable[[Program, frozenset[str], list[Step]], None]) -> None:
        self.tree, self.use = tree, use
        self.names: Names = scopes.resolve(tree)
        self.functions: dict[str, ast.FunctionDef] = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
        self.counts = Counter(_bound(tree))
        self.attributes = Counter(
            n.attr for n in walk(tree) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)
        )
        self.is_open = any(isinstance(node, ast.Name) and node.id in _SETTING for node in walk(tree))
        self.once: frozenset[str] = frozenset(n for n in _stores_of(tree) if self.counts[n] == 1)
        self.outside: dict[str, Value] = {}
        self.running: list[ast.FunctionDef] = []

    def read(self) -> None:
        """Reads the module and its functions, and gives `use` the names and statements of each."""
        self._of_block(self.tree, {}, self.once)
        for function in self.functions.values():
            self._of_block(function, self.outside, self.once)
        for owner in (node for node in self.tree.body if isinstance(node, ast.ClassDef)):
            self._of_class(owner)

    def _of_class(self, owner: ast.ClassDef) -> None:
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        known = dict(self.outside)
        for _ in range(2):  # a method may stand above the one that gives the object its tensors
            for method in methods:
                after = self._of_block(method, known, self.once)
                known |= {
                    place: _everywhere(value, self.once)
                    for place, value in after.items()
                    if place.startswith("self.") and self.attributes[place.removeprefix("self.")] == 1
                }

    def _of_block(self, block: _Block, outside: Mapping[str, Value], once: frozenset[str]) -> dict[str, Value]:
        """Reads a function or the module. Returns the values of its places at its end."""
        local = frozenset(stores_below(block)) if isinstance(block, ast.FunctionDef) else frozenset[str]()
        given = (
            {node.arg for node in walk(block) if isinstance(node, ast.arg)}
            if local or block is not self.tree
            else set()
        )
        counts = Counter(_bound(block))
        own = frozenset(name for name in _stores_of(block) if counts[name] == 1)
        own |= frozenset(name for name in given if counts[name] == 1)
        stable = own | (once - local - given)
        places = {place: value for place, value in outside.items() if place not in local | given}
        steps: list[Step] = []
        evaluator = self.evaluator(stable, places)
        made: dict[str, int] = {}
        for statement in _flow(block.body):
            steps.append(Step(statement, dict(evaluator.places), dict(made)))
            self._take(statement, evaluator)
            for place in stores(statement):
                made[place] = len(steps) - 1
        if block is self.tree:
            self.outside = {
                place: _everywhere(value, once) for place, value in evaluator.places.items() if place in once
            }
        self.use(self, stable, steps)
        return evaluator.places

    def evaluator(self, stable: frozenset[str], places: dict[str, Value]) -> Evaluator:
        return Evaluator(self.names, lambda node: self._text(node, stable), self._called, dict(places))

    def _text(self, node: ast.expr, stable: frozenset[str]) -> str | None:
        """Returns the text of a name or attribute that has one value; None for all else."""
        if v1_name(self.names, node) is not None:
            return None
        if isinstance(node, ast.Name):
            return node.id if node.id in stable else None
        root: ast.expr = node
        bound = 0
        while isinstance(root, ast.Attribute):
            bound, root = max(bound, self.attributes[root.attr]), root.value
        if self.is_open or not isinstance(root, ast.Name) or not isinstance(node, ast.Attribute):
            return None
        if root.id == "self":
            return ast.unparse(node) if bound == 1 and isinstance(node.value, ast.Name) else None
        return ast.unparse(node) if bound == 0 and root.id in stable and node.attr not in READS else None

    def _take(self, statement: ast.stmt, evaluator: Evaluator) -> None:
        """Notes what a statement binds."""
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                pairs += bound_pairs(target, statement.value)
        values = [(target, evaluator.value(value)) for target, value in pairs]
        for changed in stores(statement):
            evaluator.places.pop(changed, None)
        for target, value in values:
            _bind(target, value, evaluator)

    def _called(self, call: ast.Call, caller: Evaluator) -> Value:
        """Returns what a function of the program returns for the shapes of its arguments."""
        function = self.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
        is_deep = function in self.running or len(self.running) > _DEEPEST
        if function is None or is_deep or function.decorator_list:
            return None
        arguments, parameters = function.args, [argument.arg for argument in function.args.args]
        unusual = arguments.vararg or arguments.kwarg or arguments.posonlyargs or arguments.kwonlyargs
        if unusual or any(isinstance(part, ast.Starred) for part in call.args) or len(call.args) > len(parameters):
            return None
        first = len(parameters) - len(arguments.defaults)
        defaults = zip(parameters[first:], arguments.defaults, strict=True)
        values = {parameter: caller.value(default) for parameter, default in defaults}
        values |= {name: caller.value(part) for name, part in zip(parameters, call.args, strict=False)}
        values |= {str(keyword.arg): caller.value(keyword.value) for keyword in call.keywords}
        local = stores_below(function) | set(parameters)
        places = {place: value for place, value in self.outside.items() if place not in local} | values
        evaluator = self.evaluator(self.once - local, places)
        statements = list(_flow(function.body))
        ends = [node for node in walk(function) if isinstance(node, ast.Return)]
        if len(ends) != 1 or statements[-1] is not ends[0]:
            return None
        self.running.append(function)
        for statement in statements[:-1]:
            self._take(statement, evaluator)
        returned = evaluator.value(ends[0].value)
        self.running.pop()
        return returned


def _bind(target: ast.expr, value: Value, evaluator: Evaluator) -> None:
    """Gives the place of a target a value, or the places of several targets the sizes of a list."""
    place = place_of(target)
    if isinstance(value, Number) and isinstance(value.dim, str) and evaluator.stable(target) is not None:
        return  # its own name says it in other functions too
    if place is not None and value is not None:
        evaluator.places[place] = value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, Sizes) and len(target.elts) == len(value.dims):
        for part, dim in zip(target.elts, value.dims, strict=True):
            if (inner := place_of(part)) is not None:
                evaluator.places[inner] = Number(dim, value.of_tensor)


def _everywhere(value: Value, once: frozenset[str]) -> Value:
    """Returns a value without the sizes whose names have no meaning in other functions."""

    def kept(dim: int | str | None) -> int | str | None:
        tree = ast.parse(dim) if isinstance(dim, str) else None
        read = {node.id for node in walk(tree) if isinstance(node, ast.Name)} if tree is not None else set()
        return dim if read <= once | {"self"} else None

    if isinstance(value, Tensor) and value.shape is not None:
        return Tensor(tuple(map(kept, value.shape)))
    if isinstance(value, Sizes):
        return Sizes(tuple(map(kept, value.dims)), value.of_tensor)
    if isinstance(value, Number):
        return Number(kept(value.dim), value.of_tensor)
    return None


def _flow(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that run one after another; a block that may not run, or several times, as a whole."""
    for statement in statements:
        if isinstance(statement, ast.With):
            bound = [item.optional_vars for item in statement.items if item.optional_vars is not None]
            if bound:
                yield ast.With(items=statement.items, body=[], lineno=statement.lineno)
            yield from _flow(statement.body)
        elif is_main_block(statement):
            yield from _flow(statement.body)
        else:
            yield statement


def _stores_of(block: _Block) -> Iterator[str]:
    """Yields the names that straight assignments of a block bind."""
    for statement in _flow(block.body):
        if isinstance(statement, ast.Assign):
            yield from (place for place in stores(statement) if not place.startswith("self."))
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from stores(statement)


def stores_below(block: ast.AST) -> set[str]:
    """Returns the names that a function binds, without its parameters."""
    return {n.id for n in walk(block) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def _bound(block: ast.AST) -> Iterator[str]:
    """Yields each name that something below a block binds, as often as it is bound."""
    for node in walk(block):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from (*node.names, *node.names)
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
