"""What `decompile` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from codemods.native.choices import Choice


class Left(NamedTuple):
    """Operations of one type that stay calls of `tf.raw_ops` for one reason.

    Attributes:
        op: The type.
        why: The reason.
        calls: How many calls there are.
    """

    op: str
    why: str
    calls: int


class Dropped(NamedTuple):
    """A place where the result of a rule was not equal, so that the operations stand instead.

    Attributes:
        rule: The rule.
        node: The old name of the node that it was applied to.
        why: How the result was unequal.
    """

    rule: str
    node: str
    why: str


@dataclass(frozen=True)
class Decompiled:
    """What `decompile` wrote.

    Attributes:
        path: The package.
        nodes: How many nodes the graph has that its outputs need.
        lines: How many lines `model.py` has.
        raw_calls: How many calls of `tf.raw_ops` are among them.
        differences: Recorded array -> its largest difference, as a part of its largest number.
        limits: Recorded array -> the largest difference that is allowed. It is more than 1e-5 where one rounding of
            the inputs and variables changes what the old graph computes by a fifth of it.
        dropped: Where the result of a rule was not equal.
        left: Why the calls of `tf.raw_ops` stay, the most frequent first.
        pipelines: Input -> the type of the queue, iterator or reader that gave it in the old graph. The package has no
            such pipeline.
        train_op: The operation of the graph that `train.py` is made of; None if no training step was asked for.
        step_differences: Variable after a training step -> its largest difference, as a part of its largest move.
            Empty for a step that is random, which is not compared.
        calls: How many calls of functions and layers `model.py` has.
        tensorflow_calls: The name of each function of TensorFlow -> how many of the calls are of it.
        runs_everywhere: The model runs on every backend of Keras, not on TensorFlow alone.
        backends: Backend of Keras beside TensorFlow that is installed here -> the largest difference of an output
            there, as a part of its largest number; or why the model does not run, or is not equal, there.
        worst: The largest difference of an output on the worst inputs that a search has found, as a part of its
            largest number; None if there was no search.
        unreached: A condition of the graph -> the branches of it that no example has reached, which are not compared.
        assertions: The names of the assertions of the graph, which the package does not have: it computes what they
            refuse.
        choices: With `idiomatic`, what is taken of Keras in the training step, and what is not.
    """

    path: Path
    nodes: int
    lines: int
    raw_calls: int
    differences: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    left: tuple[Left, ...] = ()
    pipelines: Mapping[str, str] = field(default_factory=dict)
    train_op: str | None = None
    step_differences: Mapping[str, float] = field(default_factory=dict)
    calls: int = 0
    tensorflow_calls: Mapping[str, int] = field(default_factory=dict)
    runs_everywhere: bool = False
    backends: Mapping[str, float | str] = field(default_factory=dict)
    worst: float | None = None
    unreached: Mapping[str, str] = field(default_factory=dict)
    assertions: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
