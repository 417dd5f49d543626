"""Calls of sessions that start iterators, and calls that fetch a whole element of one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from codemods.native.functions import Function, Planner
from codemods.native.items import Body
from codemods.native.iterators import Start
from codemods.native.kinds import Kind
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Fetch, Run
from codemods.tree import walk


@dataclass(frozen=True)
class Started:
    """A call that starts iterators.

    Attributes:
        run: The call.
        starts: What it starts.
        makers: Place of a dataset of placeholders -> the function that makes it.
    """

    run: Run
    starts: tuple[Start, ...]
    makers: Mapping[str, Function]


def started(run: Run, planner: Planner, at: int, statement: ast.AST) -> Started:
    """Returns what a call starts.

    Raises:
        NotNativeError: The source does not say it, or its result is used.
    """
    if not isinstance(statement, ast.Expr):
        raise NotNativeError(run.node, "NAT008", "the result of an initializer is used; there is none")
    starts = tuple(planner.iterators.start_of(fetch.node, at) for fetch in run.fetches if fetch.kind is Kind.START)
    makers: dict[str, Function] = {}
    for start in starts:
        place = place_of(start.dataset) or ""
        made = planner.body.definition(place, len(planner.body.items), start.iterator.item.home)
        if made is None or made.kind is not Kind.FED_DATASET:
            continue
        fetch = Fetch(start.dataset, Kind.FED_DATASET, place, True)
        makers[place] = planner.add(replace(run, fetches=(fetch,), shape="one"), at)
        planner.makers[place] = makers[place]
    if run.feeds and not makers:
        raise NotNativeError(run.node, "NAT002", "it feeds what an initializer does not need")
    return Started(run, starts, makers)


def require_one_scope(made: Started, home: ast.AST) -> None:
    """Refuses a start in another function than the one that has the iterator: it makes another object.

    Raises:
        NotNativeError: This is one.
    """
    for start in made.starts:
        own = start.iterator.item.home
        if not start.iterator.place.startswith("self.") and own is not (
            home if isinstance(home, ast.FunctionDef) else None
        ):
            message = f"{start.iterator.place} belongs to another function, which would keep the old iterator"
            raise NotNativeError(made.run.node, "NAT008", f"{message}; start it there")


def only(run: Run, kind: Kind) -> Run:
    """Returns a call with its fetches of one kind."""
    return replace(run, fetches=tuple(fetch for fetch in run.fetches if fetch.kind is kind))


def is_whole_element(fetch: Fetch, body: Body, at: int) -> bool:
    """Returns whether a fetch may be a container: a whole element of an iterator."""
    if any(isinstance(node, ast.Attribute) and node.attr == "get_next" for node in walk(fetch.node)):
        return True
    made = body.definition(fetch.place, at) if fetch.place else None
    value = made.node.value if made is not None and isinstance(made.node, ast.Assign) else None
    if made is None or not made.effects.taken or not isinstance(made.node, ast.Assign):
        return False
    return value in made.effects.taken and place_of(made.node.targets[0]) is not None
