"""What becomes of each call of a session."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from codemods.native import metrics
from codemods.native.containers import is_container
from codemods.native.draws_of_sessions import require_one_session, require_own_draws
from codemods.native.functions import Function, Planner
from codemods.native.items import Body
from codemods.native.iterators import Iterators
from codemods.native.kinds import OF_VARIABLES, Kind
from codemods.native.meanings import Meanings
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Reader, Run
from codemods.native.slices import places_in
from codemods.native.starting_again import begins_anew, require_apart
from codemods.native.starts import Started, is_whole_element, only, require_one_scope, started
from codemods.tree import walk

_LOOPS = (ast.For, ast.While)
_IN_GRAPH = frozenset({Kind.TENSOR, Kind.PLACEHOLDER, Kind.GRADIENTS, Kind.COLLECTED})


@dataclass
class Plan:
    """The calls of sessions: those that become calls of functions, those that read values, those that vanish."""

    parents: Mapping[ast.AST, ast.AST]
    body: Body
    iterators: Iterators
    calls: list[ast.Call] = field(default_factory=list)
    functions: list[tuple[Run, Function]] = field(default_factory=list)
    reads: list[Run] = field(default_factory=list)
    dropped: list[Run] = field(default_factory=list)
    starts: list[Started] = field(default_factory=list)
    at: dict[ast.Call, int] = field(default_factory=dict)


def plan(body: Body, meanings: Meanings, reader: Reader, planner: Planner) -> Plan:
    """Returns what becomes of each call of a session.

    Raises:
        NotNativeError: A call cannot become native.
    """
    made = Plan(reader.parents, body, planner.iterators)
    holders = {id(node): item for item in body.items for node in walk(item.node)}
    for call, places in sorted(meanings.sites.items(), key=lambda pair: (pair[0].lineno, pair[0].col_offset)):
        item = holders.get(id(call))
        late = item is None or isinstance(item.node, (ast.FunctionDef, ast.ClassDef))
        at = len(body.items) if late or item is None else item.index
        if item is not None and late and item.home is not None:  # a function inside the one that builds
            at = max(other.index for other in body.items if other.home is item.home)
        run = reader.read(call, places)
        made.calls.append(call)
        made.at[call] = at
        if all(fetch.kind in (Kind.INIT, Kind.START) for fetch in run.fetches):
            _initialize(run, at, made, planner)
        elif any(fetch.kind in (Kind.INIT, Kind.START) for fetch in run.fetches):
            raise NotNativeError(call, "NAT007", "it initializes and computes in one call; make two calls of it")
        elif _only_reads(run) or _is_eager(run, places):
            several = any(is_container(fetch, body, at, meanings) for fetch in run.fetches)
            made.reads.append(replace(run, nested=True) if several else run)
            if run.feed_dict is not None:
                made.calls.append(_keys(run.feed_dict))
        else:
            _require_built(run, body)
            several = any(is_whole_element(f, body, at) or is_container(f, body, at, meanings) for f in run.fetches)
            if several:
                run = replace(run, nested=True)
            function = planner.add(run, at)
            _require_names(run, function, made)
            made.functions.append((run, function))
            if run.feed_dict is not None:
                made.calls.append(_keys(run.feed_dict))
    again = [run for run in made.dropped if begins_anew(run, made.parents, body, meanings)]
    require_apart([made.at[run.node] for run in again], made.functions, made.reads, made.at, body, meanings)
    require_one_session(made.functions, meanings, reader.tree)
    require_own_draws(made.functions)
    return made


def _initialize(run: Run, at: int, made: Plan, planner: Planner) -> None:
    """Notes a call that initializes variables, and starts iterators."""
    first = only(run, Kind.INIT)
    if first.fetches:
        _require_once(first, made)
    if len(first.fetches) == len(run.fetches):
        made.dropped.append(run)
        return
    made.starts.append(started(run, planner, at, made.parents[run.node]))
    require_one_scope(made.starts[-1], _function_round(run.node, made))
    if run.feed_dict is not None:
        made.calls.append(_keys(run.feed_dict))


def _function_round(node: ast.AST, made: Plan) -> ast.AST:
    """Returns the function round a node, or the module."""
    while node in made.parents and not isinstance(node, ast.FunctionDef):
        node = made.parents[node]
    return node


def is_attribute(function: Function, body: Body) -> bool:
    """Returns whether a function is an attribute of the object that builds the graph."""
    owner = body.main.owner
    return owner is not None and (body.main.instance is None or function.home in owner.body)


def owner_at(body: Body, node: ast.AST) -> str:
    """Returns what the attributes of the object that builds the graph begin with at a place: "self." or "model."."""
    instance, owner = body.main.instance, body.main.owner
    if owner is None:
        return ""
    return "self." if instance is None or any(below is node for below in walk(owner)) else f"{instance.name_at(node)}."


def _only_reads(run: Run) -> bool:
    """Returns whether a call only reads variables and constants. What is fed to constants is not used."""
    if run.feeds:
        plain = all(isinstance(value, (ast.Name, ast.Attribute, ast.Constant)) for value in run.feeds.values())
        return plain and run.feed_name is None and all(f.kind is Kind.CONSTANT for f in run.fetches)
    return all(f.kind in OF_VARIABLES or f.kind is Kind.CONSTANT for f in run.fetches)


def _require_names(run: Run, function: Function, made: Plan) -> None:
    """Refuses a fetch that reads a name of the function it stands in, where that is not the function it moves to.

    Raises:
        NotNativeError: There is such a name.
    """
    node = _function_round(run.node, made)
    if not isinstance(node, ast.FunctionDef) or node is function.home:
        return
    own = {below.arg for below in walk(node) if isinstance(below, ast.arg)}
    own |= {below.id for below in walk(node) if isinstance(below, ast.Name) and isinstance(below.ctx, ast.Store)}
    for place in sorted(places_in(fetch.node for fetch in run.fetches) & own):
        if made.body.definition(place, len(made.body.items), node) is None or made.body.main.instance is not None:
            message = f"it fetches what is computed from {place}, a name of {node.name}; compute it after the call"
            raise NotNativeError(run.node, "NAT008", message)


def _keys(feeds: ast.Dict) -> ast.Call:
    """Returns the keys of a dict of feeds as one node."""
    return ast.Call(func=ast.Name(id="dict", ctx=ast.Load()), args=[key for key in feeds.keys if key], keywords=[])


def _is_eager(run: Run, places: Mapping[str, Kind]) -> bool:
    """Returns whether a call makes one assignment that depends on nothing in the graph: `sess.run(v.assign(1))`."""
    if len(run.fetches) != 1 or run.feeds or run.fetches[0].place is not None:
        return False
    fetch = run.fetches[0]
    return fetch.kind is Kind.ASSIGN and not any(places.get(place) in _IN_GRAPH for place in places_in([fetch.node]))


def _require_built(run: Run, body: Body) -> None:
    for fetch in run.fetches:
        if fetch.kind is Kind.TRAIN and fetch.place is None:
            raise NotNativeError(
                fetch.node, "NAT004", "it makes a training op at each run; make the op before the loop"
            )
        for place in places_in([fetch.node]):
            for item in body.definitions(place):
                if item.effects.runs and item.moves:
                    raise NotNativeError(fetch.node, "NAT004", f"{place} is built while the program runs")


def _require_once(run: Run, made: Plan) -> None:
    node: ast.AST = run.node
    while node in made.parents:
        node = made.parents[node]
        if isinstance(node, _LOOPS):
            raise NotNativeError(run.node, "NAT008", "variables are initialized again in a loop; make them in the loop")
        if isinstance(node, ast.FunctionDef):
            break
    metrics.require_one_start(run, made.dropped, made.body, _function_round(run.node, made))
