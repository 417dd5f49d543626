"""The rows of a trace's manifest: graphs, random ops, variables, calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RandomOp:
    """An op of the recorded graph that takes seeds, in creation order; `given` if the recorder gave it its seeds."""

    name: str
    type: str
    seed: int
    seed2: int
    given: bool = False


@dataclass(frozen=True, slots=True)
class VariableRecord:
    """A variable, and where its values lie in the trace; None where a value was not recorded.

    `initial` is its value after the call of the index `initial_after_call`, the first that left it with one.
    """

    name: str
    dtype: str
    trainable: bool
    initial: int | None
    final: int | None
    initial_after_call: int | None


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """One graph of the program.

    Attributes:
        member: what holds its serialized GraphDef.
        lines: what holds the lines of the program that created its ops.
        nodes: their number.
        seed: the graph's own seed.
    """

    member: str
    lines: str
    nodes: int
    seed: int | None
    random_ops: tuple[RandomOp, ...]
    variables: tuple[VariableRecord, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor fed or fetched; `value` is None for an Operation, which has no result."""

    name: str
    value: int | None


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of a session.

    Attributes:
        position: its number, from 0, among the calls that the program itself made in its main thread, those that were
            left out of the recording included; None for any other call.
        session: sessions are numbered by their first calls.
        kind: "run", "callable" (what `make_callable` returned) or "partial" (`partial_run`).
        via: the part of TensorFlow that made it; empty for the program's own.
        where: the line of the program, "train.py:45"; empty if none is known.
        intermediate: inner tensors that were recorded with it, producers before consumers.
    """

    index: int
    position: int | None
    kind: str
    graph: int
    session: int
    thread: str
    via: str
    where: str
    feeds: tuple[Leaf, ...]
    fetches: tuple[Leaf, ...]
    intermediate: tuple[Leaf, ...]
    error: str | None

    @property
    def by_program(self) -> bool:
        """Whether the program itself made this call in its main thread: these are the calls that are compared."""
        return self.position is not None

    @property
    def place(self) -> int:
        """Its number for people: among the program's own calls, or among all of them for a module's."""
        return self.index if self.position is None else self.position

    @property
    def step(self) -> str:
        """It for people: "call 3", "call 7 by estimator"."""
        return f"call {self.place} by {self.via}" if self.via else f"call {self.place}"


Pair = tuple[CallRecord | None, CallRecord | None]
"""(the call now, the recorded call); None for a call that one side alone makes."""


def graph_record(row: Mapping[str, Any]) -> GraphRecord:
    """Returns a graph of the manifest."""
    return GraphRecord(
        member=row["member"],
        lines=row["lines"],
        nodes=int(row["nodes"]),
        seed=row["seed"],
        random_ops=tuple(
            RandomOp(op["name"], op["type"], int(op["seed"]), int(op["seed2"]), bool(op.get("given")))
            for op in row["random_ops"]
        ),
        variables=tuple(
            VariableRecord(
                v["name"], v["dtype"], bool(v["trainable"]), v["initial"], v["final"], v["initial_after_call"]
            )
            for v in row["variables"]
        ),
    )


def call_record(row: Mapping[str, Any]) -> CallRecord:
    """Returns a call of the manifest."""
    where = row["where"]
    return CallRecord(
        index=row["index"],
        position=row["position"],
        kind=row["kind"],
        graph=row["graph"],
        session=row["session"],
        thread=row["thread"],
        via=row["via"],
        where=f"{where[0]}:{where[1]}" if where else "",
        feeds=_leaves(row["feeds"]),
        fetches=_leaves(row["fetches"]),
        intermediate=_leaves(row.get("intermediate", ())),
        error=row["error"],
    )


def _leaves(rows: Any) -> tuple[Leaf, ...]:
    return tuple([Leaf(row["name"], row["value"]) for row in rows])
