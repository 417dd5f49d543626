"""Which function of a native program stands for which recorded call, by the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from codemods.native.native_map import Call, Dropped, NativeMap
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.formats.messages import own
from tf2bridge.native.summaries import summary_in
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_LONGEST = 30
"""More lines than a call has."""
_READ = frozenset(("Const", "Variable", "VariableV2", "VarHandleOp", "ReadVariableOp"))
"""Ops of what a program may read without a call."""


@dataclass(frozen=True)
class Counterparts:
    """The recorded calls of a program, by what stands for them.

    Attributes:
        by_function: "train:Model.step" of the map -> the calls that it stands for with their rows, in their order.
        dropped: Calls that became nothing, with their rows.
        unmapped: Calls that no row names.
    """

    by_function: dict[str, list[tuple[CallRecord, Call]]]
    dropped: list[tuple[CallRecord, Dropped]]
    unmapped: list[CallRecord]


def counterparts(recorded: Trace, native_map: NativeMap) -> Counterparts:
    """Returns what stands for each of the recorded calls of a program."""
    order = _placeholders(recorded) if any(_is_of_source(row) for row in native_map.calls) else {}
    by_function: dict[str, list[tuple[CallRecord, Call]]] = {row.function: [] for row in native_map.calls}
    dropped: list[tuple[CallRecord, Dropped]] = []
    unmapped: list[CallRecord] = []
    for call in recorded.program_calls:
        tensors = _tensors(call, recorded)
        row = _row(call, native_map, recorded, len(tensors))
        if isinstance(row, Call):
            by_function[row.function].append((call, _in_names_of(call, row, order, tensors)))
        elif row is not None:
            dropped.append((call, row))
        else:
            unmapped.append(call)
    return Counterparts(by_function, dropped, unmapped)


def _row(call: CallRecord, native_map: NativeMap, recorded: Trace, tensors: int) -> Call | Dropped | None:
    """Returns the row of a call: the one with the most of its fetches, if it has no others.

    Names of the source say only how many tensors a call fetches. A line may have several calls. Those that only read
    variables and constants are the ones that became nothing. Of rows that fetch the same, it is the one with its feeds.
    """
    fetched = frozenset(leaf.name for leaf in call.fetches)
    where = _place(call.where, [*(row.legacy for row in native_map.calls), *(row.legacy for row in native_map.dropped)])
    gone = [row for row in native_map.dropped if row.legacy == where]
    for row in gone:
        if row.fetches and frozenset(row.fetches) == fetched:
            return row
    rows = [row for row in native_map.calls if row.legacy == where]
    read = next((row for row in gone if row.kind == "read" and not row.fetches), None)
    if read is not None and rows and _only_reads(call, recorded):
        return read
    by_number = [row for row in rows if _is_of_source(row) and len(row.fetches) == tensors]
    rows = (
        [row for row in rows if row.fetched <= fetched]
        or by_number
        or [row for row in rows if _is_of_source(row) and (not row.fetches or not call.fetches)]
    )
    if all(":" in leaf.name for leaf in call.fetches):  # a step that counts as many values has an operation
        rows = [row for row in rows if not row.operations] or rows
    fed = {leaf.name for leaf in call.feeds}
    best = max(rows, key=lambda row: (len(row.fetched), {*row.feeds} - {""} == fed), default=None)
    everything = next((row for row in gone if not row.fetches), None)
    return everything if best is None or (not best.fetched and everything is not None) else best


def _only_reads(call: CallRecord, recorded: Trace) -> bool:
    """Returns whether a call fetches variables and constants alone."""
    fetched = {node_of(leaf.name) for leaf in call.fetches}
    nodes = own("GraphDef").FromString(recorded.graph_def(call.graph)).node
    return bool(fetched) and all(node.op in _READ for node in nodes if node.name in fetched)


def _place(where: str, known: Sequence[str]) -> str:
    """Returns the line in the map of a recorded line.

    Before Python 3.8 a call of several lines was at its last line. The map has its first: the one nearest above.
    """
    file, _, line = where.rpartition(":")
    if where in known or not line.isdecimal():
        return where
    pairs = (place.rpartition(":") for place in known)
    above = [
        int(number) for other, _, number in pairs if other == file and int(line) - _LONGEST < int(number) < int(line)
    ]
    return f"{file}:{max(above)}" if above else where


def _placeholders(recorded: Trace) -> dict[tuple[int, str], int]:
    """Returns the graphs and tensors that the program feeds, with the place of each in the order of making."""
    fed = {(call.graph, leaf.name) for call in recorded.program_calls for leaf in call.feeds}
    order: dict[tuple[int, str], int] = {}
    for graph in sorted({graph for graph, _ in fed}):
        names = {node_of(name): name for number, name in fed if number == graph}
        for node in own("GraphDef").FromString(recorded.graph_def(graph)).node:
            if node.name in names:
                order[graph, names[node.name]] = len(order)
    return order


def _is_of_source(row: Call) -> bool:
    """Returns whether a row may name tensors as the source does, which needs no trace."""
    return not any(":" in name for name in (*row.fetched, *row.feeds))


def _in_names_of(call: CallRecord, row: Call, order: Mapping[tuple[int, str], int], tensors: Sequence[str]) -> Call:
    """Returns a row with the names of tensors.

    Names of the source stand for the tensors of a call in its order. Placeholders without these names are those that
    are left, in the order of making, in which the source has them too; if that were wrong, the feeds would differ.
    """
    fed = {leaf.name for leaf in call.feeds}
    feeds = [f"{name}:0" if f"{name}:0" in fed else name for name in row.feeds]
    places = {name: order[call.graph, name] for name in fed - {*feeds} if (call.graph, name) in order}
    left = sorted(places, key=lambda name: places[name])
    unknown = [place for place, name in enumerate(feeds) if name not in fed]
    if _is_of_source(row) and len(left) == len(unknown):
        for place, name in zip(unknown, left, strict=True):
            feeds[place] = name
    if row.fetched <= {leaf.name for leaf in call.fetches}:
        return replace(row, feeds=tuple(feeds))
    if not call.fetches:  # metrics, whose values are fetched at the end
        return replace(row, feeds=tuple(feeds), fetches=("",) * len(row.fetches), operations=())
    if not row.fetches:  # assignments in a list, whose values nothing used
        return replace(row, feeds=tuple(feeds), operations=tuple(leaf.name for leaf in call.fetches))
    operations = tuple(leaf.name for leaf in call.fetches if ":" not in leaf.name)
    return replace(row, feeds=tuple(feeds), fetches=tuple(tensors), operations=operations)


def _tensors(call: CallRecord, recorded: Trace) -> list[str]:
    """Returns the tensors that a call fetches, without summaries, which have rows of their own."""
    leaves = (leaf for leaf in call.fetches if ":" in leaf.name and not summary_in(recorded, leaf))
    return list(dict.fromkeys(leaf.name for leaf in leaves))


def function_named(name: str, known: Sequence[str]) -> str:
    """Returns the name in the map of a function, "src.train:Model.step"; "" if the map does not name it.

    The map may leave out folders, since the program's folder is where Python finds its modules.
    """
    module, _, function = name.partition(":")
    for candidate in known:
        wanted, _, inside = candidate.partition(":")
        if inside == function and (module == wanted or module.endswith(f".{wanted}")):
            return candidate
    return ""


def program_of(command: Sequence[str]) -> str:
    """Returns the module of a program, as its rows in a map name it: "train" for ["src/train.py", "--steps", "5"]."""
    return command[1].rpartition(".")[2] if command[0] == "-m" and len(command) > 1 else Path(command[0]).stem
