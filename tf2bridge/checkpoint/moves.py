"""A plan in its parts: which tensors of a checkpoint become which variable of a target, by which steps, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:  # NumPy takes longer to import than a plan of a thousand names to be read
    from numpy.typing import NDArray

Shape = tuple[int, ...]


class Step(Protocol):
    """One typed transform of a move; a frozen dataclass whose fields are what a plan's file says of it.

    A first step may take several arrays, all others take the one array that the step before it gave.
    """

    kind: ClassVar[str]
    """What it is called in a plan: "transpose", "rows", "sum"."""

    def shape(self, *shapes: Shape) -> Shape:
        """The shape of what it gives. Raises StepError for shapes that it cannot take."""

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        """What it makes of arrays of such shapes."""

    def of_slots(self) -> Step | None:
        """What it is for a slot of the variable (a momentum): None where it adds what has no gradient.

        Raises NoSlotsError where it changes gradients too.
        """


@dataclass(frozen=True)
class TargetVariable:
    """A variable that is to get its values from a checkpoint."""

    name: str
    """Of Keras its `path`, of a module or graph its name without ":0"."""
    shape: Shape
    dtype: str
    layer: str = ""
    """The path of the layer that owns it, "" where it is not known."""
    layer_class: str = ""
    """Of Keras, the class of that layer, as "LSTMCell" or "BatchNormalization"."""
    role: str = ""
    """Of Keras, what it is to its layer, as "kernel" or "moving_mean"; of an optimizer, the slot, as "momentum"."""
    trainable: bool = True
    slot_of: str = ""
    """Of an optimizer's slot, the name of the variable it belongs to."""
    key: str = ""
    """Under which `tf.train.Checkpoint(model=...)` stores it, "" where that is not known."""


@dataclass(frozen=True)
class TargetOptimizer:
    """The Keras optimizer of a target."""

    class_name: str
    """As "Adam"."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """What `get_config` says: "learning_rate" (a number, or a mapping for a schedule), "momentum", "epsilon"."""
    iteration: str = ""
    """The name of its step counter among the target's variables."""
    slots: tuple[TargetVariable, ...] = ()


@dataclass(frozen=True)
class Move:
    """A variable of the target, and what it is made from."""

    target: str
    sources: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    reason: str = ""
    """By which rule, for people: "same name", "BasicLSTMCell i,j,f,o -> i,f,j,o"."""
    certain: bool = True
    """Whether names say so; what only shapes and places say is not certain, and is listed as such."""


@dataclass(frozen=True)
class Rule:
    """A user's rule: a pattern of whole source names, and what the target is called (`re.sub` syntax)."""

    pattern: str
    replacement: str
    steps: Sequence[Step] = ()


@dataclass(frozen=True)
class Target:
    """The variables that are to be filled, in the order in which they were made."""

    name: str
    """For people: the code, file or class."""
    variables: tuple[TargetVariable, ...]
    keeps: Mapping[str, str] = field(default_factory=dict)
    """Variables that no checkpoint of TF 1.x fills -> why: the state of random generators, a learning rate."""
    optimizer: TargetOptimizer | None = None
    live: Mapping[str, Any] = field(default_factory=dict)
    """Name -> variable, where there are any."""
    made: Any = None
    """The model or module itself."""
    saved_as: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Of a graph, variable -> what its own Saver calls it in a file, and the slice of that which it is."""
    ordered: bool = True
    """Whether the order of the variables is that of creation."""
