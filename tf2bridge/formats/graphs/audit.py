"""What a graph would do besides computing: nothing of a graph is run, nor imported, that is not permitted here.

The list names every operation that was looked at, and what it does; one that is not on it is refused. To import a graph
is to run parts of it: TensorFlow computes what shapes depend on, if need be from a file, while it adds nodes. So what
refuses operations comes before any import.
"""

from __future__ import annotations

import fnmatch
import functools
import json
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge.formats.graphs.called import all_called, called, called_by, defaults, functions_of
from tf2bridge.formats.graphs.nodes import dependents, is_control

CLASSES = Path(__file__).with_name("operation_classes.json")
"""Operation -> its class, for all of TensorFlow 0.12 to 2.21; `fixtures/operation_classes.py` adds new ones.

"files if vocab_file": of the class "files" where that attribute is not empty, and harmless where it is.
"""

HARMLESS = ("pure", "state", "calls")
"""Classes that run: what only computes; what besides keeps state in memory (random numbers, variables, tables, queues,
iterators); and what runs the functions that its attributes name, which are looked into."""

DOES = {
    "files": "reads or writes files",
    "python": "calls Python",
    "processes": "talks to another process",
    "prints": "prints",
    "ends": "ends the process",
    "waits": "makes the process wait",
    "debugs": "belongs to TensorFlow's debugger, which writes files and talks to other processes",
    "program": "runs a program that is not in the graph's nodes",
    "device": "drives an accelerator",
    "internal": "is for TensorFlow's own use",
}
"""Class that is refused -> what its operations do."""

UNREVIEWED = "unreviewed"
"""The class of an operation that nobody has looked at yet: it is refused."""

UNKNOWN = "is not on the list of operations that are known to be harmless"
_STRANGE = "calls {}, which is no function of the graph"
_PRINT = "Print"
_TWICE = "is defined more than once"
FUNCTION = "function"
"""In place of an operation type, where a function itself is refused."""


@dataclass(frozen=True)
class Touch:
    """An operation that is not only arithmetic: its node, its type, and what it does."""

    node: str
    op: str
    does: str

    def __str__(self) -> str:
        return f"{self.node} ({self.op}) {self.does}"


def audit(graph_def: Any, allowed: Iterable[str] = ()) -> list[Touch]:
    """Returns what a graph, with all functions that its nodes reach, would do and may not.

    allowed: patterns of operation types that are permitted besides the harmless ones.
    """
    return refused(graph_def.node, graph_def.library, allowed)


def refused(nodes: Collection[Any], library: Any, allowed: Iterable[str] = ()) -> list[Touch]:
    """The same of nodes, and of a FunctionDefLibrary."""
    return _Audit(library, allowed).refused(nodes)


def harmless_part(graph_def: Any, allowed: Iterable[str]) -> Any:
    """Returns a copy of a graph without what is not permitted and all that depends on it, as a Saver's operations.

    What only prints the value that it passes on stays, and prints nothing. The library has the functions that are left
    reachable and no others: TensorFlow's optimizer may put one that no node names in the place of another.
    """
    judge = _Audit(graph_def.library, allowed)
    nodes = [_silent(node) if node.op == _PRINT and judge.is_harmful(node) else node for node in graph_def.node]
    harmful = [node.name for node in nodes if judge.is_harmful(node)]
    part = type(graph_def)(versions=graph_def.versions)
    left_out = dependents(nodes, harmful, lambda node: node.input)
    part.node.extend(node for node in nodes if node.name not in left_out)
    reached = {*judge.reached(part.node)}
    part.library.function.extend(each for each in graph_def.library.function if each.signature.name in reached)
    part.library.gradient.extend(each for each in graph_def.library.gradient if each.gradient_func in reached)
    return part


def _silent(node: Any) -> Any:
    """An operation that passes on what another passes on and prints."""
    made = type(node)(name=node.name, op="Identity", device=node.device)
    made.input.extend([*node.input[:1], *(source for source in node.input[1:] if is_control(source))])
    made.attr["T"].CopyFrom(node.attr["T"])
    return made


def reached(nodes: Iterable[Any], library: Any) -> list[str]:
    """The functions of a FunctionDefLibrary that nodes call, directly or not, or whose gradients these may ask for."""
    return _Audit(library, ()).reached(nodes)


def with_functions(nodes: Collection[Any], library: Any) -> Iterator[Any]:
    """The nodes, and then the nodes of all functions that they reach."""
    judge = _Audit(library, ())
    yield from nodes
    for name in judge.reached(nodes):
        yield from judge.functions[name].node_def


def is_harmless(op: str) -> bool:
    """Whether an operation type runs without permission."""
    return _classes().get(op) in HARMLESS


def unlisted(nodes: Iterable[Any]) -> set[str]:
    """The types of nodes that are on no list, as operations of a library that the process loaded itself."""
    return {node.op for node in nodes} - _classes().keys()


def fits(op: str, patterns: Iterable[str]) -> bool:
    """Whether an operation type fits one of the patterns."""
    return any(fnmatch.fnmatchcase(op, pattern) for pattern in patterns)


@dataclass(frozen=True)
class _Kind:
    """What is known of an operation type.

    refusal: why it does not run, "" if it does. only_with: the attribute without which it is harmless all the same.
    calls: whether its attributes may name functions. permitted: whether it was permitted by name.
    """

    refusal: str
    only_with: str
    calls: bool
    permitted: bool


class _Audit:
    """Judges the nodes of one graph, by its functions and by what is permitted."""

    def __init__(self, library: Any, allowed: Iterable[str]) -> None:
        self.functions = functions_of(library)
        self._gradients = {each.function_name: each.gradient_func for each in library.gradient}
        times = Counter(each.signature.name for each in library.function)
        self._twice = {name for name, count in times.items() if count > 1}
        self._allowed = tuple(allowed)
        self._known: dict[str, _Kind] = {}
        self._quiet: set[str] = set()  # what is harmless and calls nothing, as nearly all nodes

    def refused(self, nodes: Collection[Any]) -> list[Touch]:
        """What of the nodes, and of the functions that they reach, is not permitted."""
        if not self.functions:
            kinds = {node.op for node in nodes}
            known = all(self._kind(op) and op in self._quiet for op in kinds)
            return [] if known else self._looked_at(nodes)[0]
        found: list[Touch] = []

        def names(nodes: Iterable[Any]) -> list[str]:
            touches, run = self._looked_at(nodes)
            found.extend(touches)
            return run

        reached = all_called(nodes, self.functions, self._gradients, names)
        return found + [touch for name in reached for touch in self._as_a_whole(name)]

    def reached(self, nodes: Iterable[Any]) -> list[str]:
        """The names of the functions that nodes call, directly or not, or whose gradients these may ask for."""
        return all_called(nodes, self.functions, self._gradients, self._names) if self.functions else []

    def is_harmful(self, node: Any) -> bool:
        """Whether a node, or a function that it reaches, does what is not permitted."""
        touches, run = self._looked_at([node])
        return bool(touches) or not self._harmful.isdisjoint(run)

    @functools.cached_property
    def _harmful(self) -> set[str]:
        """The functions that do what is not permitted, or reach one that does; operations whose gradient does."""
        callers: dict[str, list[str]] = {}
        for name, function in self.functions.items():
            for each in called_by(function, self._names):
                callers.setdefault(each, []).append(name)
        for name, gradient in self._gradients.items():
            callers.setdefault(gradient, []).append(name)
        touched = [
            name
            for name, function in self.functions.items()
            if self._looked_at(function.node_def)[0] or self._as_a_whole(name)
        ]
        pending = deque(touched)
        found: set[str] = set()
        while pending:
            name = pending.popleft()
            if name not in found:
                found.add(name)
                pending.extend(callers.get(name, ()))
        return found

    def _names(self, nodes: Iterable[Any]) -> list[str]:
        """The names of what nodes run; most operations run nothing but themselves, whatever attributes they have."""
        return self._looked_at(nodes)[1]

    def _looked_at(self, nodes: Iterable[Any]) -> tuple[list[Touch], list[str]]:
        """What each of the nodes itself does and may not; and the names of what they run."""
        touches: list[Touch] = []
        names: list[str] = []
        for node in nodes:
            op = node.op
            if op in self._quiet:
                names.append(op)
                continue
            kind = self._kind(op)
            run = called(node) if kind.calls else {op}
            names.extend(run)
            if kind.refusal and (not kind.only_with or (kind.only_with in node.attr and node.attr[kind.only_with].s)):
                touches.append(Touch(node.name, op, kind.refusal))
            elif kind.calls and not kind.permitted:
                touches += self._strange(node.name, op, run - {op})
        return touches, names

    def _as_a_whole(self, name: str) -> list[Touch]:
        """What is wrong with a function besides its nodes."""
        found = self._strange(name, FUNCTION, defaults(self.functions[name]))
        return found + ([Touch(name, FUNCTION, _TWICE)] if name in self._twice else [])

    def _strange(self, node: str, op: str, names: set[str]) -> list[Touch]:
        """What a node, or a function, calls that is no function of the graph, nor a harmless operation."""
        left = sorted(names - self.functions.keys() - {""})
        return [Touch(node, op, _STRANGE.format(each)) for each in left if self._kind(each).refusal]

    def _kind(self, op: str) -> _Kind:
        if op not in self._known:
            name, _, only_with = _classes().get(op, "").partition(" if ")
            permitted = fits(op, self._allowed)
            harmless = permitted or name in HARMLESS or (not name and op in self.functions)
            calls = name not in ("pure", "state") or op in self.functions
            self._known[op] = _Kind("" if harmless else DOES.get(name, UNKNOWN), only_with, calls, permitted)
            if harmless and not calls:
                self._quiet.add(op)
        return self._known[op]


@functools.cache
def _classes() -> dict[str, str]:
    found: dict[str, str] = json.loads(CLASSES.read_text("ascii"))
    return found
