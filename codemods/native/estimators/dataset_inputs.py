"""Input functions that give a dataset: which arrays its elements are from, and in which order."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.datasets import ONE_SHOT
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.places import method_of
from codemods.native.refusals import NotNativeError
from codemods.native.stated_names import BoundOnce

_SLICES = "data.Dataset.from_tensor_slices"
_ORDERED = frozenset(("repeat", "batch", "prefetch", "take", "skip", "cache"))


@dataclass
class DatasetInput:
    """What an input function gives.

    Attributes:
        features: The arrays by their keys, or the only array.
        labels: The array of labels; None if there is none.
        is_shuffled: Whether its rows come in an order of chance.
        returned: The expression that is returned, and the one that gives the dataset in its place, if it gives tensors.
        gone: The statements that make an iterator.
    """

    features: dict[str, ast.expr] | ast.expr
    labels: ast.expr | None
    is_shuffled: bool
    returned: tuple[ast.expr, ast.expr] | None = None
    gone: list[ast.stmt] = field(default_factory=list)


def read_dataset(node: ast.expr, block: ast.AST, names: Names) -> DatasetInput | None:
    """Returns what a function without arguments gives; None if it is no function of the file.

    Args:
        node: Its name, a lambda that calls one, or a `functools.partial` of one.
        block: The function or module that uses it.
        names: The meanings of the names.

    Raises:
        NotNativeError: The source does not say which arrays its dataset has.
    """
    functions = {part.name: part for part in names.tree.body if isinstance(part, ast.FunctionDef)}
    given: Sequence[ast.expr] = []
    keywords: Sequence[ast.keyword] = []
    called: ast.expr = node
    if isinstance(node, ast.Lambda) and isinstance(node.body, ast.Call) and not node.args.args:
        called, given, keywords = node.body.func, node.body.args, node.body.keywords
    elif isinstance(node, ast.Call) and names.qualified(node.func) == "functools.partial" and node.args:
        called, given, keywords = node.args[0], node.args[1:], node.keywords
    function = functions.get(called.id) if isinstance(called, ast.Name) else None
    if function is None:
        return None
    return _Reader(function, block, names).read(_bound(function, given, keywords))


def _bound(
    function: ast.FunctionDef, given: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> dict[str, ast.expr]:
    parameters = function.args.args
    defaults = function.args.defaults
    known = dict(zip([p.arg for p in parameters[len(parameters) - len(defaults) :]], defaults, strict=True))
    known |= dict(zip([p.arg for p in parameters], given, strict=False))
    known |= {keyword.arg or "**": keyword.value for keyword in keywords}
    if known.keys() != {p.arg for p in parameters} or function.args.kwonlyargs or function.args.vararg:
        raise NotNativeError(function, "NAT008", "the source does not say the arguments of this input function")
    return known


class _Reader:
    def __init__(self, function: ast.FunctionDef, block: ast.AST, names: Names) -> None:
        self._function, self._block, self._names = function, block, names
        self._held: dict[str, ast.expr] = {}
        self._gone: list[ast.stmt] = []

    def _error(self, node: ast.AST) -> NotNativeError:
        message = "this input function is not known; make its dataset of arrays, with from_tensor_slices and batch"
        return NotNativeError(node, "NAT008", message)

    def read(self, held: Mapping[str, ast.expr]) -> DatasetInput:
        """Returns what the function gives for these arguments."""
        self._held = dict(held)
        end = self._run(self._function.body)
        if end is None or end.value is None:
            raise self._error(self._function)
        dataset = self._dataset(end.value)
        made = self._elements(self._put(dataset))
        if dataset is not end.value:
            made.returned, made.gone = (end.value, dataset), self._gone
        return made

    def _run(self, body: Sequence[ast.stmt]) -> ast.Return | None:
        for statement in body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, ast.Return):
                return statement
            if isinstance(statement, ast.Assign) and self._bind(target, statement):
                continue
            if isinstance(statement, ast.If) and (runs := self._holds(statement.test)) is not None:
                end = self._run(statement.body if runs else statement.orelse)
                if end is not None:
                    return end
            elif not is_text and not isinstance(statement, (ast.Pass, ast.Assert)):
                raise self._error(statement)
        return None

    def _bind(self, target: ast.expr | None, statement: ast.Assign) -> bool:
        """Notes what the names of an assignment hold. Returns whether that is known."""
        if isinstance(target, ast.Name):
            if _iterated(statement.value, self._names) is not None or _taken(statement.value):
                self._gone.append(statement)
            self._held[target.id] = statement.value if _taken(statement.value) else self._put(statement.value)
            return True
        if not isinstance(target, ast.Tuple) or not _taken(statement.value):
            return False
        self._gone.append(statement)
        self._held |= {part.id: statement.value for part in target.elts if isinstance(part, ast.Name)}
        return True

    def _holds(self, test: ast.expr) -> bool | None:
        """Returns whether a condition `labels is None` holds; None for others."""
        if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name) or len(test.ops) != 1:
            return None
        value, right = self._held.get(test.left.id), test.comparators[0]
        if value is None or not (isinstance(right, ast.Constant) and right.value is None):
            return None
        is_none = isinstance(value, ast.Constant) and value.value is None
        return is_none == isinstance(test.ops[0], ast.Is) if isinstance(test.ops[0], (ast.Is, ast.IsNot)) else None

    def _dataset(self, value: ast.expr) -> ast.expr:
        """Returns the expression that gives the dataset whose next element is returned, or which is returned."""
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if all(isinstance(part, ast.Name) and _taken(self._held.get(part.id)) for part in parts):
            first = parts[0]
            assert isinstance(first, ast.Name)
            value = self._held[first.id]
            last = self._gone[-1]
            names = ast.unparse(last.targets[0]).strip("()") if isinstance(last, ast.Assign) else ""
            if names != ", ".join(ast.unparse(part) for part in parts):
                raise self._error(value)
        if not _taken(value):
            return value
        assert isinstance(value, ast.Call)
        assert isinstance(value.func, ast.Attribute)
        iterator: ast.expr | None = value.func.value
        if isinstance(iterator, ast.Name):
            made = [s for s in self._gone if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == iterator.id]
            iterator = made[0].value if len(made) == 1 else None
        dataset = _iterated(iterator, self._names)
        if dataset is None:
            raise self._error(value)
        return dataset

    def _elements(self, dataset: ast.expr) -> DatasetInput:
        methods: list[str] = []
        tf = self._names.alias_of("tensorflow") or "tf"
        sliced = {f"{tf}.{_SLICES}", f"{v1_alias(self._names)}.{_SLICES}"}
        while isinstance(dataset, ast.Call) and ast.unparse(dataset.func) not in sliced:
            methods.append(method_of(dataset))
            if methods[-1] not in _ORDERED | {"shuffle"} or not isinstance(dataset.func, ast.Attribute):
                raise self._error(self._function)
            dataset = dataset.func.value
        if not isinstance(dataset, ast.Call) or len(dataset.args) != 1 or methods.count("batch") != 1:
            raise self._error(self._function)
        given = dataset.args[0]
        labels = None
        if isinstance(given, ast.Tuple) and len(given.elts) == 2:
            given, labels = given.elts
        return DatasetInput(self._fields(given), labels, "shuffle" in methods)

    def _fields(self, node: ast.expr) -> dict[str, ast.expr] | ast.expr:
        value = node
        if isinstance(node, ast.Name):
            blocks = [b for b in (self._block, self._names.tree) if isinstance(b, (ast.Module, ast.FunctionDef))]
            made = next(filter(None, (BoundOnce(self._names.tree, b).statement(node) for b in blocks)), None)
            value = made.value if made is not None else node
        if not isinstance(value, ast.Dict):
            return node
        keys = [key.value if isinstance(key, ast.Constant) else None for key in value.keys]
        if not keys or not all(isinstance(key, str) for key in keys):
            raise self._error(node)
        if value is node:
            return dict(zip(map(str, keys), value.values, strict=True))
        return {str(key): ast.copy_location(_item(node, str(key)), node) for key in keys}

    def _put(self, node: ast.expr) -> ast.expr:
        """Returns an expression with what its names hold in their place."""
        made = _Put(self._held.get).visit(copy.deepcopy(node))
        assert isinstance(made, ast.expr)
        return made


class _Put(ast.NodeTransformer):
    def __init__(self, held: Callable[[str], ast.expr | None]) -> None:
        self._held = held

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._held(node.id) or node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Returns the arrays of a copy of a dict, as `dict(features)`; the call for all others."""
        self.generic_visit(node)
        is_copy = isinstance(node.func, ast.Name) and node.func.id == "dict" and len(node.args) == 1
        return node.args[0] if is_copy and not node.keywords else node


def _item(node: ast.expr, key: str) -> ast.Subscript:
    return ast.Subscript(node, ast.copy_location(ast.Constant(key), node), ast.Load())


def _taken(node: ast.AST | None) -> bool:
    """Returns whether an expression takes the next element of an iterator."""
    return isinstance(node, ast.Call) and method_of(node) == "get_next" and not node.args


def _iterated(node: ast.AST | None, names: Names) -> ast.expr | None:
    """Returns the dataset of a call that makes an iterator of it; None for others."""
    if not isinstance(node, ast.Call):
        return None
    if v1_name(names, node.func) == f"data.{ONE_SHOT}" and len(node.args) == 1:
        return node.args[0]
    return node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == ONE_SHOT else None
