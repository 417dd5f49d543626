"""Random numbers of a seed: each op of TensorFlow 1 had one sequence of them in each session."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.native.functions import Function
from codemods.native.kinds import SEEDS, makes_session, v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import is_none
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Run
from codemods.tree import walk

_SEEDS = SEEDS | {"random.set_seed"}
_LOOPS = (ast.For, ast.While)


def require_own_draws(functions: Sequence[tuple[Run, Function]]) -> None:
    """Refuses an op with a seed of its own that several functions have: each would draw its numbers from the beginning.

    A seed of the whole graph gives other numbers in TensorFlow 2 in any case.

    Raises:
        NotNativeError: There is such an op: in TensorFlow 1 it had one sequence of numbers for all calls.
    """
    owners: dict[int, Function] = {}
    for run, function in functions:
        for item in function.slice.ordered:
            if item.effects.draws and _has_seed(item.node) and owners.setdefault(item.index, function) is not function:
                message = (
                    "in TensorFlow 1 one sequence of numbers of a seed went on through several calls; remove the seed"
                )
                raise NotNativeError(run.node, "NAT008", message)


def require_one_session(functions: Sequence[tuple[Run, Function]], meanings: Meanings, tree: ast.Module) -> None:
    """Refuses a function that draws random numbers of a seed, and is called in several sessions.

    Raises:
        NotNativeError: There is such a function: in the native program its second session would go on drawing.
    """
    calls = [node for node in walk(tree) if isinstance(node, ast.Call)]
    is_seeded = any(v1_name(meanings.names, call.func) in _SEEDS for call in calls)
    sessions: dict[int, tuple[Function, set[int]]] = {}
    for run, function in functions:
        if not any(item.effects.draws and (is_seeded or _has_seed(item.node)) for item in function.slice.ordered):
            continue
        session, in_loop = _session_of(run.node, meanings)
        known = sessions.setdefault(id(function), (function, set()))[1]
        known.add(session)
        if len(known) > 1 or in_loop:
            message = "each session of TensorFlow 1 drew the numbers of a seed from their beginning; use one session"
            raise NotNativeError(run.node, "NAT008", message)


def _has_seed(node: ast.AST) -> bool:
    """Returns whether a statement gives a seed to something."""
    given = (keyword for call in walk(node) if isinstance(call, ast.Call) for keyword in call.keywords)
    return any(keyword.arg == "seed" and not is_none(keyword.value) for keyword in given)


def _session_of(call: ast.Call, meanings: Meanings) -> tuple[int, bool]:
    """Returns what stands for the session of a call, and whether a loop round it makes one each time.

    A session that no block round the call makes is 0: the one that the program has for all such calls.
    """
    node: ast.AST = call
    parents = meanings.names.parents
    block = None
    while node in parents and not isinstance(node, (ast.FunctionDef, ast.Lambda)):
        node = parents[node]
        if isinstance(node, ast.With) and block is None:
            opens = any(makes_session(item.context_expr, meanings.names) for item in node.items)
            block = node if opens else None
        elif isinstance(node, _LOOPS) and block is not None:
            return id(block), True
    return (0 if block is None else id(block)), False
