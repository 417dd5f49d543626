"""What each call of a session fetches and feeds, where a trace says what the source does not."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace

from codemods.native.facts import Recorded
from codemods.native.items import Body
from codemods.native.kinds import OF_VARIABLES, Kind
from codemods.native.meanings import Meanings
from codemods.native.observed import Observed, leaves_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Fetch, Reader, Run


class ObservingReader(Reader):
    """Reads calls of sessions with what was recorded of them.

    Attributes:
        specs: Whether a dict of feeds has placeholders as keys when the program runs, since the source does not say
            everywhere which ones.
    """

    def __init__(self, meanings: Meanings, tree: ast.Module, observed: Observed) -> None:
        super().__init__(meanings, tree)
        self.observed = observed
        self.specs = False
        observed.link(meanings.sites)

    def prepare(self, sites: Mapping[ast.Call, Mapping[str, Kind]]) -> None:
        """Finds out whether the source says all feeds."""
        for call, places in sites.items():
            if self._fed(call, places) is not None:
                self.specs = True

    def read(self, call: ast.Call, places: Mapping[str, Kind]) -> Run:
        """Returns what a call fetches and feeds, by the source and the trace.

        Raises:
            NotNativeError: Neither says it.
        """
        unclear = self._fed(call, places)
        if unclear is not None:
            run = self._by_trace(call, places, unclear)
        else:
            run = super().read(call, places)
            if run.feed_name is not None and self.specs:
                run = replace(run, feed_name=_by_spec(run.feed_name), feed_dict=None)
        return self._completed(run)

    def _fed(self, call: ast.Call, places: Mapping[str, Kind]) -> NotNativeError | None:
        """Returns the error of feeds that the source does not say."""
        feed = _feed_of(call, self.meanings, places)
        if feed is None:
            return None
        try:
            self._feeds(call, feed)
        except NotNativeError as error:
            return error
        return None

    def _by_trace(self, call: ast.Call, places: Mapping[str, Kind], error: NotNativeError) -> Run:
        feed = _feed_of(call, self.meanings, places)
        recorded = self.observed.runs(call)
        if feed is None or not recorded:
            why = "the trace did not reach it either" if not self.observed.reached(call) else "several calls are here"
            raise NotNativeError(error.node, error.code, f"{error.message}; {why}") from error
        fed = {run.feeds for run in recorded}
        if len({frozenset(names) for names in fed}) > 1:
            raise NotNativeError(error.node, error.code, f"{error.message}; the trace has several sets of feeds for it")
        known = self.observed.placeholders(recorded[0].graph)
        names = recorded[0].feeds
        unknown = [name for name in names if name not in known]
        if unknown:
            message = f"{error.message}; the trace feeds {unknown[0]}, which is no placeholder of this program"
            raise NotNativeError(error.node, error.code, message)
        self.observed.decide(call, f"the feeds are {', '.join(known[name] for name in names) or 'none'}")
        bare = without(call, feed)
        self.parents = {**self.parents, bare: self.parents[call]}
        run = super().read(bare, places)
        pairs = {known[name]: feed for name in names}
        return replace(run, node=call, feeds=pairs, feed_name=_by_spec(feed), feed_dict=None)

    def _completed(self, run: Run) -> Run:
        recorded = self.observed.runs_of(run)
        if not recorded:
            return run
        nested = any(len(known.leaves) != len(run.fetches) for known in recorded)
        fetches = tuple(self._ordered(run, fetch, recorded) for fetch in run.fetches)
        before = all(_reads_before(run, known) for known in recorded)
        settled = all(known.settled for known in recorded)
        return replace(run, fetches=fetches, nested=nested, read_before=before, settled=settled)

    def _ordered(self, run: Run, fetch: Fetch, recorded: Iterable[Recorded]) -> Fetch:
        """Returns a fetch of a variable with the order that was observed, if the call changes variables."""
        if fetch.kind not in OF_VARIABLES or all(other.gives for other in run.fetches):
            return fetch
        orders = {_order(run, fetch, known) for known in recorded}
        order = orders.pop() if len(orders) == 1 else ""
        if order in ("before", "after"):
            self.observed.decide(run.node, f"{ast.unparse(fetch.node)} is read {order} the step that changes it")
        return replace(fetch, order=order)


def _order(run: Run, fetch: Fetch, known: Recorded) -> str:
    """Returns "before", "after", "unchanged", or "" if it was not seen."""
    leaves = leaves_of(run, known)
    names = leaves[run.fetches.index(fetch)] if leaves is not None else ()
    if len(names) != 1 or ":" not in names[0]:
        return ""
    return known.values_of[names[0]][1] if names[0] in known.values_of else "unchanged"


def _reads_before(run: Run, known: Recorded) -> bool:
    """Returns whether all values are of before the changes, by the graph. Those of variables have their own order."""
    leaves = leaves_of(run, known)
    if leaves is None:
        return {*known.tensors} <= known.read_before | known.values_of.keys()
    values = {name for fetch, names in zip(run.fetches, leaves, strict=True) if fetch.gives for name in names}
    return values <= known.read_before | known.values_of.keys()


def _feed_of(call: ast.Call, meanings: Meanings, places: Mapping[str, Kind]) -> ast.expr | None:
    """Returns the argument of a call that holds its feeds."""
    named = next((keyword.value for keyword in call.keywords if keyword.arg == "feed_dict"), None)
    scratch = meanings.at(places)
    assert isinstance(call.func, ast.Attribute)
    of_session = scratch.kind(call.func.value) is Kind.SESSION
    fetched = of_session and not any(keyword.arg == "fetches" for keyword in call.keywords)
    return named or next(iter(call.args[1 if fetched else 0 :]), None)


def without(call: ast.Call, feed: ast.expr) -> ast.Call:
    """Returns a call without one of its arguments."""
    keywords = [keyword for keyword in call.keywords if keyword.value is not feed]
    made = ast.Call(func=call.func, args=[part for part in call.args if part is not feed], keywords=keywords)
    return ast.copy_location(made, call)


def _by_spec(feed: ast.expr) -> ast.Name:
    """Returns the arguments by name of a dict whose keys are placeholders."""
    return ast.Name(id=f"{{spec.name: value for spec, value in {ast.unparse(feed)}.items()}}", ctx=ast.Load())


def spec_names(body: Body) -> dict[ast.Call, str]:
    """Returns the calls that make placeholders, each with the name of its place."""
    items = (item for item in body.items if item.kind is Kind.PLACEHOLDER and len(item.writes) == 1)
    pairs = ((item.node.value, place) for item in items if isinstance(item.node, ast.Assign) for place in item.writes)
    return {call: place.removeprefix("self.") for call, place in pairs if isinstance(call, ast.Call)}
