"""Gives the variables of functions to a store: `tf.get_variable` in a helper that is called in many scopes.

Such a function stays as it is. What it makes is found by its name in an object `variables`, which the functions of the
program share. See `variable_store`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from codemods import scopes
from codemods.names import Names
from codemods.native.callers import with_callers
from codemods.native.kinds import OF_VARIABLES, kind_of_call, makes_session, v1_alias, v1_name
from codemods.native.layers import NAMES as ALL_LAYERS
from codemods.native.layers import layer_call
from codemods.native.one_by_one import Lines
from codemods.native.recurrent import cell_class, function_of
from codemods.native.refusals import NotNativeError
from codemods.native.session_arguments import dropped
from codemods.native.source_text import SourceText, reindented
from codemods.native.stored_layers import LAYERS
from codemods.native.variable_store import PART, STORED
from codemods.tree import walk

_GIVEN = {
    "get_variable": (("name", "shape", "dtype", "initializer"), {"trainable"}),
    "variable_scope": (("name_or_scope", "default_name"), {"reuse", "initializer", "values"}),
    "get_variable_scope": ((), set()),
}
"""Function -> the parameters that the store's method has, by position and by keyword."""
_MACHINERY = ("placeholder", "Session", "InteractiveSession", "train.Saver", "gradients")


def with_stored_variables(text: str) -> Lines | None:
    """Returns a text whose variables are in a store, and the old number of each line; None if it has no such function.

    The calls get names that no release has, such as `tf.stored.get_variable`, which `special_calls` writes.
    """
    if "variable_scope" not in text and "get_variable" not in text:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    store = _Store(tree, names, source)
    if not store.is_wanted() or not store.is_possible():
        return None
    store.write()
    return source.with_origins()


class _Store:
    """The calls of a file that a store can answer."""

    def __init__(self, tree: ast.Module, names: Names, source: SourceText) -> None:
        self._tree, self._names, self._source = tree, names, source
        calls = ((node, v1_name(names, node.func) or "") for node in walk(tree) if isinstance(node, ast.Call))
        self._calls = {node: name for node, name in calls if name in (*_GIVEN, *LAYERS)}
        making = {node for node, name in self._calls.items() if name == "get_variable" or name in LAYERS}
        functions = [node for node in walk(tree) if isinstance(node, ast.FunctionDef)]
        storing = {node.name for node in functions if any(below in making for below in walk(node))}
        self._making, self._storing, self._functions = making, with_callers(tree, storing, _called), functions

    def is_wanted(self) -> bool:
        """Returns whether a function makes variables, and is not the one that builds and runs the graph."""
        helpers = [function for function in self._functions if not self._has_machinery(function)]
        return any(below in self._making for function in helpers for below in walk(function))

    def is_possible(self) -> bool:
        """Returns whether the store knows all options, and nothing else makes variables in scopes."""
        for call, name in self._calls.items():
            if not self._is_known(call, name):
                return False
        for node in walk(self._tree):
            if not isinstance(node, ast.Call) or node in self._calls:
                continue
            name = v1_name(self._names, node.func) or ""
            if function_of(name) or cell_class(name) or name in ("make_template", "variable_op_scope"):
                return False
            if name in ALL_LAYERS and name not in LAYERS and self._has_variables(node):
                return False
        contexts = {id(item.context_expr) for block in self._blocks() for item in block.items}
        return all(id(call) in contexts for call, name in self._calls.items() if name == "variable_scope")

    def _has_variables(self, node: ast.AST) -> bool:
        try:
            known = layer_call(node, self._names) if isinstance(node, ast.Call) else None
        except NotNativeError:
            return True
        return known is None or known.has_variables

    def _is_known(self, call: ast.Call, name: str) -> bool:
        if name in LAYERS:
            positions, allowed = LAYERS[name].positions, {*LAYERS[name].parameters}
        else:
            listed, more = _GIVEN[name]
            positions, allowed = len(listed), {*listed, *more}
        given = {keyword.arg for keyword in call.keywords if not self._is_left_out(keyword, allowed)}
        is_plain = not any(isinstance(part, ast.Starred) for part in call.args)
        return is_plain and len(call.args) <= positions and given <= allowed

    def _is_left_out(self, keyword: ast.keyword, allowed: Set[str | None]) -> bool:
        """Returns whether an option without a counterpart has no effect."""
        return keyword.arg not in allowed and isinstance(keyword.value, ast.Constant) and keyword.value.value is None

    def _blocks(self) -> Iterator[ast.With]:
        yield from (node for node in walk(self._tree) if isinstance(node, ast.With))

    def _has_machinery(self, node: ast.AST) -> bool:
        """Returns whether something below a node must be a statement of the program's own."""
        for below in walk(node):
            if isinstance(below, ast.Call):
                name = v1_name(self._names, below.func) or ""
                kind = kind_of_call(name) if name and not name.startswith("get_variable") else None
                if name in _MACHINERY or name.endswith("Optimizer") or name.startswith("summary."):
                    return True
                if makes_session(below, self._names) or (kind in OF_VARIABLES and name != "get_variable"):
                    return True
                if isinstance(below.func, ast.Attribute) and below.func.attr in ("minimize", "apply_gradients"):
                    return True
        return False

    def _stores(self, node: ast.AST) -> bool:
        """Returns whether a statement makes variables of the store."""
        return any(below in self._making or _called(below) in self._storing for below in walk(node))

    def write(self) -> None:
        """Writes the names of the store."""
        tf = v1_alias(self._names)
        divided = [b for b in self._blocks() if self._scopes(b) and self._stores(b) and self._has_machinery(b)]
        inside: dict[int, list[ast.With]] = {}
        for block in divided:
            for statement in block.body:
                inside.setdefault(id(statement), []).extend([*inside.get(id(block), ()), block])
        left = {call for block in divided for call in self._scopes(block)}
        left |= {call for block in self._blocks() if not self._stores(block) for call in self._scopes(block)}
        self._write_calls(left, tf)
        for node in walk(self._tree):
            if isinstance(node, ast.Attribute) and v1_name(self._names, node) == "AUTO_REUSE":
                self._source.replace(self._source.span(node), '"auto"')
        for block in divided:
            for statement in block.body:
                if statement not in divided and self._stores(statement):
                    self._put_into(statement, inside[id(statement)], tf)

    def _write_calls(self, left: Set[ast.Call], tf: str) -> None:
        for call, name in self._calls.items():
            if call in left:
                continue
            method = LAYERS[name].method if name in LAYERS else name
            self._source.replace(self._source.span(call.func), f"{tf}.{STORED}{method}")
            allowed = (
                {*LAYERS[name].parameters} if name in LAYERS else {*_GIVEN[name][0], *_GIVEN[name][1]} - {"values"}
            )
            gone = [k for k in call.keywords if k.arg == "values" or self._is_left_out(k, allowed)]
            for keyword in gone[:1]:  # spans of neighbours would overlap
                dropped(self._source, keyword, [*call.args, *call.keywords])
            self._write_first_value(call, name)

    def _scopes(self, block: ast.With) -> list[ast.Call]:
        return [
            item.context_expr
            for item in block.items
            if isinstance(item.context_expr, ast.Call) and self._calls.get(item.context_expr) == "variable_scope"
        ]

    def _write_first_value(self, call: ast.Call, name: str) -> None:
        """Writes `initializer=tf.random_normal([3])` as a function: the value is drawn where the variable is made."""
        value = next((keyword.value for keyword in call.keywords if keyword.arg == "initializer"), None)
        if value is None and name == "get_variable" and len(call.args) > 3:
            value = call.args[3]
        made = v1_name(self._names, value.func) if isinstance(value, ast.Call) else None
        if value is not None and made is not None and "initializer" not in made:
            start = self._source.span(value)[0]
            self._source.replace((start, start), "lambda: ")

    def _put_into(self, statement: ast.stmt, blocks: list[ast.With], tf: str) -> None:
        """Puts one statement into scopes of the store, in place of the blocks round it."""
        opened = [call for block in blocks for call in self._scopes(block)]
        scopes_text = ", ".join(
            f"{tf}.{STORED}{PART}" + self._source.text_of(call)[len(self._source.text_of(call.func)) :]
            for call in opened
        )
        span = self._source.lines_of(statement)
        indent = self._source.indent_of(statement)
        text = self._source.rendered(span)
        inner = reindented(text, text[: len(text) - len(text.lstrip())], indent + self._source.indent_step)
        self._source.replace(span, f"{indent}with {scopes_text}:\n{inner}")


def _called(node: ast.AST) -> str | None:
    """Returns the name of the function or method of the program that a call calls."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "self":
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else None
