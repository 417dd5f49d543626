"""What a trace saw of the places and calls of one program.

Lines tie both together: a recorded call belongs to the call of a session round its line, and a recorded placeholder to
the statement that made it. Where several could be meant, nothing is said.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from codemods.native.facts import Facts, Operation, Recorded, Span, span_of
from codemods.native.functions import Function
from codemods.native.hooked_runs import without_hooks
from codemods.native.items import Body
from codemods.native.kinds import Kind
from codemods.native.native_map import Call, Variable
from codemods.native.runs import Fetch, Run

_CONTAINERS = frozenset({Kind.VARIABLES, Kind.ASSIGN, Kind.GRADIENTS, Kind.COLLECTED})
"""Kinds of which a place may hold several."""
_PLACEHOLDERS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")


class Observed:
    """The facts of a trace about one text.

    Args:
        facts: The facts.
        body: The statements of the text.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives the name of that file.
        names: (line of the text, expression, the name that it had).
        has_hooks: Whether runs may have fetched what hooks of the program asked for.

    Attributes:
        decided: (legacy line, what the trace decided), for a person to read.
    """

    def __init__(
        self,
        facts: Facts,
        body: Body,
        line: Callable[[int], int],
        file: Callable[[int], str],
        names: Iterable[tuple[int, str, str]] = (),
        has_hooks: bool = False,
    ) -> None:
        self.facts = facts
        self.decided: list[tuple[int, str]] = []
        self._body, self._line, self._file = body, line, file
        self._has_hooks = has_hooks
        self._runs: dict[ast.AST, list[Recorded]] = {}
        self._shared: set[ast.AST] = set()
        for number, expression, name in names:
            self.decide(ast.Pass(lineno=number), f"{expression} is the name {name}")

    def link(self, sites: Iterable[ast.Call]) -> None:
        """Gives each recorded call to the call of a session round its line."""
        spans = {call: self._span(call) for call in sites}
        for run in self.facts.runs:
            own = [call for call, span in spans.items() if run.via == "" and span.holds(run.file, run.line)]
            for call in own:
                self._runs.setdefault(call, []).append(run)
            if len(own) > 1:
                self._shared.update(own)

    def reached(self, call: ast.Call) -> bool:
        """Returns whether the trace has calls of this line."""
        return call in self._runs

    def runs(self, call: ast.Call) -> Sequence[Recorded]:
        """Returns what was recorded of a call; nothing where other calls stand on its line."""
        return () if call in self._shared else self._runs.get(call, ())

    def runs_of(self, run: Run) -> Sequence[Recorded]:
        """Returns what was recorded of a run, without what hooks asked for."""
        if not self._has_hooks:
            return self.runs(run.node)
        recorded = self._runs.get(run.node, ())
        return list(without_hooks(run, recorded, self.facts, self._body, lambda item: self._span(item.node)))

    def line(self, node: ast.AST) -> int:
        """Returns the legacy line of a node."""
        return self._line(getattr(node, "lineno", 1))

    def decide(self, node: ast.AST, what: str) -> None:
        """Notes what the trace decided."""
        note = (self.line(node), f"the source does not say this, and the trace does: {what}")
        if note not in self.decided:
            self.decided.append(note)

    def placeholders(self, graph: int) -> Mapping[str, str]:
        """Returns fed tensor -> the place that holds it, for the placeholders of a graph.

        Statements at one legacy line, as those of a function that stands at each of its calls, are in their order.
        """
        items: dict[Span, list[str]] = {}
        for item in self._body.items:
            if item.kind is Kind.PLACEHOLDER and len(item.writes) == 1:
                items.setdefault(self._span(item.node), []).extend(item.writes)
        ops = [op for op in self.facts.graphs[graph] if op.type in _PLACEHOLDERS]
        place_of_feed: dict[str, str] = {}
        for span, places in items.items():
            names = [op.name for op in ops if span.holds(op.file, op.line)]
            if len(names) == len(places):
                place_of_feed |= {f"{name}:0": place for name, place in zip(names, places, strict=True)}
        return place_of_feed

    def rows(self, calls: Iterable[Call], functions: Iterable[tuple[Run, Function]]) -> Iterator[Call]:
        """Yields the rows of the map with the recorded names of tensors, where they are certain."""
        made: dict[Call, None] = {}
        for row, (run, function) in zip(calls, functions, strict=True):
            named = [self._named(row, run, function, known) for known in self.runs_of(run)]
            made |= dict.fromkeys(row if other is None else other for other in named or [row])
        yield from made

    def _named(self, row: Call, run: Run, function: Function, known: Recorded) -> Call | None:
        places = {place: name for name, place in self.placeholders(known.graph).items()}
        leaves = leaves_of(run, known)
        if leaves is None or not {*function.feeds} <= places.keys():
            return None
        by_key = {key_of(fetch): names for fetch, names in zip(run.fetches, leaves, strict=True)}
        values = [fetch for fetch in function.values if fetch.kind is not Kind.SUMMARY]
        fetches = [name for fetch in values for name in by_key.get(key_of(fetch), ())]
        operations = [name for fetch in function.operations for name in by_key.get(key_of(fetch), ())]
        feeds = tuple(places[place] for place in function.feeds)
        operations += known.of_hooks
        return replace(row, feeds=feeds, fetches=tuple(fetches), operations=tuple(operations))

    def has_slots(self, scope: str, body: Body) -> bool:
        """Returns whether variables of a scope may be those that optimizers keep: made where a training op was."""
        spans = [self._span(item.node) for item in body.items if item.kind in (Kind.TRAIN, Kind.OPTIMIZER)]
        inside = [op for op in self.facts.variables() if re.match(scope, op.name)]
        return not inside or any(span.holds(op.file, op.line) for op in inside for span in spans)

    def slots(self, rows: Sequence[Variable]) -> Iterator[Variable]:
        """Yields rows for the variables of optimizers that stand in a scope: the native ones are named without it.

        Args:
            rows: The rows of the variables that have another name.
        """
        paths = {row.legacy: row.path for row in rows}
        names = list(dict.fromkeys(op.name for op in self.facts.variables()))
        spans = [self._span(item.node) for item in self._body.items if item.kind is Kind.TRAIN]
        for op in self.facts.variables():
            if not any(span.holds(op.file, op.line) for span in spans):
                continue
            if op.name.rpartition("/")[0] in names:
                continue  # it begins with the name of its variable, as the native one does
            kept = (base for base in names if f"/{base}/" in op.name and "/" not in op.name.partition(f"/{base}/")[2])
            base = max(kept, key=len, default="")
            if base:
                slot = op.name.partition(f"/{base}/")[2]
                yield Variable(op.name, f"{paths.get(base, base)}/{slot}")
            elif re.fullmatch(r".*/beta[12]_power", op.name) and op.name.count("/") and self._is_alone(op):
                yield Variable(op.name, op.name.rpartition("/")[2])

    def _is_alone(self, op: Operation) -> bool:
        """Returns whether no other variable of an optimizer has this name, in another scope or with a number."""
        last = op.name.rpartition("/")[2]
        return sum(last in other.name for other in self.facts.variables()) == 1

    def unproven(self, functions: Iterable[tuple[Run, Function]]) -> Iterator[tuple[int, str]]:
        """Yields (legacy line, what is not proven) for the calls that the trace did not reach."""
        for run, function in functions:
            if not self.reached(run.node):
                yield self.line(run.node), f"the trace did not reach this call of {function.name}; it is not proven"

    def _span(self, node: ast.AST) -> Span:
        return span_of(node, self._line, self._file)


def key_of(fetch: Fetch) -> str:
    """Returns what tells a fetch from others of its call."""
    return fetch.place or ast.unparse(fetch.node)


def leaves_of(run: Run, known: Recorded) -> list[tuple[str, ...]] | None:
    """Returns what was fetched for each fetch of the source; None if it is not certain.

    Of several fetches one alone can be a container.
    """
    extra = len(known.leaves) - len(run.fetches)
    if extra == 0:
        by_key = dict(zip(sorted(run.keys), known.leaves, strict=False))  # the recorder sorts the keys of dicts
        leaves = [by_key[key] for key in run.keys] if run.keys else known.leaves
        return [(name,) for name in leaves]
    if len(run.fetches) == 1:
        return [known.leaves]
    single = [at for at, fetch in enumerate(run.fetches) if fetch.kind not in _CONTAINERS]
    if extra > 0 and len(single) == len(run.fetches) - 1:
        at = next(at for at in range(len(run.fetches)) if at not in single)
        end = at + extra + 1
        names = [(name,) for name in known.leaves]
        return [*names[:at], known.leaves[at:end], *names[end:]]
    return None
