"""What each call of a session fetches and feeds, from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemods.native.feeding_functions import dict_of
from codemods.native.fetch_lists import keys_of_dict
from codemods.native.kinds import GONE, OF_VARIABLES, SPARSE, Kind, v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import calls_bound_to, place_of
from codemods.native.refusals import NotNativeError
from codemods.native.unset_attributes import is_unset
from codemods.tree import walk

OPERATIONS = frozenset({Kind.TRAIN, Kind.ASSIGN, Kind.INIT, Kind.START})
"""Kinds of fetches that give no value; an assignment that is fetched alone gives the new one."""


@dataclass(frozen=True)
class Fetch:
    """One thing that a call fetches: its expression, kind, place if it has one, and whether it gives a value.

    `order` says of a variable when it is read, by a trace: "before" or "after" the call changes it; "unchanged" if the
    call does not change it; "stepped" if its step may change it, and the value is the one after; "" if nothing says it.
    """

    node: ast.expr
    kind: Kind
    place: str | None
    gives: bool
    order: str = ""


@dataclass(frozen=True)
class Run:
    """A call of a session.

    Attributes:
        node: The call.
        fetches: What it fetches, in order.
        shape: "one" for a single fetch, "list" or "tuple".
        feeds: Place of a placeholder -> what is fed.
        feed_name: The variable that holds the feeds, or the call that gives them, if the call has one.
        feed_dict: The dict itself.
        nested: Whether one of the fetches is a container of tensors, as a trace says.
        read_before: Whether all values are read before the call changes what they read, as the recorded graph says.
        settled: Whether the order of what the call changes makes no difference, by the recorded graph.
        keys: The keys of the dict that was fetched, in the order of the fetches; none if it was no dict.
    """

    node: ast.Call
    fetches: tuple[Fetch, ...]
    shape: str
    feeds: Mapping[str, ast.expr]
    feed_name: ast.Name | ast.Call | None = None
    feed_dict: ast.Dict | None = None
    nested: bool = False
    read_before: bool = False
    settled: bool = False
    keys: tuple[str, ...] = ()

    @property
    def values(self) -> list[Fetch]:
        """The fetches that give a value."""
        return [fetch for fetch in self.fetches if fetch.gives]


class Reader:
    """Reads the calls of sessions in a program."""

    def __init__(self, meanings: Meanings, tree: ast.Module) -> None:
        self.meanings = meanings
        self.parents = meanings.names.parents
        self.tree = tree

    def read(self, call: ast.Call, places: Mapping[str, Kind]) -> Run:
        """Returns what a call fetches and feeds.

        Raises:
            NotNativeError: The source does not say it.
        """
        assert isinstance(call.func, ast.Attribute)
        scratch = self.meanings.at(places)
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        position = list(call.args)
        if set(given) - {"fetches", "feed_dict", "session"}:
            raise _unclear(call, "it has options of a run, such as run_metadata; remove them")
        if scratch.kind(call.func.value) is Kind.SESSION:
            fetched = given.get("fetches") or (position.pop(0) if position else None)
        else:
            fetched = call.func.value
        if fetched is None or any(isinstance(part, ast.Starred) for part in position):
            raise _unclear(call, "it fetches nothing that the source names")
        shape, parts = self._parts(fetched)
        used_alone = shape == "one" and not isinstance(self.parents[call], ast.Expr)
        fetches = tuple(self._fetch(part, scratch, used_alone) for part in parts)
        self._require_alone(fetches)
        self._require_dense(fetches)
        feed = given.get("feed_dict") or (position.pop(0) if position else None)
        name, feeds = self._feeds(call, feed)
        pairs = dict(self._pairs(call, feeds, scratch)) if feeds else {}
        return Run(call, fetches, shape, pairs, name, feeds, keys=keys_of_dict(call, self.parents))

    def _fetch(self, part: ast.expr, scratch: Meanings, used_alone: bool) -> Fetch:
        kind = scratch.kind(part)
        if kind is Kind.PYTHON and is_unset(part, self.tree, self.meanings.names):
            return Fetch(part, Kind.CONSTANT, None, True)
        if kind is Kind.PYTHON or kind in (GONE - {Kind.INIT, Kind.START}) | {Kind.OPTIMIZER}:
            raise _unclear(part, f"it fetches {kind.value}, of which the source does not say what it is")
        return Fetch(part, kind, place_of(part), kind not in OPERATIONS or (kind is Kind.ASSIGN and used_alone))

    def _require_alone(self, fetches: Sequence[Fetch]) -> None:
        """Refuses a fetch of an attribute that nothing sets, beside one that needs a function.

        Raises:
            NotNativeError: There is one.
        """
        unset = [fetch.node for fetch in fetches if is_unset(fetch.node, self.tree, self.meanings.names)]
        if unset and any(fetch.kind not in (*OF_VARIABLES, Kind.CONSTANT) for fetch in fetches):
            raise _unclear(unset[0], f"nothing sets {ast.unparse(unset[0])}")

    def _require_dense(self, fetches: Iterable[Fetch]) -> None:
        """Refuses to fetch a sparse tensor, whose value was a tuple of arrays."""
        for fetch in fetches:
            made = [fetch.node] if isinstance(fetch.node, ast.Call) else calls_bound_to(fetch.place, self.tree)
            calls = [call for call in made if isinstance(call, ast.Call)]
            if any(v1_name(self.meanings.names, call.func) in SPARSE for call in calls):
                raise _unclear(fetch.node, "it fetches a sparse tensor; fetch its indices, values and dense_shape")

    def _parts(self, fetched: ast.expr) -> tuple[str, Sequence[ast.expr]]:
        if isinstance(fetched, (ast.List, ast.Tuple)):
            if any(isinstance(part, (ast.List, ast.Tuple, ast.Dict, ast.Starred)) for part in fetched.elts):
                raise _unclear(fetched, "fetches inside fetches; name them one by one")
            return ("list" if isinstance(fetched, ast.List) else "tuple"), fetched.elts
        if isinstance(fetched, (ast.Dict, ast.ListComp)):
            raise _unclear(fetched, "it fetches a container; name the fetches one by one")
        return "one", [fetched]

    def _feeds(self, call: ast.Call, feed: ast.expr | None) -> tuple[ast.Name | ast.Call | None, ast.Dict | None]:
        if feed is None or (isinstance(feed, ast.Constant) and feed.value is None):
            return None, None
        if isinstance(feed, ast.Dict):
            return None, feed
        if isinstance(feed, ast.Name):
            literal = self._nearest(call, feed.id)
            if literal is not None:
                return feed, literal
        if isinstance(feed, ast.Call):
            given = dict_of(feed, self.tree, self.parents)
            if given is not None:
                return feed, given
        raise _unclear(call, "the source does not say which placeholders it feeds; write the feeds as a dict")

    def _nearest(self, node: ast.AST, name: str) -> ast.Dict | None:
        """Returns the dict that a name holds at a statement: the last assignment before it in the blocks round it."""
        while not isinstance(node, (ast.Module, ast.FunctionDef)):
            parent = self.parents[node]
            for field in ("body", "orelse", "finalbody"):
                block = getattr(parent, field, None)
                if isinstance(block, list) and node in block:
                    for statement in reversed(block[: block.index(node)]):
                        literal = _assigned(statement, name)
                        if literal is not None:
                            return literal
                        if _touches(statement, name):
                            return None
            node = parent
        return None

    def _pairs(self, call: ast.Call, feeds: ast.Dict, scratch: Meanings) -> Iterator[tuple[str, ast.expr]]:
        for key, value in zip(feeds.keys, feeds.values, strict=True):
            place = place_of(key) if key is not None else None
            if place is None or scratch.places.get(place) not in (Kind.PLACEHOLDER, Kind.TENSOR):
                raise _unclear(key or call, "it feeds what is not a placeholder")
            yield place, value


def _assigned(statement: ast.stmt, name: str) -> ast.Dict | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, ast.Dict):
        target = statement.targets[0]
        return statement.value if isinstance(target, ast.Name) and target.id == name else None
    return None


def _touches(statement: ast.stmt, name: str) -> bool:
    """Returns whether a statement may bind or change a name."""
    for node in walk(statement):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Subscript) and place_of(node.value) == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Attribute) and place_of(node.value) == name:
            return True
    return False


def is_variable(fetch: Fetch) -> bool:
    """Returns whether a fetch reads a variable and nothing else."""
    return fetch.kind in OF_VARIABLES


def _unclear(node: ast.AST, why: str) -> NotNativeError:
    return NotNativeError(node, "NAT002", f"this call of a session is not clear from the source: {why}")
