"""Finds the operations of a graph that do more than compute; no other part of a graph is run or imported.

A list names every operation that was reviewed, and what it does. An operation that is not on the list is refused. This
check comes before any import, because an import runs parts of a graph: while TensorFlow adds nodes, it computes the
tensors that shapes depend on, and may read files for that.
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
"""Type of an operation -> its class, for TensorFlow 0.12 to 2.21; `fixtures/operation_classes.py` adds new ones.

"files if vocab_file" means the class "files" if that attribute is not empty, and harmless otherwise.
"""

HARMLESS = ("pure", "state", "calls")
"""The classes that run without permission.

"pure" only computes. "state" also keeps state in memory (random numbers, variables, tables, queues, iterators). "calls"
runs the functions that its attributes name; their nodes are checked, too.
"""

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
"""The class of an operation that nobody has reviewed; it is refused."""

UNKNOWN = "is not on the list of operations that are known to be harmless"
_UNKNOWN_CALL = "calls {}, which is no function of the graph"
_PRINT = "Print"
_TWICE = "is defined more than once"
FUNCTION = "function"
"""Stands for the operation type if a function itself is refused."""


@dataclass(frozen=True)
class Touch:
    """An operation that does more than compute: its node, its type, and what it does."""

    node: str
    op: str
    does: str

    def __str__(self) -> str:
        return f"{self.node} ({self.op}) {self.does}"


def audit(graph_def: Any, allowed: Iterable[str] = ()) -> list[Touch]:
    """Returns the operations of a graph, and of all functions that its nodes call, that are not permitted.

    Args:
        graph_def: the graph.
        allowed: patterns of operation types that are permitted besides the harmless ones.
    """
    return refused(graph_def.node, graph_def.library, allowed)


def refused(nodes: Collection[Any], library: Any, allowed: Iterable[str] = ()) -> list[Touch]:
    """Does the same as `audit` for nodes and a FunctionDefLibrary."""
    return _Audit(library, allowed).refused(nodes)


def harmless_part(graph_def: Any, allowed: Iterable[str]) -> Any:
    """Returns a copy of a graph without operations that are not permitted, and without all that depends on these.

    A `Print` passes on its value and prints nothing. The library keeps only functions that nodes still call, because
    TensorFlow's optimizer may replace one function by another that no node names.
    """
    checker = _Audit(graph_def.library, allowed)
    nodes = [_silent(node) if node.op == _PRINT and checker.is_harmful(node) else node for node in graph_def.node]
    harmful = [node.name for node in nodes if checker.is_harmful(node)]
    part = type(graph_def)(versions=graph_def.versions)
    left_out = dependents(nodes, harmful, lambda node: node.input)
    part.node.extend(node for node in nodes if node.name not in left_out)
    reached = {*checker.reached(part.node)}
    library = graph_def.library
    part.library.function.extend(function for function in library.function if function.signature.name in reached)
    part.library.gradient.extend(gradient for gradient in library.gradient if gradient.gradient_func in reached)
    return part


def _silent(node: Any) -> Any:
    """Returns an `Identity` in place of a `Print`."""
    identity = type(node)(name=node.name, op="Identity", device=node.device)
    identity.input.extend([*node.input[:1], *(source for source in node.input[1:] if is_control(source))])
    identity.attr["T"].CopyFrom(node.attr["T"])
    return identity


def reached(nodes: Iterable[Any], library: Any) -> list[str]:
    """Returns the functions that nodes call, directly or indirectly, and the gradients of these functions."""
    return _Audit(library, ()).reached(nodes)


def with_functions(nodes: Collection[Any], library: Any) -> Iterator[Any]:
    """Yields the nodes, and then the nodes of all functions that they call, directly or indirectly."""
    checker = _Audit(library, ())
    yield from nodes
    for name in checker.reached(nodes):
        yield from checker.functions[name].node_def


def is_harmless(op: str) -> bool:
    """Returns whether an operation type runs without permission."""
    return _classes().get(op) in HARMLESS


def unlisted(nodes: Iterable[Any]) -> set[str]:
    """Returns the types of nodes that are not on the list, such as operations of a library that the process loaded."""
    return {node.op for node in nodes} - _classes().keys()


def fits(op: str, patterns: Iterable[str]) -> bool:
    """Returns whether an operation type fits one of the patterns."""
    return any(fnmatch.fnmatchcase(op, pattern) for pattern in patterns)


@dataclass(frozen=True)
class _Kind:
    """The facts about an operation type.

    Attributes:
        refusal: why it does not run, or "".
        only_with: the attribute that makes it harmful; without it the operation is harmless.
        calls: whether its attributes may name functions.
        permitted: whether a pattern permits it.
    """

    refusal: str
    only_with: str
    calls: bool
    permitted: bool


class _Audit:
    """Checks the nodes of one graph, by its functions and by the permitted patterns."""

    def __init__(self, library: Any, allowed: Iterable[str]) -> None:
        self.functions = functions_of(library)
        self._gradients = {gradient.function_name: gradient.gradient_func for gradient in library.gradient}
        times = Counter(function.signature.name for function in library.function)
        self._twice = {name for name, count in times.items() if count > 1}
        self._allowed = tuple(allowed)
        self._known: dict[str, _Kind] = {}
        self._quiet: set[str] = set()  # types that are harmless and call nothing, as of nearly all nodes

    def refused(self, nodes: Collection[Any]) -> list[Touch]:
        """Returns the operations of nodes, and of the functions that they call, that are not permitted."""
        if not self.functions:
            kinds = {node.op for node in nodes}
            known = all(self._kind(op) and op in self._quiet for op in kinds)
            return [] if known else self._inspected(nodes)[0]
        touches: list[Touch] = []

        def names(nodes: Iterable[Any]) -> list[str]:
            own, run = self._inspected(nodes)
            touches.extend(own)
            return run

        reached = all_called(nodes, self.functions, self._gradients, names)
        return touches + [touch for name in reached for touch in self._as_a_whole(name)]

    def reached(self, nodes: Iterable[Any]) -> list[str]:
        """Returns the functions that nodes call, directly or indirectly, and the gradients of these functions."""
        return all_called(nodes, self.functions, self._gradients, self._names) if self.functions else []

    def is_harmful(self, node: Any) -> bool:
        """Returns whether a node, or a function that it calls, is not permitted."""
        touches, run = self._inspected([node])
        return bool(touches) or not self._harmful.isdisjoint(run)

    @functools.cached_property
    def _harmful(self) -> set[str]:
        """Returns the functions that are not permitted or call one that is not.

        Operations with such a function as gradient are included.
        """
        callers: dict[str, list[str]] = {}
        for name, function in self.functions.items():
            for callee in called_by(function, self._names):
                callers.setdefault(callee, []).append(name)
        for name, gradient in self._gradients.items():
            callers.setdefault(gradient, []).append(name)
        touched = [
            name
            for name, function in self.functions.items()
            if self._inspected(function.node_def)[0] or self._as_a_whole(name)
        ]
        pending = deque(touched)
        harmful: set[str] = set()
        while pending:
            name = pending.popleft()
            if name not in harmful:
                harmful.add(name)
                pending.extend(callers.get(name, ()))
        return harmful

    def _names(self, nodes: Iterable[Any]) -> list[str]:
        """Returns the names of the operations and functions that nodes run."""
        return self._inspected(nodes)[1]

    def _inspected(self, nodes: Iterable[Any]) -> tuple[list[Touch], list[str]]:
        """Returns the nodes that are not permitted themselves, and the names of operations and functions they run."""
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
                touches += self._unknown_calls(node.name, op, run - {op})
        return touches, names

    def _as_a_whole(self, name: str) -> list[Touch]:
        """Returns the problems of a function besides those of its nodes."""
        touches = self._unknown_calls(name, FUNCTION, defaults(self.functions[name]))
        return touches + ([Touch(name, FUNCTION, _TWICE)] if name in self._twice else [])

    def _unknown_calls(self, node: str, op: str, names: set[str]) -> list[Touch]:
        """Returns the calls of a node or function that are neither functions of the graph nor harmless operations."""
        unknown = sorted(names - self.functions.keys() - {""})
        return [Touch(node, op, _UNKNOWN_CALL.format(name)) for name in unknown if self._kind(name).refusal]

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
    classes: dict[str, str] = json.loads(CLASSES.read_text("ascii"))
    return classes
