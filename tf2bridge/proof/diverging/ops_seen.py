"""What is known of an operation that parts two sides: what a cause looks at, and what a report shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.replaying.playing import Array

CONSTANT, VARIABLE, FEED, TENSOR = "constant", "variable", "feed", "tensor"


def number(value: Array | None) -> float | None:
    """Returns the one number that a value holds; None where it holds several, or a text, or is not known."""
    is_one = value is not None and value.size == 1 and value.dtype.kind in "biufV"
    return float(value.ravel()[0]) if is_one and value is not None else None


@dataclass(frozen=True)
class InputSeen:
    """One input of an operation.

    Attributes:
        name: the endpoint that is read, as "conv/kernel/read:0".
        kind: "constant", "variable", "feed" or "tensor", by what it follows from.
        read: gives its value.
        counterpart: the point of the other graph that agrees with it; "" for none.
        op: the type of the operation that it comes from.
        updates: the variable that this operation changes, "" for none.
        unused: whether the other graph holds the operation, and the call does not run it there.
    """

    name: str
    kind: str
    read: Callable[[], Array | None] = field(repr=False)
    counterpart: str
    op: str
    updates: str = ""
    unused: bool = False

    @property
    def value(self) -> Array | None:
        """What it was in the call; None where it cannot be had."""
        return self.read()


@dataclass(frozen=True)
class OpSeen:
    """An operation: its attributes as plain values, the line that made it ("model.py:45").

    `read`: gives its output in the call.
    `inner`: the operations in the loop or branches that it ends, name -> NodeDef; empty for others.
    `changes`: the variable that it changes, "" for none.
    """

    name: str
    type: str
    point: str
    inputs: tuple[InputSeen, ...]
    read: Callable[[], Array | None] = field(repr=False)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    loop: str = ""
    inner: Mapping[str, Any] = field(default_factory=dict)
    changes: str = ""

    @property
    def output(self) -> Array | None:
        """What it gave in the call; None where that cannot be had."""
        return self.read()


@dataclass(frozen=True)
class Evidence:
    """What a cause may look at.

    Attributes:
        theirs, ours: the operations that stand against each other; None where one side has none.
        added: the operation that only the new graph has, before `ours`; None for none.
        only_theirs, only_ours: the operations from the agreeing points to what differs, in order, at most some hundred.
        local: how far `ours` is from `theirs` when it is given the inputs of `theirs`; None where that was not tried.
        alone: whether the difference is gone when each operation runs by itself, without fusion; None: not tried.
        output: how far both outputs are apart.
        random_theirs, random_ours: the names of the random ops that the call runs.
        shapes: what differs in shape, for people, where the graphs are told apart by shapes alone; else "".
        unordered, unordered_here: the variable behind `theirs`, or `ours`, that the call changes with no order
            between; "" for none.
    """

    theirs: OpSeen | None
    ours: OpSeen | None
    added: OpSeen | None
    only_theirs: tuple[OpSeen, ...]
    only_ours: tuple[OpSeen, ...]
    local: Distance | None
    output: Distance | None
    alone: bool | None = None
    random_theirs: tuple[str, ...] = ()
    random_ours: tuple[str, ...] = ()
    unordered: str = ""
    unordered_here: str = ""
    shapes: str = ""

    @property
    def scope(self) -> str:
        """The name scope of the operation, "model/norm"."""
        op = self.theirs or self.ours
        return op.name.rpartition("/")[0] if op is not None else ""
