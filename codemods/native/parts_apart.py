"""Rewrites the parts of a program one at a time, each as if it were alone: functions with a graph each, or classes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from codemods import scopes
from codemods.native import checks, graphs_apart, merging
from codemods.native.closed_classes import uses_of
from codemods.native.finishing import tidied
from codemods.native.idle_sessions import without_idle_sessions
from codemods.native.inlining import Inlined
from codemods.native.native_map import Dropped
from codemods.native.objects_apart import owners_apart
from codemods.native.rewritten import Native, Program, united
from codemods.native.scopes_of_objects import scopes_of_objects
from codemods.native.sessions_of_objects import without_given_sessions

Attempt = Callable[[str, Program], Native]
"""Rewrites a text, or raises NotNativeError."""


def of_graphs_apart(text: str, program: Program, attempt: Attempt) -> Native | None:
    """Rewrites each function that builds a graph of its own as if it were alone; returns None if there is no such."""
    tree = ast.parse(text)
    building = graphs_apart.builders_apart(tree, scopes.resolve(tree))
    gone = [graphs_apart.unneeded(tree, kept, building) for kept in building]
    made = [attempt(graphs_apart.hidden(text, functions), replace(program, of_several=True)) for functions in gone]
    if not made:
        return None
    names = [{function.name for function in functions} for functions in gone]
    whole = tidied(merging.merged(text, [part.text for part in made], names))
    checks.require_native(whole, tree, scopes.resolve(tree), program.unbound)
    return united(whole, made)


def of_objects_apart(now: Inlined, program: Program, attempt: Attempt) -> Native | None:
    """Rewrites each class that builds a part of the graph as if it were alone; returns None if there is no such."""
    while (given := without_given_sessions(now.text)) is not None:
        now = now.then(given)
    idle = without_idle_sessions(now.text)
    text, runs = idle if idle is not None else (now.text, ())
    tree = ast.parse(text)
    owners = owners_apart(tree, scopes.resolve(tree))
    if not owners:
        return None
    several = [owner for owner in owners if len(uses_of(owner, tree)) > 1]
    text = scopes_of_objects(text, several)
    tree = ast.parse(text)
    program = replace(program.moved(now.line), of_several=True, scoped=frozenset(owner.name for owner in several))
    gone = [[other for other in owners if other is not owner] for owner in owners]
    made = [attempt(graphs_apart.hidden(text, classes), program) for classes in gone]
    names = [{owner.name for owner in classes} for classes in gone]
    whole = tidied(merging.merged(text, [part.text for part in made], names))
    checks.require_native(whole, tree, scopes.resolve(tree), program.unbound)
    why = "variables have their values when they are made"
    dropped = [Dropped(f"{program.file(number)}:{program.line(number)}", "initializer", why) for number in runs]
    return united(whole, [*made, replace(made[0], dropped=tuple(dropped))])
