"""Writes the options of `with slim.arg_scope(...)` into the calls in the block, and drops the scope.

The options of an inner scope come before those of an outer one, and those of the call before both. A scope is dynamic:
it also reaches calls in functions that the block calls. So functions that use what has options must stand at their
calls first; where one remains, the scope stays, and is refused.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from codemods.native.batch_norm import NAMES as NORMALIZATIONS
from codemods.native.contrib_layers import parameters_of
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines, one_by_one
from codemods.native.places import bound_names, is_none, named_arguments, stores
from codemods.native.scope_options import NORMALIZES, Options
from codemods.native.scoped_files import ScopedFile, without_leftovers, without_scopes
from codemods.tree import walk

_NORMALIZED = frozenset(("separable_convolution2d", "convolution2d_in_plane"))
"""Functions with a normalizer whose parameters are not known here."""
_APART = frozenset((*sys.stdlib_module_names, "numpy", "scipy", "tensorflow", "tf2bridge", "six", "absl"))
"""Modules that make no layers of slim, or whose names are known otherwise."""
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_Block = ast.Module | ast.FunctionDef


def with_scoped_options(text: str) -> Lines | None:
    """Returns a text without these scopes, and the old number of each line; None if none can go."""
    if "arg_scope" not in text:
        return None
    return one_by_one(text, _step)


def _step(text: str) -> Lines | None:
    """Takes one outer scope away, or the decorators and functions that no scope needs any more."""
    file = ScopedFile.of(text)
    for function in file.reader.functions.values():
        if file.reader.takes_options(function) and (made := _without_decorator(function, text)) is not None:
            return made
    for block in _outer(file):
        edits = _edits(block, file)
        if edits is not None:
            for call, added in edits:
                _add(call, added, file)
            return without_scopes(file.source.result(), block.lineno)
    return without_leftovers(file)


def _outer(file: ScopedFile) -> list[ast.With]:
    """Returns the blocks with scopes that stand in no other one."""
    return [block for block in file.scopes_in(file.tree) if not any(file.scopes_of(n) for n in file.names.above(block))]


def _without_decorator(function: ast.FunctionDef, text: str) -> Lines | None:
    """Returns a text in which no scope gives options to a function of the program; None if the source does not say all.

    It may stand at its calls then, where the scopes reach what it calls.
    """
    file = ScopedFile.of(text)
    key = f"function {function.name}"
    for block in _outer(file):
        edits = _edits(block, file, key) if any(_is_listed(function.name, n, file) for n in walk(block)) else []
        if edits is None:
            return None
        for call, added in edits:
            _add(call, added, file)
    for node in walk(file.tree):
        if _is_listed(function.name, node, file):
            assert isinstance(node, (ast.List, ast.Tuple))
            kept = [file.source.plain(part) for part in node.elts if getattr(part, "id", "") != function.name]
            made = f"[{', '.join(kept)}]"
            lines = file.source.plain(node).count("\n") - made.count("\n")
            file.source.replace(file.source.span(node), made[:-1] + "\n" * lines + "]")
    line = function.decorator_list[0].lineno
    rows = [(part, n) for n, part in enumerate(file.source.result().splitlines(keepends=True), 1) if n != line]
    return "".join(part for part, _ in rows), tuple(n for _, n in rows)


def _is_listed(name: str, node: ast.AST, file: ScopedFile) -> bool:
    """Returns whether this is the list of a scope, with a function."""
    is_list = isinstance(node, (ast.List, ast.Tuple)) and file.reader.is_scope(file.names.parents[node])
    return is_list and any(isinstance(part, ast.Name) and part.id == name for part in ast.iter_child_nodes(node))


def _edits(outer: ast.With, file: ScopedFile, only: str = "") -> list[tuple[ast.Call, dict[str, str]]] | None:
    """Returns what each call in a block gets; None if the source does not say all of it.

    Args:
        outer: The block.
        file: The file.
        only: The function whose calls are meant, if not all are.
    """
    given: list[tuple[ast.With, Options]] = []
    for block in file.scopes_in(outer):
        for item in file.scopes_of(block):
            options = file.reader.options(item.context_expr)
            if options is not None and only and only not in options:
                continue
            if options is None or not _is_plain(block, item, outer, options, file):
                return None
            given.append((block, {only: options[only]} if only else options))
    keys = {key for _, options in given for key in options}
    if _reaches_elsewhere(outer, keys, file):
        return None
    edits: list[tuple[ast.Call, dict[str, str]]] = []
    for call in (node for node in walk(outer) if isinstance(node, ast.Call)):
        key = file.reader.key(call.func)
        round_it = [options for block, options in given if _is_inside(call, block, file)]
        if key is None or not round_it:
            continue
        added = _added(call, key, round_it, file)
        if added is None:
            return None
        edits += [(call, added)] if added else []
    return edits


def _is_inside(call: ast.Call, block: ast.With, file: ScopedFile) -> bool:
    """Returns whether a call stands in the body of a block, or in a later part of its head."""
    child: ast.AST = call
    for node in file.names.above(call):
        if node is block:
            return child in block.body
        child = node
    return False


def _is_plain(block: ast.With, item: ast.withitem, outer: ast.With, options: Options, file: ScopedFile) -> bool:
    """Returns whether a scope may go: its name has no reader, and its options give the same at the calls."""
    function = next((n for n in file.names.above(block) if isinstance(n, _Block)), file.tree)
    if item.optional_vars is not None:
        held = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else None
        loads = (n for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        if held is None or any(load.id == held for load in loads):
            return False
    bound = {place for statement in block.body for node in walk(statement) for place in stores(node)}
    values = [value for values in options.values() for value in values.values()]
    read = {node.id for value in values for node in ast.walk(value) if isinstance(node, ast.Name)}
    if read & bound or block.body[0].lineno <= block.lineno:
        return False
    given = [file.reader.value_of(node) for node in walk(item.context_expr) if isinstance(node, ast.Name)]
    of_function = isinstance(file.reader.value_of(item.context_expr.args[0]), ast.Call)  # type: ignore[attr-defined]
    inside = function is file.tree or all(function in file.names.above(value) for value in given)
    shown = {node.id for node in walk(item.context_expr) if isinstance(node, ast.Name)}
    hidden = {name for name in read - shown if name in bound_names(function)} if function is not file.tree else set()
    if hidden and (of_function or not inside):
        return False
    first = item.context_expr.args[0]  # type: ignore[attr-defined]
    made = file.reader.value_of(first)
    return made is first or (block is outer and _is_beside(made, file))


def _is_beside(made: ast.expr, file: ScopedFile) -> bool:
    """Returns whether what gives a scope stands in no other scope."""
    return not any(file.scopes_of(n) for n in file.names.above(made))


def _reaches_elsewhere(outer: ast.With, keys: set[str], file: ScopedFile) -> bool:
    """Returns whether the options may reach calls that this block does not show."""
    reaching = _reaching(keys, file)
    for node in (below for statement in outer.body for below in walk(statement)):
        if isinstance(node, _LATER) and any(file.reader.key(n) in keys for n in walk(node) if _is_name(n)):
            return True
        if not _is_name(node):
            continue
        last = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if v1_name(file.names, node) is None and (last in reaching or not _is_apart(node, file)):
            return True
        if file.reader.key(node) in keys and not _is_known_use(node, file):
            return True
    return False


def _is_apart(node: ast.AST, file: ScopedFile) -> bool:
    """Returns whether a name is none of a module that may make layers: one of the program that is not seen here."""
    qualified = file.names.qualified(node)
    return qualified is None or qualified.split(".")[0] in _APART


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)


def _is_known_use(node: ast.AST, file: ScopedFile) -> bool:
    """Returns whether a function is called here, is a normalizer, or is what a scope gives options to."""
    parent = file.names.parents.get(node)
    if isinstance(parent, ast.Attribute):  # a part of a longer name
        return True
    if isinstance(parent, ast.Call):
        return parent.func is node
    if isinstance(parent, ast.keyword):
        return parent.arg == "normalizer_fn" and v1_name(file.names, node) in NORMALIZATIONS
    above = file.names.parents.get(parent) if isinstance(parent, (ast.List, ast.Tuple)) else None
    return above is not None and file.reader.is_scope(above)


def _reaching(keys: set[str], file: ScopedFile) -> set[str]:
    """Returns the names of the functions and methods of the file that use what has options."""
    functions = [node for node in walk(file.tree) if isinstance(node, ast.FunctionDef)]
    reaching: set[str] = set()
    while True:
        more = {
            function.name
            for function in functions
            if function.name not in reaching
            and any(
                (file.reader.key(node) in keys and not any(file.reader.is_scope(n) for n in file.names.above(node)))
                or (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in reaching
                for statement in function.body
                for node in walk(statement)
                if _is_name(node)
            )
        }
        if not more:
            return reaching
        reaching |= more


def _added(call: ast.Call, key: str, given: Sequence[Options], file: ScopedFile) -> dict[str, str] | None:
    """Returns the options that a call gets of the scopes round it; None if the source does not say them."""
    options = _merged(key, given)
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if options and (None in named or any(isinstance(part, ast.Starred) for part in call.args)):
        return None
    parameters = parameters_of(v1_name(file.names, call.func) or "")
    own = named_arguments(call, parameters)
    if parameters and (len(call.args) > len(parameters) or (own.keys() - named.keys()) & options.keys()):
        return None  # TensorFlow 1 refuses two values of one parameter
    added = {name: value for name, value in options.items() if name not in own}
    of_norm = _merged(NORMALIZES, given)
    normalizer = own.get("normalizer_fn", added.get("normalizer_fn"))
    if not parameters and key in _NORMALIZED and of_norm:
        return None
    if of_norm and normalizer is not None and not is_none(normalizer):
        if v1_name(file.names, normalizer) not in NORMALIZATIONS:
            return None
        params = own.get("normalizer_params", added.get("normalizer_params"))
        held = {} if params is None or is_none(params) else file.reader.dictionary(params)
        if held is None or "normalizer_params" in own:
            return None
        merged = {**of_norm, **held}
        added["normalizer_params"] = ast.Dict([ast.Constant(name) for name in merged], list(merged.values()))
    return {name: ast.unparse(value) for name, value in added.items()}


def _merged(key: str, given: Sequence[Options]) -> dict[str, ast.expr]:
    merged: dict[str, ast.expr] = {}
    for options in given:
        merged |= options.get(key, {})
    return merged


def _add(call: ast.Call, added: dict[str, str], file: ScopedFile) -> None:
    """Writes options behind the last argument of a call."""
    text = ", ".join(f"{name}={value}" for name, value in added.items())
    parts: list[ast.AST] = [*call.args, *call.keywords]
    if parts:
        end = max(file.source.span(part)[1] for part in parts)
        file.source.replace((end, end), f", {text}")
    else:
        end = file.source.span(call)[1] - 1
        file.source.replace((end, end), text)
