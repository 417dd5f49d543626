"""The sides of a comparison. A side stores values by name, or computes them, or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tf2bridge.proof.numbers.pieces import Array, Lazy

if TYPE_CHECKING:
    from tf2bridge.formats.checkpoints.stored import Checkpoint
    from tf2bridge.proof.traces.reader import Trace


@dataclass(frozen=True)
class Value:
    """A stored tensor.

    Attributes:
        name: The name of the tensor on its side.
        read: Returns the value, or a `Lazy` that reads it in pieces.
        aliases: Further names: the name in a Saver, or the path of attributes.
        incidental: True if the tensor needs no counterpart, such as a constant that never was a variable.
    """

    name: str
    read: Callable[[], Array | Lazy]
    aliases: tuple[str, ...] = ()
    incidental: bool = False


@dataclass(frozen=True)
class Port:
    """An input or output of a side that computes.

    Attributes:
        name: The side's own name for it: the key of a signature, or the name of a placeholder or layer.
        dtype: The name of its TensorFlow type; "" if the type is unknown.
        shape: Its sizes, with None for an open size; None if the rank is unknown.
        aliases: Further names, such as the name of its tensor.
        limit: The bound that its integers must stay below, such as the rows of an embedding; 0 if unknown.
        optional: Whether it has a default value.
    """

    name: str
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    aliases: tuple[str, ...] = ()
    limit: int = 0
    optional: bool = False


class Runnable(Protocol):
    """Something that computes outputs from inputs."""

    @property
    def inputs(self) -> Sequence[Port]:
        """The inputs, in the order in which they are given."""

    @property
    def outputs(self) -> Sequence[Port]:
        """The declared outputs."""

    def every(self, fed: Sequence[str]) -> Sequence[Port]:
        """Returns all tensors that can be computed from these inputs, in the order of computation."""

    def find(self, name: str) -> str | None:
        """Returns this side's name for the tensor of a recorded name ("x:0"), or None if it has no such tensor."""

    def run(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Returns name -> value for the named outputs or other tensors."""

    def tensors(self, feeds: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
        """Returns name -> tensor of an output, which TensorFlow differentiates. Feeds are arrays or tensors."""


@dataclass(frozen=True)
class Side:
    """One of the two sides of a comparison.

    Attributes:
        name: The name in reports: a path, code, or a class.
        kind: The kind in reports: "V2 checkpoint", "trace of TensorFlow 1.4.1", "frozen graph".
        values: Name -> stored tensor, in the side's order; None if the side stores no values.
        ordered: Whether that order is the order in which the variables were created.
        runner: Returns an object that computes; None if the side cannot compute.
        trace: The trace, if the side is one.
        checkpoint: The checkpoint that holds the values, if there is one.
        notes: Remarks for the report.
        close: Closes the side's files.
    """

    name: str
    kind: str
    values: Mapping[str, Value] | None = None
    ordered: bool = True
    runner: Callable[[], Runnable] | None = None
    trace: Trace | None = None
    checkpoint: Checkpoint | None = None
    notes: tuple[str, ...] = ()
    close: Callable[[], Any] = field(default=lambda: None)
