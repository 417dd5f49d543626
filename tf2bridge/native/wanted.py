"""The values that the variables of a native program should have: the recorded ones, after the map's steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codemods.errors import NativeMapError
from codemods.native.native_map import NativeMap, Variable
from tf2bridge.checkpoint.refusals import StepError, UnknownStepError
from tf2bridge.checkpoint.steps import from_table
from tf2bridge.formats.graphs.nodes import by_name, needed, node_of
from tf2bridge.formats.messages import own
from tf2bridge.native.keras_slots import native_slots
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import VariableRecord

GIVING = ("Assign", "AssignVariableOp")


@dataclass(frozen=True)
class Wanted:
    """One row of the map with its recorded variable.

    Attributes:
        row: The row.
        graph: The number of the recorded graph.
        record: The recorded variable.
        is_stated: Whether the map has the row; otherwise it follows from the name, if there is such a variable.
        is_drawn: Whether its first value depends on random numbers.
        initial, final: Its first and last value after the steps of the row; None if it was not recorded.
    """

    row: Variable
    graph: int
    record: VariableRecord
    is_stated: bool
    is_drawn: bool
    initial: np.ndarray[Any, Any] | None
    final: np.ndarray[Any, Any] | None

    @property
    def name(self) -> str:
        """The name in the trace of the native program: the legacy one, or the path if the value was transformed."""
        return self.row.path if self.row.transform else self.row.legacy


def wanted(trace: Trace, native_map: NativeMap, path: Path) -> Iterator[Wanted]:
    """Yields each row of the map that has a native variable, and one for each recorded variable without a row.

    What an optimizer keeps for a variable, such as `w/Adam`, begins with the name of the variable in both programs.
    `w#2` is the variable `w` of the second recorded graph that has one.

    Raises:
        NativeMapError: A row of the only program names no recorded variable, or its steps do not accept the
            recorded value.
    """
    known = _records(trace)
    drawn = [drawn_variables(trace, number) for number in range(len(trace.graphs))]
    several = len({call.function.partition(":")[0] for call in native_map.calls}) > 1
    stated = {row.legacy for row in native_map.variables}
    paths = {row.legacy: row.path for row in native_map.variables if ":" not in row.path and not row.transform}
    of_keras = native_slots(native_map.choices, known, paths)
    for row in native_map.variables:
        if row.legacy in of_keras:
            continue  # the exact optimizer's name
        if row.legacy not in known:
            if several:
                continue  # of another program of the folder
            why = f"{trace.path} has no variable {row.legacy!r}; name one of `tf2bridge inspect`, or record again"
            raise NativeMapError(path, row.line, why)
        graph, record = known[row.legacy]
        if row.path:
            values = [_transformed(trace, ref, row, path) for ref in (record.initial, record.final)]
            yield Wanted(row, graph, record, True, record.name in drawn[graph], values[0], values[1])
    begins = {f"{row.legacy}/": f"{row.path}/" for row in native_map.variables if row.path and not row.transform}
    for name in [name for name in known if of_keras.get(name, name) and (name not in stated or name in of_keras)]:
        graph, record = known[name]
        first, last = (None if ref is None else trace.value(ref) for ref in (record.initial, record.final))
        begin = next((begin for begin in begins if name.startswith(begin)), "")
        base, mark, number = name.rpartition("#")
        place = of_keras.get(name) or (
            f"{paths[base]}#{number}"  # that of another graph
            if mark and base in paths
            else begins[begin] + name.removeprefix(begin)
            if begin and ":" not in begins[begin]
            else _slot(name, known, paths)
        )
        yield Wanted(Variable(name, place), graph, record, False, record.name in drawn[graph], first, last)


def _slot(name: str, known: Mapping[str, object], paths: Mapping[str, str]) -> str:
    """Returns the native name of what an optimizer in a scope keeps: `net/w/Adam` for `train/net/w/Adam`.

    What is kept for `net/w` has its name, also where there is a variable `w`.
    """
    scopes, last = name.rpartition("/")[0].split("/"), name.rpartition("/")[2]
    kept = ["/".join(scopes[number:]) for number in range(len(scopes))]
    return next((f"{paths.get(of, of)}/{last}" for of in kept if of in known), name)


def _records(trace: Trace) -> Mapping[str, tuple[int, VariableRecord]]:
    records: dict[str, tuple[int, VariableRecord]] = {}
    seen: dict[str, int] = {}
    for number, graph in enumerate(trace.graphs):
        for record in graph.variables:
            seen[record.name] = seen.get(record.name, 0) + 1
            records[numbered(record.name, seen[record.name])] = number, record
    return records


def numbered(name: str, number: int) -> str:
    """Returns how the map names the first, second ... variable of a name: "w", "w#2"."""
    return name if number == 1 else f"{name}#{number}"


def drawn_variables(trace: Trace, number: int) -> set[str]:
    """Returns the variables of a graph whose first values come from random ops."""
    nodes = by_name(own("GraphDef").FromString(trace.graph_def(number)).node)
    random = {op.name for op in trace.graphs[number].random_ops}
    giving = [node for node in nodes.values() if node.op in GIVING and len(node.input) > 1]
    return {node_of(node.input[0]) for node in giving if not random.isdisjoint(needed(nodes, [node_of(node.input[1])]))}


def _transformed(trace: Trace, ref: int | None, row: Variable, path: Path) -> np.ndarray[Any, Any] | None:
    if ref is None:
        return None
    value = trace.value(ref)
    try:
        for table in row.transform:
            value = np.asarray(from_table(table)(value))
    except (StepError, UnknownStepError) as error:
        raise NativeMapError(path, row.line, f"the steps of {row.legacy} cannot be done: {error}") from error
    return value
