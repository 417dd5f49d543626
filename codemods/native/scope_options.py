"""The options that `slim.arg_scope` gives to functions: which functions, and which options.

`with slim.arg_scope([slim.conv2d], padding='SAME'):` says them in place. In `with slim.arg_scope(net_scope(0.1)):` a
function of the file gives them, which ends with `with ... as sc: return sc`. A name may hold what it gave.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import bound_names
from codemods.native.steady import Steady, value_of

SCOPES = frozenset(("contrib.slim.arg_scope", "contrib.framework.arg_scope"))
DECORATORS = frozenset(("contrib.slim.add_arg_scope", "contrib.framework.add_arg_scope"))
_MODULES = ("contrib.slim.", "contrib.layers.")
_ALIASES = {
    "conv2d": "convolution2d",
    "conv2d_transpose": "convolution2d_transpose",
    "conv2d_in_plane": "convolution2d_in_plane",
    "separable_conv2d": "separable_convolution2d",
}
_LAYERS = frozenset(
    (
        *_ALIASES.values(), "fully_connected", "max_pool2d", "avg_pool2d", "batch_norm", "dropout", "flatten",
        "layer_norm", "unit_norm",
        "one_hot_encoding",
    )
)  # fmt: skip
"""Functions that take options of scopes, and that no other layer calls inside (`layers.py` of 1.15.5)."""
NORMALIZES = "batch_norm"

Options = Mapping[str, Mapping[str, ast.expr]]
"""Function -> option -> value."""


@dataclass(frozen=True)
class ScopeReader:
    """Reads what scopes of a file give.

    Attributes:
        names: The meanings of names.
        steady: Which expressions give the same at other places.
        functions: The functions of the module.
        given: Parameter or local name -> value, inside a function that gives a scope.
    """

    names: Names
    steady: Steady
    functions: Mapping[str, ast.FunctionDef]
    given: Mapping[str, ast.expr] | None = None

    def key(self, node: ast.AST) -> str | None:
        """Returns what stands for a function that takes options of scopes; None for others."""
        name = v1_name(self.names, node) or ""
        for module in _MODULES:
            if name.startswith(module):
                last = name.removeprefix(module)
                last = _ALIASES.get(last, last)
                return last if last in _LAYERS else None
        function = self.functions.get(node.id) if isinstance(node, ast.Name) else None
        return f"function {function.name}" if function is not None and self.takes_options(function) else None

    def takes_options(self, function: ast.FunctionDef) -> bool:
        """Returns whether a function of the program takes options of scopes, and has no other decorator."""
        return len(function.decorator_list) == 1 and v1_name(self.names, function.decorator_list[0]) in DECORATORS

    def options(self, scope: ast.expr) -> Options | None:
        """Returns what a scope gives; None if the source does not say it."""
        if not self.is_scope(scope) or not isinstance(scope, ast.Call) or len(scope.args) != 1:
            return None
        first = scope.args[0]
        if isinstance(first, (ast.List, ast.Tuple)):
            keys = [self.key(node) for node in first.elts]
            stated = self.stated(scope.keywords)
            if stated is None or None in keys:
                return None
            return {key: stated for key in keys if key is not None}
        return self._given_by(self.value_of(first)) if not scope.keywords else None

    def is_scope(self, node: ast.AST) -> bool:
        """Returns whether an expression is a call of arg_scope."""
        return isinstance(node, ast.Call) and v1_name(self.names, node.func) in SCOPES

    def value_of(self, node: ast.expr) -> ast.expr:
        """Returns what a name holds, where one statement alone gives it a value; else the expression itself."""
        return value_of(node, self.names)

    def stated(self, keywords: list[ast.keyword]) -> dict[str, ast.expr] | None:
        """Returns the options of a call, those of `**params` among them; None if the source does not say them."""
        options: dict[str, ast.expr] = {}
        for keyword in keywords:
            if keyword.arg is None:
                held = self.dictionary(keyword.value)
                if held is None:
                    return None
                options |= held
            elif self.steady.is_steady(keyword.value):
                options[keyword.arg] = self.here(keyword.value)
            else:
                return None
        return options

    def dictionary(self, node: ast.expr) -> dict[str, ast.expr] | None:
        """Returns what a dict of options holds; None if the source does not say it."""
        if isinstance(node, ast.Name) and self.given is not None and node.id in self.given:
            inner = replace(self, given=None)
            return inner.dictionary(self.given[node.id])
        value = self.value_of(node)
        if value is not node and (not self.steady.is_steady(node) or not self._is_only_given(node)):
            return None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict":
            if value.args or not self.names.is_unbound(value.func):
                return None
            return self.stated(value.keywords)
        if not isinstance(value, ast.Dict):
            return None
        held: dict[str, ast.expr] = {}
        for key, part in zip(value.keys, value.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return None
            if getattr(part, "lineno", 0) and not self.steady.is_steady(part):
                return None
            held[key.value] = self.here(part)
        return held

    def _is_only_given(self, node: ast.expr) -> bool:
        """Returns whether all that a program does with a name is to give it as an option."""
        assert isinstance(node, ast.Name)
        bindings = self.names.bindings(node)
        loads = [n for n in self.names.nodes.get(ast.Name, []) if isinstance(n, ast.Name) and n.id == node.id]
        loads = [n for n in loads if isinstance(n.ctx, ast.Load) and self.names.bindings(n) is bindings]
        return all(isinstance(self.names.parents.get(n), ast.keyword) for n in loads)

    def here(self, value: ast.expr) -> ast.expr:
        """Returns a value with the arguments of a call in place of the parameters."""
        made: ast.expr = _substituted(value, self.given or {})
        return made

    def _given_by(self, call: ast.expr) -> Options | None:
        """Returns what a function of the program gives as a scope; None if the source does not say it."""
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return None
        function = self.functions.get(call.func.id)
        if function is None or function.decorator_list:
            return None
        given = self._arguments(call, function)
        if given is None:
            return None
        made = _Made(replace(self, given=given))
        last = made.run(function.body)
        read = {node.id for options in made.options.values() for value in options.values() for node in _names(value)}
        left = (read & bound_names(function)) - {node.id for node in _names(call)}
        return made.options if last and not left else None

    def _arguments(self, call: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr] | None:
        """Returns parameter -> argument, all of which must give the same at other places."""
        arguments = function.args
        if arguments.vararg or arguments.kwarg or arguments.posonlyargs or arguments.kwonlyargs:
            return None
        parameters = [argument.arg for argument in arguments.args]
        defaults = dict(zip(reversed(parameters), reversed(arguments.defaults), strict=False))
        if any(keyword.arg not in parameters for keyword in call.keywords) or len(call.args) > len(parameters):
            return None
        given = {**defaults, **dict(zip(parameters, call.args, strict=False))}
        given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
        if set(given) != set(parameters) or not all(self.steady.is_steady(value) for value in given.values()):
            return None
        names = (n for key, value in defaults.items() if given[key] is value for n in _names(value))
        return given if all(self.names.qualified(n) for n in names) else None


class _Made:
    """What the statements of a function that gives a scope have made so far."""

    def __init__(self, reader: ScopeReader) -> None:
        self._reader = reader
        self.options: dict[str, dict[str, ast.expr]] = {}

    def run(self, body: Sequence[ast.stmt], held: str | None = None) -> bool:
        """Follows statements. Returns whether all are known, and the last one returns the innermost scope."""
        for statement in body[:-1]:
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not is_text and not self._binds(statement):
                return False
        last = body[-1]
        if isinstance(last, ast.Return):
            return held is not None and isinstance(last.value, ast.Name) and last.value.id == held
        if not isinstance(last, ast.With):
            return False
        for item in last.items:
            options = self._reader.options(item.context_expr)
            if options is None:
                return False
            for key, values in options.items():
                self.options[key] = {**self.options.get(key, {}), **values}
            held = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else None
        return self.run(last.body, held)

    def _binds(self, statement: ast.stmt) -> bool:
        """Notes a local name. Returns whether the source says its value."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name):
            return False
        value: ast.expr | None = None
        held = self._reader.dictionary(statement.value)
        if held is not None:
            value = ast.Dict([ast.Constant(key) for key in held], list(held.values()))
        elif self._reader.steady.is_steady(statement.value):
            value = self._reader.here(statement.value)
        if value is not None:
            self._reader = replace(self._reader, given={**(self._reader.given or {}), target.id: value})
        return value is not None


def _substituted(node: ast.AST, given: Mapping[str, ast.expr]) -> Any:
    """Returns a node with other expressions in place of names. Parts without these names are the same nodes."""
    if isinstance(node, ast.Name) and node.id in given:
        return given[node.id]
    if not any(isinstance(below, ast.Name) and below.id in given for below in ast.walk(node)):
        return node
    fields = {
        name: [_substituted(part, given) for part in value] if isinstance(value, list) else _substituted(value, given)
        for name, value in ast.iter_fields(node)
        if isinstance(value, (list, ast.AST))
    }
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _names(value: ast.expr) -> Iterator[ast.Name]:
    return (node for node in ast.walk(value) if isinstance(node, ast.Name))
