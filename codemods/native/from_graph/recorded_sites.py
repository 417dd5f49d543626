"""The calls of sessions in a program, each with what was recorded of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from codemods.names import Names
from codemods.native.facts import LocatedFacts, Operation, Recorded
from codemods.native.from_graph.computed_fetches import ComputedFetches
from codemods.native.from_graph.definitions import Definitions, Place
from codemods.native.from_graph.fed_tensors import FedTensors
from codemods.native.from_graph.fetch_forms import FetchForms, is_plain
from codemods.native.from_graph.object_sites import Objects, ObjectSites
from codemods.native.recorded_models import Form
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_GIVING = ("Assign", "AssignVariableOp")
_FILLING = ("InitializeTable", "InitializeTableV2", "InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
_PASSING = ("NoOp", "Group", "Identity")


@dataclass(frozen=True)
class Site:
    """A call of a session.

    Attributes:
        node: The call.
        legacy: "train.py:27", for the map.
        recorded: What was recorded of it.
        parts: The expressions that it fetches, in their order.
        shape: "one" for a single fetch, "list" or "tuple"; "nested" for lists within lists; "unused" if nothing takes
            what it gives.
        feed: The expression of what it feeds; None for nothing.
        starts: Whether it only gives variables and tables their first values.
        objects: What it runs for each of several objects; None if there is one function for all.
        fewer: What was recorded where it fed less, with the longest feeds first.
        at_once: Whether it computes something of values of Python alone, which needs no graph.
        reached: Whether it was recorded, and is not known by other calls alone.
        form: What a nested one gave.
        again: Further recordings of it, whose graph had got the same operations anew.
    """

    node: ast.Call
    legacy: str
    recorded: Recorded
    parts: Sequence[ast.expr]
    shape: str
    feed: ast.expr | None
    starts: bool
    reached: bool = True
    form: Form = None
    again: tuple[Recorded, ...] = ()
    at_once: bool = False
    objects: Objects | None = None
    fewer: tuple[Recorded, ...] = ()


def calls_of_sessions(names: Names, located: LocatedFacts) -> set[ast.Call]:
    """Returns the calls that run parts of the graph: the recorded ones, and others of the same sessions."""
    calls = [
        node
        for node in walk(names.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("run", "eval")
        if names.qualified(node.func) is None
    ]
    runs = [run for run in located.facts.runs if not run.via]
    reached = {call for call in calls if any(located.span(call).holds(run.file, run.line) for run in runs)}
    sessions = {ast.unparse(_receiver(call)) for call in reached if call.args and _attribute(call) == "run"}
    return reached | {call for call in calls if _attribute(call) == "run" and ast.unparse(_receiver(call)) in sessions}


def _attribute(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


class SiteReader:
    """Reads the calls of sessions.

    Args:
        definitions: What the program defines.
        located: What was recorded, and where.
        is_part: Tells parts of the graph.

    Attributes:
        idle: Calls that were not reached, in functions that nothing calls.
    """

    def __init__(self, definitions: Definitions, located: LocatedFacts, is_part: Callable[[ast.AST], bool]) -> None:
        self.fed = FedTensors(definitions, located)
        self._forms = FetchForms(definitions)
        self._objects = ObjectSites(definitions, located)
        self._computing = ComputedFetches(definitions, located, is_part)
        self._definitions = definitions
        self.idle: list[ast.Call] = []
        self._calls: Sequence[ast.Call] = ()
        self._located, self._is_part = located, is_part

    def read(self, calls: Iterable[ast.Call]) -> list[Site]:
        """Returns what calls run, in their order.

        Raises:
            NotNativeError: One was not recorded, or it is not clear what it fetches or feeds.
        """
        in_order = sorted(calls, key=lambda call: (call.lineno, call.col_offset))
        self._calls = in_order
        known = {call: self._reached(call) for call in in_order if self._runs(call)}
        tensors: dict[Place, set[str]] = {}
        for site in known.values():
            objects = site.objects.runs if site.objects is not None else ((site.recorded,),)
            for leaves in [run.leaves for runs in objects for run in runs]:
                for part, leaf in zip(site.parts, leaves, strict=False):
                    place = self._definitions.place(part)
                    if place is not None and len(site.parts) == len(leaves):
                        tensors.setdefault(place, set()).add(leaf)
        for call in in_order:
            if call in known:
                continue
            try:
                known[call] = replace(self._site(call, self._by_others(call, tensors, known)), reached=False)
            except NotNativeError:
                if not self._is_idle(call):
                    raise
                self.idle.append(call)
        self._require_one_start(known.values())
        return [known[call] for call in in_order if call in known]

    def _is_idle(self, call: ast.Call) -> bool:
        """Returns whether a call stands in a function that nothing names."""
        function = self._definitions.function_of(call)
        names = {node.id for node in walk(self._definitions.names.tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in walk(self._definitions.names.tree) if isinstance(node, ast.Attribute)}
        return function is not None and function.name not in names

    def _require_one_start(self, sites: Iterable[Site]) -> None:
        """Refuses calls that give variables their first values again.

        Raises:
            NotNativeError: One does.
        """
        started: set[tuple[int, str]] = set()
        for site in sites:
            changes = {(site.recorded.graph, name) for name in site.recorded.changes} if site.starts else set()
            if changes & started or (changes and site.recorded.count > 1):
                raise NotNativeError(site.node, "NAT008", "variables get their first values again; do it once")
            started |= changes

    def _by_others(self, call: ast.Call, tensors: Mapping[Place, Set[str]], known: Mapping[ast.Call, Site]) -> Recorded:
        """Returns what a call that was not reached runs: other calls fetch the same, and its feeds are known.

        Raises:
            NotNativeError: They do not.
        """
        fetched, feed = self._arguments(call)
        places = [self._definitions.place(part) for part in _parts(fetched)[1]]
        leaves = [next(iter(tensors[place])) for place in places if place and len(tensors.get(place, ())) == 1]
        keys = feed.keys if isinstance(feed, ast.Dict) else [] if feed is None else [None]
        feeds = [tensor for key in keys if key is not None and (tensor := self.fed.tensor(key)) is not None]
        if len(leaves) < len(places) or len(feeds) < len(keys) or not known:
            raise _unclear(call, "the trace did not reach it; record a run that does, or remove it")
        other = next(iter(known.values())).recorded
        line = self._located.file(call.lineno), self._located.line(call.lineno)
        return Recorded(*line, other.graph, "", "run", tuple(feeds), tuple(leaves), True, frozenset(), {})

    def _reached(self, call: ast.Call) -> Site:
        runs = self._runs(call)
        if len({(run.graph, frozenset(run.feeds), run.first_leaves) for run in runs}) > 1:
            fetched, feed = self._arguments(call)
            of_objects = self._objects.objects(runs, _parts(fetched)[1], feed)
            if of_objects is not None and runs[0].kind == "run":
                objects, placeholders = of_objects
                for family in placeholders:
                    self.fed.note_objects(family)
                site = replace(self._site(call, objects.runs[0][0]), objects=objects)
                if site.shape != "nested":
                    return self._computed(site)
            by_feeds = _by_feeds(runs, feed)
            if by_feeds:
                return self._computed(replace(self._site(call, by_feeds[0]), fewer=tuple(by_feeds[1:])))
        recorded = self._recorded(call)
        again = [run for run in self._runs(call) if run.leaves != recorded.leaves]
        site = replace(self._site(call, recorded), again=tuple(again))
        return site if site.starts else self._computed(site)

    def _computed(self, site: Site) -> Site:
        """Returns a call that may compute at once, without a graph.

        Raises:
            NotNativeError: Its graph has values of Python that may be other ones at the next call.
        """
        if (
            site.shape == "one"
            and site.feed is None
            and self._computing.is_at_once(site.node, site.parts[0], site.recorded)
        ):
            return replace(site, at_once=True)
        for part in site.parts:
            value = self._computing.value(part)
            if value is not None:
                made = f"{ast.unparse(part)[:60]} is made of {ast.unparse(value)}"
                why = f"{made}, which the graph has with its recorded value; feed it, or compute it before the session"
                raise NotNativeError(value, "NAT004", why)
        return site

    def _site(self, call: ast.Call, recorded: Recorded) -> Site:
        fetched, feed = self._arguments(call)
        legacy = f"{self._located.file(call.lineno)}:{recorded.line}"
        shape, parts = _parts(fetched)
        site = Site(call, legacy, recorded, parts, shape, feed, self._starts(recorded))
        if isinstance(self._definitions.names.parents[call], ast.Expr):
            return replace(site, shape="unused")
        number = len(recorded.leaves)
        form = self._forms.form(fetched, recorded.leaves)
        if form == "" and len(parts) != number:
            raise _unclear(call, f"it fetched {number} tensors, and the source does not say in what form")
        if not is_plain(form):
            return replace(site, shape="nested", form=form)
        if len(set(recorded.tensors)) < len(recorded.tensors):
            raise _unclear(call, "it fetches a tensor twice")
        if len(parts) != number or (shape == "one" and isinstance(form, (list, tuple))):  # a place that holds a list
            return replace(site, shape="list" if isinstance(form, list) else "tuple", parts=[fetched] * number)
        return site

    def _runs(self, call: ast.Call) -> list[Recorded]:
        """Returns what was recorded of a call. Of several on the same lines, it takes what has its form."""
        span = self._located.span(call)
        runs = [run for run in self._located.facts.runs if not run.via and span.holds(run.file, run.line)]
        others = (self._located.span(other) for other in self._calls if other is not call)
        if not any(
            other.file == span.file and {other.first, other.last} & {*range(span.first, span.last + 1)}
            for other in others
        ):
            return runs
        fetched, feed = self._arguments(call)
        fitting = [
            run
            for run in runs
            if bool(run.feeds) == (feed is not None)
            and (len(_parts(fetched)[1]) == len(run.leaves) or self._forms.form(fetched, run.leaves) != "")
        ]
        return fitting or runs

    def _recorded(self, call: ast.Call) -> Recorded:
        runs = self._runs(call)
        fetched, feed = self._arguments(call)
        if feed is None and all(self._computing.is_at_once(call, fetched, run) for run in runs):
            return runs[0]
        if len({(run.graph, frozenset(run.feeds), run.first_leaves) for run in runs}) > 1:
            raise _unclear(call, "it fed or fetched other tensors each time; write a call for each")
        if runs[0].kind != "run":
            raise _unclear(call, f"it was a {runs[0].kind} run")
        return runs[0]

    def _arguments(self, call: ast.Call) -> tuple[ast.expr, ast.expr | None]:
        """Returns what a call fetches and feeds."""
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        if set(named) - {"fetches", "feed_dict", "session"} or any(isinstance(a, ast.Starred) for a in call.args):
            raise _unclear(call, "it has options of a run, such as run_metadata; remove them")
        receiver = _receiver(call)
        given = list(call.args)
        of_session = _attribute(call) == "run" and ("fetches" in named or (bool(given) and self._is_part(given[0])))
        fetched = (named.get("fetches") or given.pop(0)) if of_session else receiver
        feed = named.get("feed_dict") or (given.pop(0) if given else None)
        is_none = isinstance(feed, ast.Constant) and feed.value is None
        return fetched, None if is_none else feed

    def _starts(self, run: Recorded) -> bool:
        """Returns whether a call only gives first values: all that it runs are assignments of initializers."""
        if run.feeds or run.tensors:
            return False
        ops = {op.name: op for op in self._located.facts.graphs[run.graph]}
        first: dict[str, str] = {}
        for op in ops.values():
            if op.type in _GIVING and op.inputs:
                first.setdefault(op.inputs[0], op.name)
        return all(_gives_first_values(name, ops, set(first.values())) for name in run.operations)


def _by_feeds(runs: Sequence[Recorded], feed: ast.expr | None) -> list[Recorded]:
    """Returns what a call ran with dicts of more and of less feeds, the longest first; [] if it is anything else."""
    if not isinstance(feed, ast.Name) or len({(run.graph, run.kind, run.leaves) for run in runs}) != 1:
        return []
    in_order = sorted(runs, key=lambda run: -len(run.feeds))
    pairs = pairwise(set(run.feeds) for run in in_order)
    return in_order if all(more > less for more, less in pairs) else []


def _gives_first_values(name: str, ops: dict[str, Operation], first: set[str]) -> bool:
    op = ops.get(name)
    if op is None:
        return False
    if op.type in _PASSING:
        return all(_gives_first_values(source, ops, first) for source in op.inputs)
    return op.name in first or op.type in _FILLING


def _parts(fetched: ast.expr) -> tuple[str, Sequence[ast.expr]]:
    if isinstance(fetched, (ast.List, ast.Tuple)):
        return ("list" if isinstance(fetched, ast.List) else "tuple"), fetched.elts
    return "one", [fetched]


def _unclear(call: ast.Call, why: str) -> NotNativeError:
    return NotNativeError(call, "NAT002", why)
