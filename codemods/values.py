"""Functions that a program passes as values, `Register(tf.complex_abs)`. The receiver may read their `__name__`."""

from __future__ import annotations

import ast

from codemods.context import Context
from codemods.symbols import Symbol
from codemods.symbols.exports import State, status

# These functions call their argument and do not read its name.
_CALLERS = frozenset(["filter", "map", "reduce", "functools.reduce", "tensorflow.foldl", "tensorflow.foldr"])
_CALLERS |= frozenset(["tensorflow.scan", "tensorflow.map_fn"])
_PLACES = ("tensorflow.compat.v1", "tf2bridge.v1")


def keeper_of_name(node: ast.expr, symbol: Symbol, context: Context) -> str | None:
    """Returns the qualified name of the function with the old `__name__`, or None if `node` is not such a value."""
    return _old_name(symbol) if _is_value(node, context) else None


def keeper_of_import(bound: str, symbol: Symbol, context: Context) -> str | None:
    """Does the same as `keeper_of_name`, for a function that an import binds to a name."""
    keeper = _old_name(symbol)
    return keeper if keeper and _is_handed_on({bound}, context) else None


def _old_name(symbol: Symbol) -> str | None:
    """Returns where a renamed function still has its old name, or None.

    Classes are left out, because `isinstance` needs today's class. Symbols that ended before 0.12.1 are left out,
    because no release with them could be examined.
    """
    last = symbol.name.rpartition(".")[2]
    if symbol.module or not symbol.releases or symbol.target.rpartition(".")[2] == last or not last[0].islower():
        return None
    names = (f"{place}.{symbol.name}" for place in _PLACES)
    return next((name for name in names if status(name).state is State.OK), None)


def _is_value(node: ast.expr, context: Context) -> bool:
    """Returns whether the program passes the function on, and not only calls it, by this name or by a local alias."""
    parent = context.parent(node)
    if isinstance(parent, ast.Assign) and all(isinstance(target, ast.Name) for target in parent.targets):
        return _is_handed_on({target.id for target in parent.targets if isinstance(target, ast.Name)}, context)
    return _goes_somewhere(node, context)


def _is_handed_on(names: set[str], context: Context) -> bool:
    """Returns whether the file uses any of these names for something other than a call."""
    plain = (chain for chain in context.names.chains if isinstance(chain, ast.Name))
    return any(chain.id in names and _goes_somewhere(chain, context) for chain in plain)


def _goes_somewhere(node: ast.expr, context: Context) -> bool:
    parent = context.parent(node)
    if isinstance(parent, ast.Call):
        caller = context.qualified(parent.func) or getattr(parent.func, "id", "")
        return node is not parent.func and caller not in _CALLERS
    return not isinstance(parent, ast.Attribute)
