"""What a program defines: its functions and classes, the calls of them, and the places that hold values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.names import Names, Scope
from codemods.tree import walk

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[Scope, str] | str
"""A name with its scope, or the name of an attribute of whatever object."""
_OTHER = "<other>."
"""What begins the place of an attribute of an object of other code."""


@dataclass
class Definitions:
    """The functions, classes and assignments of one text.

    Attributes:
        names: The meanings of names.
        functions: Functions of the module, and of other functions, by name.
        methods: Methods by name.
        classes: Classes by name.
        calls: Function -> the calls of it that are known.
        assigned: Place -> (value, number of the element that the place gets, or None for all of it).
    """

    names: Names
    functions: dict[str, list[Function]] = field(default_factory=dict)
    methods: dict[str, list[Function]] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    calls: dict[Function, list[ast.Call]] = field(default_factory=dict)
    assigned: dict[Place, list[tuple[ast.expr, int | None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reads the text."""
        for node in walk(self.names.tree):
            if isinstance(node, Function):
                of_class = isinstance(self.names.parents[node], ast.ClassDef)
                (self.methods if of_class else self.functions).setdefault(node.name, []).append(node)
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
        assignments = [node for node in walk(self.names.tree) if isinstance(node, ast.Assign)]
        pairs = [(target, node.value) for node in assignments for target in node.targets]
        plain = [pair for pair in pairs if isinstance(pair[0], ast.Name)]
        for target, value in (*plain, *(pair for pair in pairs if not isinstance(pair[0], ast.Name))):
            self._assign(target, value)  # names first: they say what object an attribute is of
        for node in walk(self.names.tree):
            if isinstance(node, ast.Call):
                for function in self.called(node):
                    self.calls.setdefault(function, []).append(node)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else None
        for number, part in enumerate(parts or [target]):
            place = self.place(part)
            if place is None:
                continue
            if parts is not None and isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(parts):
                self.assigned.setdefault(place, []).append((value.elts[number], None))
            else:
                self.assigned.setdefault(place, []).append((value, number if parts is not None else None))

    def place(self, node: ast.AST) -> Place | None:
        """Returns the place that a name or an attribute is; None for anything else.

        Attributes of objects of other code, such as `args.rate`, are apart from those of the program's own classes.
        """
        if isinstance(node, ast.Attribute):
            if self.names.qualified(node) is not None:
                return None
            return f"{_OTHER}{node.attr}" if self._classes_of(node.value) == set() else node.attr
        if not isinstance(node, ast.Name) or node not in self.names.scopes:
            return None
        return owner(self.names.scopes[node], node.id), node.id

    def called(self, call: ast.Call) -> list[Function]:
        """Returns the functions of the program that a call may be of; of a class, what makes its objects."""
        func = call.func
        if isinstance(func, ast.Name):
            made = self.classes.get(func.id)
            if made is not None:
                return [node for node in made.body if isinstance(node, Function) and node.name == "__init__"]
            return self.functions.get(func.id, [])
        if isinstance(func, ast.Attribute) and func.attr in self.methods and self.names.qualified(func) is None:
            classes = self._classes_of(func.value)
            return [m for m in self.methods[func.attr] if classes is None or self.names.parents[m] in classes]
        return []

    def _classes_of(self, node: ast.expr, depth: int = 4) -> set[ast.ClassDef] | None:
        """Returns the classes of the program that an object may be of, none for one of other code; None if unsure."""
        if isinstance(node, ast.Constant):
            return set()
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in self.classes:
                made = self.classes[node.func.id]
                return None if any(ast.unparse(base) in self.classes for base in made.bases) else {made}
            is_own = isinstance(node.func, ast.Name) and node.func.id in self.functions
            return (
                None if is_own or (isinstance(node.func, ast.Attribute) and node.func.attr in self.methods) else set()
            )
        place = self.place(node) if depth and isinstance(node, ast.Name) else None
        values = [value if number is None else None for value, number in self.assigned.get(place, ())] if place else []
        may_be: set[ast.ClassDef] = set()
        for value in values:
            classes = self._classes_of(value, depth - 1) if value is not None else None
            if classes is None:
                return None
            may_be |= classes
        return may_be if values and not self._is_bound_otherwise(node) else None

    def _is_bound_otherwise(self, node: ast.expr) -> bool:
        """Returns whether a name gets values by other statements than plain assignments, such as loops."""
        place = self.place(node)
        return not isinstance(node, ast.Name) or len(self.names.bindings(node)) != len(
            self.assigned.get(place or "", ())
        )

    def function_of(self, node: ast.AST) -> Function | None:
        """Returns the innermost function round a node."""
        while node in self.names.parents:
            node = self.names.parents[node]
            if isinstance(node, Function):
                return node
        return None

    def arguments(self, function: Function, call: ast.Call) -> Iterator[tuple[ast.arg, ast.expr]]:
        """Yields each parameter that a call gives, with what it gives. Arguments after a star are left out."""
        parameters = self.parameters(function)
        for parameter, argument in zip(parameters, call.args, strict=False):
            if isinstance(argument, ast.Starred):
                break
            yield parameter, argument
        for keyword in call.keywords:
            named = next((p for p in (*parameters, *function.args.kwonlyargs) if p.arg == keyword.arg), None)
            if named is not None:
                yield named, keyword.value

    def parameters(self, function: Function) -> list[ast.arg]:
        """Returns the positional parameters of a function that a call gives: without `self`."""
        listed = [*function.args.posonlyargs, *function.args.args]
        decorators = {ast.unparse(decorator) for decorator in function.decorator_list}
        is_method = isinstance(self.names.parents[function], ast.ClassDef) and "staticmethod" not in decorators
        return listed[1:] if is_method else listed

    def parameter_place(self, function: Function, parameter: ast.arg) -> Place | None:
        """Returns the place of a parameter inside its function; None if nothing reads it."""
        for node in walk(function):
            if isinstance(node, ast.Name) and node.id == parameter.arg and self._is_of(node, function):
                return self.place(node)
        return None

    def _is_of(self, node: ast.Name, function: Function) -> bool:
        return node in self.names.scopes and self.function_of(node) is function

    def returned(self, function: Function) -> Iterator[ast.expr]:
        """Yields what a function returns or yields."""
        for node in walk(function):
            value = node.value if isinstance(node, (ast.Return, ast.Yield)) else None
            if value is not None and self.function_of(node) is function:
                yield value


def owner(scope: Scope, name: str) -> Scope:
    """Returns the scope that binds a name which is used in a scope."""
    at: Scope | None = scope.outer.get(name, scope)
    first = True
    while at is not None:
        if name in at.bindings and (first or at.kind != "class"):
            return at
        at, first = at.parent, False
    return scope
