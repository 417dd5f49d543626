"""The sides of a comparison: they hold values by names, can be run, or both."""

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
        name: its name on the side.
        read: returns the value, or a `Lazy` that reads it in pieces.
        aliases: further names: that of a Saver, or the path of attributes.
        incidental: True if it needs no counterpart, such as a constant that never was a variable.
    """

    name: str
    read: Callable[[], Array | Lazy]
    aliases: tuple[str, ...] = ()
    incidental: bool = False


@dataclass(frozen=True)
class Port:
    """An input or output of what can be run.

    Attributes:
        name: as the side calls it: the key of a signature, the name of a placeholder or layer.
        dtype: as TensorFlow calls it, "" where it is not known.
        shape: None for one whose rank is not known, and None in it for a size that is open.
        aliases: further names of it: its tensor's.
        limit: below what whole numbers must be, as rows of an embedding; 0 where that is not known.
        optional: whether it has a value of its own where none is given.
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
        """In the order in which they are given."""

    @property
    def outputs(self) -> Sequence[Port]:
        """Those that it is meant to have."""

    def every(self, fed: Sequence[str]) -> Sequence[Port]:
        """All tensors that follow from these inputs and can be had, in the order in which they are computed."""

    def find(self, name: str) -> str | None:
        """What this side calls the tensor of a recorded name ("x:0"), None where it has none."""

    def run(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Name -> value, of outputs or of other tensors."""

    def tensors(self, feeds: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
        """Name -> tensor of an output, which TensorFlow differentiates. Feeds are arrays or tensors."""


@dataclass(frozen=True)
class Side:
    """One of the two sides of a comparison.

    Attributes:
        name: for people: a path, code, or a class.
        kind: what it is: "V2 checkpoint", "trace of TensorFlow 1.4.1", "frozen graph".
        values: name -> stored tensor, in the order of the side; None where it stores none.
        ordered: whether that order is the one in which the variables were made.
        runner: makes it run; None where it cannot.
        trace: where it is one.
        checkpoint: where its values are those of one.
        notes: what a person should know of it.
        close: closes its files.
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
