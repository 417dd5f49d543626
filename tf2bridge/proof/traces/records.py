"""The rows of a trace's manifest: graphs, random ops, variables, calls."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RandomOp:
    """An op of the recorded graph that takes seeds, in creation order."""

    name: str
    type: str
    seed: int
    seed2: int


@dataclass(frozen=True)
class VariableRecord:
    """A variable, and where its values lie in the trace; None where a value was not recorded.

    `initial` is its value after the call of the index `initial_after_call`, the first that left it with one.
    """

    name: str
    dtype: str
    trainable: bool
    initial: int | None
    final: int | None
    initial_after_call: int | None = None


@dataclass(frozen=True)
class GraphRecord:
    """One graph of the program: its serialized GraphDef's member, graph seed, random ops and variables."""

    member: str
    seed: int | None
    random_ops: tuple[RandomOp, ...]
    variables: tuple[VariableRecord, ...]


@dataclass(frozen=True)
class Leaf:
    """A tensor fed or fetched; `value` is None for an Operation, which has no result."""

    name: str
    value: int | None


@dataclass(frozen=True)
class CallRecord:
    """One `Session.run`; `via` names the part of TensorFlow that made it, and is empty for the program's own.

    `session` numbers the sessions of the trace by their first calls.
    """

    index: int
    graph: int
    thread: str
    via: str
    where: str
    feeds: tuple[Leaf, ...]
    fetches: tuple[Leaf, ...]
    error: str | None
    session: int = 0

    @property
    def by_program(self) -> bool:
        """Whether the program itself made this call in its main thread: these are the calls that are compared."""
        return not self.via and self.thread == "MainThread"
