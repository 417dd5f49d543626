"""Facts about the operations where two sides begin to differ, for causes and reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.replaying.playing import Array

CONSTANT, VARIABLE, FEED, TENSOR = "constant", "variable", "feed", "tensor"


def number(value: Array | None) -> float | None:
    """Returns the number in a value of one element; None for several elements, a text or an unknown value."""
    is_one = value is not None and value.size == 1 and value.dtype.kind in "biufV"
    return float(value.ravel()[0]) if is_one and value is not None else None


@dataclass(frozen=True)
class InputSeen:
    """One input of an operation.

    Attributes:
        name: The tensor that is read, such as "conv/kernel/read:0".
        kind: The kind of its source: "constant", "variable", "feed" or "tensor".
        read: Returns its value in the call.
        counterpart: The equal tensor of the other graph; "" if there is none.
        op: The type of the operation that computes it.
        updates: The variable that this operation changes; "" if it changes none.
        unused: Whether the other graph has this operation, but the call does not run it there.
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
        """The value in the call; None if it is not available."""
        return self.read()


@dataclass(frozen=True)
class OpSeen:
    """An operation: its attributes as plain values, the line that made it ("model.py:45").

    Attributes:
        read: Returns its output in the call.
        inner: Name -> NodeDef of the operations in the loop or branches that it ends; empty for other operations.
        changes: The variable that it changes; "" if it changes none.
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
        """The output in the call; None if it is not available."""
        return self.read()


@dataclass(frozen=True)
class Evidence:
    """The facts that a cause may use.

    Attributes:
        theirs, ours: The two operations that correspond; None if one side has no such operation.
        added: An operation before `ours` that only the new graph has; None if there is none.
        only_theirs, only_ours: The operations between the tensors that agree and the tensor that differs, in order; at
            most about a hundred.
        local: The distance of `ours` from `theirs` if both get the inputs of `theirs`; None if this was not tried.
        alone: Whether the difference disappears if every operation runs without fusion; None if this was not tried.
        output: The distance between the two outputs.
        random_theirs, random_ours: The names of the random ops that the call runs.
        shapes: The difference in shape, as text, if the graphs differ in shapes alone; else "".
        unordered, unordered_here: The variable that `theirs`, or `ours`, reads while the call changes it, without an
            order between the two; "" if there is none.
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
