"""Infers which names and expressions of a program never hold an array or a NumPy number: see `operators`.

An expression has one of four kinds. The inference covers one scope (a function or a module) and ignores the order of
its statements: a name has the highest kind of all its bindings.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto

from tf2bridge.program import old_arithmetic

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

_NUMBER_CALLS = frozenset({"len", "ord", "id", "hash", "isinstance", "issubclass", "hasattr", "callable", "bool"})
_NUMBER_CALLS |= {"int", "float", "complex", "str", "repr", "chr", "hex", "oct", "bin", "ascii", "format"}
_SELECTING_CALLS = frozenset({"abs", "min", "max", "round", "divmod", "pow"})
_INSPECTING = frozenset({"locals", "vars", "dir", "globals", "eval", "exec"})


class Kind(IntEnum):
    """The kinds of an expression. A result of operators has the highest kind of its operands."""

    NUMBER = 0  # a Python number, text or None: never a list
    PLAIN = 1  # a Python number, text, list, tuple or dict: never an array
    OPTIMISTIC = 2  # plain while the flag of the scope is set
    UNKNOWN = 3


@dataclass
class Names:
    """The kinds of the names of one scope.

    `guarded`: the optimistic parameters, which the beginning of the function checks. `own`: the names that only this
    scope binds. `inspected`: True if the scope reads its own variables by name. `floats`: the names to which a float
    literal is bound.
    """

    kinds: dict[str, Kind] = field(default_factory=dict)
    guarded: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    inspected: bool = False
    plain_functions: frozenset[str] = frozenset()
    floats: frozenset[str] = frozenset()

    def expects_float(self, nodes: Iterable[ast.expr]) -> bool:
        """Returns True if one of `nodes` is a float literal or a name of one.

        Then the others are probably floats, too.
        """
        return any(
            isinstance(node.value, float) if isinstance(node, ast.Constant) else node.id in self.floats
            for node in nodes
            if isinstance(node, ast.Constant | ast.Name)
        )

    def kind(self, node: ast.expr) -> Kind:  # noqa: C901  # a case for each form of expression
        """Returns the kind of an expression in this scope."""
        match node:
            case ast.Constant() | ast.JoinedStr():
                return Kind.NUMBER
            case ast.Name():
                return self.kinds.get(node.id, Kind.UNKNOWN)
            case ast.BinOp():
                both = max(self.kind(node.left), self.kind(node.right))
                return min(both, Kind.OPTIMISTIC) if is_arithmetic(node.op) and not self.inspected else both
            case ast.UnaryOp():
                return Kind.NUMBER if isinstance(node.op, ast.Not) else self.kind(node.operand)
            case ast.Compare():
                if all(isinstance(operator, ast.Is | ast.IsNot | ast.In | ast.NotIn) for operator in node.ops):
                    return Kind.NUMBER
                return self._highest([node.left, *node.comparators], above=Kind.NUMBER)
            case ast.BoolOp():
                return self._highest(node.values)
            case ast.IfExp():
                return self._highest([node.body, node.orelse])
            case ast.Tuple() | ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
                return Kind.PLAIN
            case ast.Call():
                return self._of_call(node)
        return Kind.UNKNOWN

    def follows_flag(self, node: ast.expr) -> bool:
        """Returns True if `node` is plain whenever the optimistic names in it are."""
        if isinstance(node, ast.Name):
            return self.kind(node) <= Kind.OPTIMISTIC
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Call):
            parts = node.args if isinstance(node, ast.Call) else list(ast.iter_child_nodes(node))
            operands = [part for part in parts if isinstance(part, ast.expr)]
            return self.kind(node) <= Kind.OPTIMISTIC and all(map(self.follows_flag, operands))
        return self.kind(node) <= Kind.PLAIN

    def _highest(self, nodes: list[ast.expr], above: Kind | None = None) -> Kind:
        highest = max(map(self.kind, nodes))
        return Kind.NUMBER if above is not None and highest <= Kind.PLAIN else highest

    def _of_call(self, node: ast.Call) -> Kind:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self.plain_functions and not node.keywords and not _has_star(node.args):
            return max((Kind.PLAIN, *map(self.kind, node.args)))
        if name not in self.trusted:
            return Kind.UNKNOWN
        if name in _NUMBER_CALLS:
            return Kind.NUMBER
        several = len(node.args) > 1 or name in ("abs", "round")
        if name in _SELECTING_CALLS and several and not node.keywords and not _has_star(node.args):
            return self._highest(node.args)
        return Kind.UNKNOWN

    def elements(self, node: ast.expr) -> Kind:
        """Returns the kind of the elements of a loop over `node`."""
        is_range = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
        return Kind.NUMBER if is_range and "range" in self.trusted else Kind.UNKNOWN

    def inner(self, node: _COMPREHENSIONS | ast.Lambda) -> Names:
        """Returns the names for a comprehension or lambda, which cannot check the flag of the scope around it."""
        kinds = {name: kind for name, kind in self.kinds.items() if kind <= Kind.PLAIN}
        names = Names(kinds, trusted=self.trusted, inspected=True, plain_functions=self.plain_functions)
        if isinstance(node, ast.Lambda):
            kinds.update(dict.fromkeys((argument.arg for argument in arguments(node.args)), Kind.UNKNOWN))
            return names
        for generator in node.generators:
            for name, value, part in _looped(generator.target, generator.iter):
                kinds[name] = _kind_of_part(names, value, part)
        return names


def is_arithmetic(operator: ast.operator) -> bool:
    """Returns True for the operators whose results differ between NumPy 1 and 2."""
    return type(operator).__name__ in old_arithmetic.OPERATORS


def never_list(node: ast.expr, names: Names) -> bool:
    """Returns True if the value of `node` cannot be a list."""
    if names.kind(node) is Kind.NUMBER:
        return True
    if not isinstance(node, ast.BinOp) or not is_arithmetic(node.op):
        return False
    sides = [never_list(side, names) for side in (node.left, node.right)]
    if isinstance(node.op, ast.Add):
        return any(sides)
    return all(sides) if isinstance(node.op, ast.Mult) else True


def arguments(parameters: ast.arguments) -> list[ast.arg]:
    """Returns all parameters of a function."""
    rest = [argument for argument in (parameters.vararg, parameters.kwarg) if argument is not None]
    return [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs, *rest]


def trusted_builtins(tree: ast.Module) -> frozenset[str]:
    """Returns the names of builtin functions that this file does not redefine."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.alias):
            bound |= set(dir(builtins)) if node.name == "*" else {node.asname or node.name.partition(".")[0]}
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, _FUNCTIONS | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return (_NUMBER_CALLS | _SELECTING_CALLS | {"range", "enumerate"}) - bound


def plain_functions(tree: ast.Module, trusted: frozenset[str]) -> frozenset[str]:
    """Returns the functions of a module whose results are plain if their arguments are plain.

    Each function is first assumed to be one, and then dropped if it returns something else.
    """
    bound = [binding[0] for node in ast.walk(tree) for binding in _bindings(node)]
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_usual(node)}
    plain = {name for name in functions if bound.count(name) == 1}
    while True:
        kept = {name for name in plain if _returns_plain(functions[name], trusted, frozenset(plain))}
        if kept == plain:
            return frozenset(plain)
        plain = kept


def _is_usual(node: ast.FunctionDef) -> bool:
    generator = any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Global) for part in ast.walk(node))
    parameters = node.args
    return not (node.decorator_list or parameters.vararg or parameters.kwarg or parameters.defaults or generator)


def _returns_plain(function: ast.FunctionDef, trusted: frozenset[str], plain: frozenset[str]) -> bool:
    parameters = [argument.arg for argument in arguments(function.args)]
    names = _inferred(function, dict.fromkeys(parameters, Kind.PLAIN), trusted, plain)
    returned = [node.value for node in _nodes(function) if isinstance(node, ast.Return) and node.value is not None]
    return not names.inspected and all(names.kind(value) <= Kind.PLAIN for value in returned)


def names_of(scope: Scope, trusted: frozenset[str], plain: frozenset[str] = frozenset()) -> Names:
    """Infers the kinds of the names of a scope; `plain` names the functions of the module that keep plainness."""
    parameters = [] if isinstance(scope, ast.Module) else [argument.arg for argument in arguments(scope.args)]
    guarded = _worth_guarding(scope, parameters, list(_nodes(scope)))
    start = dict.fromkeys(parameters, Kind.UNKNOWN) | dict.fromkeys(guarded, Kind.OPTIMISTIC)
    names = _inferred(scope, start, trusted, plain)
    names.guarded = tuple(name for name in guarded if names.kinds[name] is Kind.OPTIMISTIC)
    return names


def _inferred(scope: Scope, parameters: dict[str, Kind], trusted: frozenset[str], plain: frozenset[str]) -> Names:
    nodes = list(_nodes(scope))
    inspected = any(isinstance(node, ast.Name) and node.id in _INSPECTING for node in nodes)
    foreign = _foreign(scope, nodes)
    bindings = [binding for node in nodes for binding in _bindings(node)]
    bound = {name for name, *_ in bindings} | set(parameters)
    if inspected:
        parameters = dict.fromkeys(parameters, Kind.UNKNOWN)
    start = dict.fromkeys(bound, Kind.NUMBER) | parameters | dict.fromkeys(foreign, Kind.UNKNOWN)
    names = Names(start, (), frozenset(bound - foreign), trusted, inspected, plain, _floats(bindings))
    _settle(names, bindings)
    return names


class _Part(Enum):
    """The part of an expression to which a name is bound."""

    WHOLE = auto()
    ELEMENT = auto()
    COUNT = auto()


_Binding = tuple[str, "ast.expr | None", _Part]
"""A name, an expression, or None where nothing is known of the value, and what of it the name is bound to."""


def _settle(names: Names, bindings: list[_Binding]) -> None:
    changed = True
    while changed:
        changed = False
        for name, value, part in bindings:
            kind = _kind_of_part(names, value, part)
            if kind > names.kinds[name]:
                names.kinds[name] = kind
                changed = True


def _floats(bindings: list[_Binding]) -> frozenset[str]:
    """Returns the names that are bound to a float literal, a quotient, or what is computed from such a name."""
    floats: frozenset[str] = frozenset()
    while True:
        more = {name for name, value, part in bindings if part is _Part.WHOLE and _is_float(value, floats)}
        if more <= floats:
            return floats
        floats |= more


def _is_float(node: ast.expr | None, floats: frozenset[str]) -> bool:
    match node:
        case ast.Constant():
            return isinstance(node.value, float)
        case ast.Name():
            return node.id in floats
        case ast.UnaryOp():
            return _is_float(node.operand, floats)
        case ast.BinOp():
            return isinstance(node.op, ast.Div) or _is_float(node.left, floats) or _is_float(node.right, floats)
        case ast.Call(func=ast.Name(id="float")):
            return True
    return False


def _kind_of_part(names: Names, value: ast.expr | None, part: _Part) -> Kind:
    if value is None:
        return Kind.UNKNOWN
    if part is _Part.COUNT:
        return Kind.NUMBER if "enumerate" in names.trusted else Kind.UNKNOWN
    return names.kind(value) if part is _Part.WHOLE else names.elements(value)


def _nodes(scope: Scope) -> Iterator[ast.AST]:
    """Yields all nodes of a scope, without the bodies of functions, classes and lambdas in it."""
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _INNER):
            waiting.extend(ast.iter_child_nodes(node))


def _foreign(scope: Scope, nodes: list[ast.AST]) -> set[str]:
    """Returns the names that other scopes also bind, or that come from outside."""
    foreign = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    for node in ast.walk(scope):
        if isinstance(node, ast.Global if isinstance(scope, ast.Module) else ast.Nonlocal):
            foreign |= set(node.names)
    return foreign


def _worth_guarding(scope: Scope, parameters: list[str], nodes: list[ast.AST]) -> tuple[str, ...]:
    """Returns the parameters that are operands in a loop, or more than once."""
    used = [name for node in nodes for name in _operands(node)]
    looped = {
        name
        for node in nodes
        if isinstance(node, ast.For | ast.While)
        for part in ast.walk(node)
        for name in _operands(part)
    }
    rest = set() if isinstance(scope, ast.Module) else {a.arg for a in (scope.args.vararg, scope.args.kwarg) if a}
    return tuple(name for name in parameters if name not in rest and (name in looped or used.count(name) > 1))


def _operands(node: ast.AST) -> list[str]:
    if isinstance(node, ast.BinOp) and is_arithmetic(node.op):
        return [side.id for side in (node.left, node.right) if isinstance(side, ast.Name)]
    if isinstance(node, ast.AugAssign) and is_arithmetic(node.op):
        return [side.id for side in (node.target, node.value) if isinstance(side, ast.Name)]
    return []


def _bindings(node: ast.AST) -> Iterator[_Binding]:  # noqa: C901  # a case for each form of binding
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _assigned(target, node.value)
        case ast.AnnAssign() if node.value is not None:
            yield from _assigned(node.target, node.value)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value), _Part.WHOLE
        case ast.For() | ast.AsyncFor():
            yield from _looped(node.target, node.iter)
        case ast.withitem() if node.optional_vars is not None:
            yield from _unknown(_stored(node.optional_vars))
        case ast.NamedExpr():
            yield from _unknown([node.target.id])
        case ast.ExceptHandler(name=str(name)) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield from _unknown([name])
        case ast.ClassDef():
            yield from _unknown([node.name])
        case ast.alias():
            yield from _unknown([node.asname or node.name.partition(".")[0]])
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield from _unknown([name])


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[_Binding]:
    if isinstance(target, ast.Name):
        yield target.id, value, _Part.WHOLE
    elif _in_pairs(target, value):
        for part, given in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
            yield from _assigned(part, given)
    else:
        yield from _unknown(_stored(target))


def _in_pairs(target: ast.expr, value: ast.expr) -> bool:
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, ast.Tuple | ast.List):
        return False
    return len(target.elts) == len(value.elts) and not _has_star([*target.elts, *value.elts])


def _looped(target: ast.expr, values: ast.expr) -> Iterator[_Binding]:
    """Returns the names that `for i in range(...)` and `for i, value in enumerate(...)` bind to numbers."""
    if isinstance(target, ast.Name):
        yield target.id, values, _Part.ELEMENT
        return
    counted = isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "enumerate"
    rest = target
    if counted and isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        yield target.elts[0].id, values, _Part.COUNT
        rest = ast.Tuple(target.elts[1:], ast.Store())
    yield from _unknown(_stored(rest))


def _unknown(names: Iterable[str]) -> Iterator[_Binding]:
    return ((name, None, _Part.WHOLE) for name in names)


def _stored(target: ast.expr) -> list[str]:
    """Returns the names that a target binds."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _has_star(nodes: list[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)
