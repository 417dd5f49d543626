"""What a trace knows of a program: the JSON of `python -m tf2bridge.native.evidence`, which documents the form.

The trace is read in a process of its own, or its evidence is given as a file that ends in `.json`.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from codemods.errors import EvidenceError
from codemods.regular import read_regular

_VERSION = 1
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_READ = f"""
import importlib, sys
sys.path[:] = [*filter(None, sys.path), {str(Path(__file__).resolve().parents[2])!r}]
sys.exit(importlib.import_module("tf2bridge.native.evidence").main())
"""
"""Prints the evidence. It ignores modules of the current directory, which may be that of the legacy program."""


@dataclass(frozen=True)
class Operation:
    """An op of a recorded graph: its name, its type, the ops that it reads, and the file and line that made it."""

    name: str
    type: str
    inputs: tuple[str, ...]
    file: str
    line: int


@dataclass(frozen=True)
class Span:
    """Lines of a file of the legacy program: its path from the program's folder, and the first and last line."""

    file: str
    first: int
    last: int

    def holds(self, file: str, line: int) -> bool:
        """Returns whether a recorded place is among these lines. It may name the folders round the program too."""
        own = [part for part in PurePosixPath(self.file).parts if part != ".."]
        return list(PurePosixPath(file).parts[-len(own) :]) == own and self.first <= line <= self.last


def span_of(node: ast.AST, line: Callable[[int], int], file: Callable[[int], str]) -> Span:
    """Returns where the text of a node stood in the legacy program.

    Args:
        node: A node of a rewritten text.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives the name of that file.
    """
    first = getattr(node, "lineno", 1)
    last = getattr(node, "end_lineno", None) or first
    return Span(file(first), line(first), max(line(first), line(last)))


@dataclass(frozen=True)
class LocatedFacts:
    """What was recorded of a program, and where the lines of a rewritten text stood in it.

    Attributes:
        facts: What was recorded.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives the name of that file.
    """

    facts: Facts
    line: Callable[[int], int]
    file: Callable[[int], str]

    def span(self, node: ast.AST) -> Span:
        """Returns where the text of a node stood."""
        return span_of(node, self.line, self.file)


@dataclass(frozen=True)
class Recorded:
    """The calls of one line that feed and fetch the same.

    Attributes:
        file, line: Where the program called; "" and 0 if that is not known.
        graph: The number of the graph.
        via: The module of TensorFlow that called; "" for the program itself.
        kind: "run", "callable" or "partial".
        feeds: The fed tensors.
        leaves: All that was fetched, after flattening: tensors "x:0" and operations "step".
        settled: Whether the order of all that the call changes makes no difference.
        read_before: Fetched tensors that read variables before the call changes these, as the graph says.
        values_of: Fetched tensor -> the variable whose value it is, and "before", "after" or "": when it was read.
        count: How often it was called.
        changes: The variables that it may change.
        stands_for: Fetched tensor -> the one that computes the same and that an earlier call of this line fetched.
        of_hooks: What hooks alone asked for, which `leaves` has no more.
    """

    file: str
    line: int
    graph: int
    via: str
    kind: str
    feeds: tuple[str, ...]
    leaves: tuple[str, ...]
    settled: bool
    read_before: frozenset[str]
    values_of: Mapping[str, tuple[str, str]]
    count: int = 1
    changes: frozenset[str] = frozenset()
    stands_for: Mapping[str, str] = field(default_factory=dict)
    of_hooks: tuple[str, ...] = ()

    @property
    def first_leaves(self) -> tuple[str, ...]:
        """All that was fetched, by the names of the earliest tensors that compute the same."""
        return tuple(self.stands_for.get(name, name) for name in self.leaves)

    @property
    def tensors(self) -> tuple[str, ...]:
        """The fetched tensors."""
        return tuple(name for name in self.leaves if ":" in name)

    @property
    def operations(self) -> tuple[str, ...]:
        """The fetched operations."""
        return tuple(name for name in self.leaves if ":" not in name)


@dataclass(frozen=True)
class Facts:
    """The evidence of one trace.

    Attributes:
        path: The trace, for messages.
        release: The TensorFlow that recorded it, "1.4.1".
        script: The file that ran, "train.py"; "" if it ran otherwise.
        runs: The calls.
        graphs: The ops of each graph, in the order in which they were made.
    """

    path: str
    release: str
    script: str
    runs: tuple[Recorded, ...]
    graphs: tuple[tuple[Operation, ...], ...]

    def known_release(self, stated: str) -> str:
        """Returns a stated release of TensorFlow; that of the trace for "auto"."""
        return self.release if stated == "auto" else stated

    def variables(self) -> Iterator[Operation]:
        """Yields the ops that are variables, in the order of making."""
        for graph in self.graphs:
            yield from (op for op in graph if op.type in _VARIABLES)

    def covers(self, files: frozenset[str]) -> bool:
        """Returns whether calls in one of these files were recorded."""
        return any(PurePosixPath(run.file).name in files for run in self.runs)


def facts_of(trace: Path, source: Path) -> Facts:
    """Returns what a trace knows of the program in a directory.

    Args:
        trace: A trace, or a file of its evidence that ends in `.json`.
        source: The directory of the program.

    Raises:
        EvidenceError: It cannot be read, or the part that reads traces is not installed.
    """
    if trace.suffix == ".json":
        try:
            text = read_regular(trace).decode()
        except (OSError, ValueError) as error:
            raise EvidenceError(trace, str(error)) from error
    else:
        command = [sys.executable, "-c", _READ, "--source", str(source), "--", str(trace)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it cannot be read"])[-1]
            raise EvidenceError(trace, last.removeprefix("error: ").removeprefix(f"{trace}: "))
        text = done.stdout
    try:
        return facts_in(json.loads(text), str(trace))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EvidenceError(trace, f"it is no evidence of a trace ({type(error).__name__}: {error})") from error


def facts_in(evidence: Mapping[str, Any], path: str) -> Facts:
    """Returns the facts of evidence in its JSON form."""
    if evidence["version"] != _VERSION:
        raise ValueError(f"version {evidence['version']}")
    argv = evidence["argv"]
    return Facts(
        path,
        str(evidence["tensorflow"]),
        PurePosixPath(str(argv[0]).replace("\\", "/")).name if argv else "",
        tuple(_recorded(row) for row in evidence["runs"]),
        tuple(tuple(_operation(row) for row in graph["ops"]) for graph in evidence["graphs"]),
    )


def _recorded(row: Mapping[str, Any]) -> Recorded:
    values = {value["fetch"]: (value["variable"], value["observed"]) for value in row["values_of"]}
    feeds = tuple(leaf["name"] for leaf in row["feeds"])
    late = {read["fetch"] for read in row["reads"] if read["order"] != "before"}
    called = row["graph"], row["via"], row["kind"]
    before = frozenset(name for name in row["leaves"] if ":" in name) - late
    leaves, changes = tuple(row["leaves"]), frozenset(row["changes"])
    settled, again = row["settled"], row.get("stands_for", {})
    where = _place(row["line"])
    return Recorded(*where, *called, feeds, leaves, settled, before, values, row["count"], changes, again)


def _operation(row: Mapping[str, Any]) -> Operation:
    inputs = tuple(name.removeprefix("^").partition(":")[0] for name in row["inputs"])
    return Operation(row["name"], row["type"], inputs, *_place(row["line"]))


def _place(line: str) -> tuple[str, int]:
    file, _, number = line.rpartition(":")
    return (file, int(number)) if file and number.isdecimal() else ("", 0)
