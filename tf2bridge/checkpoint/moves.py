"""The parts of a plan: which tensors of a checkpoint become which variable of a target, by which steps, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:  # importing NumPy takes longer than reading a plan of a thousand names
    from numpy.typing import NDArray

Shape = tuple[int, ...]


class Step(Protocol):
    """One typed transform of a move: a frozen dataclass. A plan's file stores its fields.

    The first step of a move may take several arrays. Every other step takes the result of the step before it.
    """

    kind: ClassVar[str]
    """Its name in a plan: "transpose", "rows", "sum"."""

    def shape(self, *shapes: Shape) -> Shape:
        """Returns the shape of the result. Raises StepError for shapes that the step does not accept."""

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        """Returns the result for the arrays."""

    def of_slots(self) -> Step | None:
        """Returns the step for a slot of the variable, such as a momentum; None if the slot stays as it is.

        Raises:
            NoSlotsError: The step changes gradients, so it has no counterpart for slots.
        """


@dataclass(frozen=True)
class TargetVariable:
    """A variable that gets its values from a checkpoint."""

    name: str
    """In Keras its `path`; in a module or graph its name without ":0"."""
    shape: Shape
    dtype: str
    layer: str = ""
    """The path of the layer that owns it; "" if unknown."""
    layer_class: str = ""
    """In Keras, the class of that layer, such as "LSTMCell" or "BatchNormalization"."""
    role: str = ""
    """In Keras, its name in its layer, such as "kernel"; in an optimizer, the slot, such as "momentum"."""
    trainable: bool = True
    slot_of: str = ""
    """For an optimizer's slot, the name of the variable that it belongs to."""
    key: str = ""
    """Its key in `tf.train.Checkpoint(model=...)`; "" if unknown."""


@dataclass(frozen=True)
class TargetOptimizer:
    """The Keras optimizer of a target."""

    class_name: str
    """Such as "Adam"."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """The result of `get_config`: "learning_rate" (a number, or a mapping for a schedule), "momentum", "epsilon"."""
    iteration: str = ""
    """The name of its step counter among the target's variables."""
    slots: tuple[TargetVariable, ...] = ()


@dataclass(frozen=True)
class Move:
    """A variable of the target, with the tensors and steps that give its value."""

    target: str
    sources: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    reason: str = ""
    """The rule that made the move, for reports: "same name", "BasicLSTMCell i,j,f,o -> i,f,j,o"."""
    certain: bool = True
    """Whether the move follows from names. Moves that follow from shapes and order alone are listed as uncertain."""


@dataclass(frozen=True)
class Rule:
    """A user's rule: a pattern that matches full source names, and the name of the target (`re.sub` syntax)."""

    pattern: str
    replacement: str
    steps: Sequence[Step] = ()


@dataclass(frozen=True)
class Target:
    """The variables to fill, in the order in which they were created."""

    name: str
    """Its name in reports: the code, file or class."""
    variables: tuple[TargetVariable, ...]
    keeps: Mapping[str, str] = field(default_factory=dict)
    """Variables that no checkpoint of TF 1.x fills -> why: the state of random generators, a learning rate."""
    optimizer: TargetOptimizer | None = None
    live: Mapping[str, Any] = field(default_factory=dict)
    """Name -> live variable; empty if the target has none."""
    made: Any = None
    """The model or module itself."""
    saved_as: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """For a graph, variable -> its name in the files of the graph's own Saver, and its slice of the tensor there."""
    ordered: bool = True
    """Whether the order of the variables is that of creation."""
