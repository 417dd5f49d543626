"""The `with` blocks of sessions, graphs and scopes: which of them vanish, and what their names begin with."""

from __future__ import annotations

import ast

from codemods.native import variable_names
from codemods.native.items import opens
from codemods.native.layers import waits_for
from codemods.native.state import Rewriting


def dedent(state: Rewriting) -> None:
    for block in state.body.blocks:
        if isinstance(block, ast.With) and vanishes(block, state):
            width = len(state.source.indent_of(block.body[0])) - len(state.source.indent_of(block))
            state.source.shift(block.body, width)


def vanishes(block: ast.With, state: Rewriting) -> bool:
    contexts = [item.context_expr for item in block.items if waits_for(item.context_expr, state.names) is None]
    # a session of a function has no meaning behind the function
    places = next((item.places for item in state.body.items if block in item.blocks), None)
    meanings = state.meanings.at(places)
    opened = {opens(context, state.names, meanings) for context in contexts}  # all others wait, and vanish
    if variable_names.makes_named_variables(block, state.body, state.names):  # such a scope is no part of their names
        scopes = [context for context in contexts if variable_names.is_name_scope(context, state.names)]
        opened = {opens(context, state.names, meanings) for context in contexts if context not in scopes}
        opened |= {"variables"} if scopes else set()
    if "variables" in opened and variable_names.makes_plain_variables(block, state.body, state.names):
        return False
    return opened <= {"session", "graph", "variables"}


def prefixes(state: Rewriting) -> dict[ast.Call, str]:
    """Returns what the names of variables begin with, beside the scopes that stay."""
    prefixes = dict(state.meanings.scopes.prefixes)
    for item in state.body.items:
        kept = [block for block in item.blocks if isinstance(block, ast.With) and not vanishes(block, state)]
        for call in item.effects.variables:
            variable_names.require_own_name(call, kept, state.names)
            if call in prefixes:
                prefix = state.meanings.scopes.prefixes[call]
                prefixes[call] = variable_names.prefix_of(prefix, kept, state.names)
    return prefixes
