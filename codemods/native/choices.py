"""What is taken of Keras where its numbers are others than those of TensorFlow 1, and by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Choice:
    """A part of a training step for which Keras has something of its own.

    Attributes:
        part: "optimizer" or "loss".
        keras: What is taken of Keras; empty if the part stays exact.
        why: How it differs, beside rounding; or why the part stays.
        figures: What was compared, such as "variables, step 10" -> the largest difference from TensorFlow 1 with
            Keras' own, and with the exact step: of variables as a part of their largest move, of losses of the loss.
    """

    part: str
    keras: str
    why: str
    figures: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class KerasChoice(Choice):
    """A choice in a native program: a row of its map.

    Attributes:
        legacy: The line of the legacy program, "train.py:30".
        slots: What TensorFlow 1 called the slots of an optimizer -> how Keras ends the names of the same variables;
            "" if it has none.
        line: The line in the map; 0 if it was not read from a file.
    """

    legacy: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    line: int = field(default=0, compare=False)


def told(choice: KerasChoice) -> str:
    """Returns what is taken of Keras in a native program, without figures."""
    lost = [] if any(choice.slots.values()) else sorted(choice.slots)
    text = line_of(choice, "the exact class", "") + ("" if choice.why else "; it differs by rounding")
    return f"{text}; {', '.join(lost)} of old checkpoints has no counterpart and starts anew" if lost else text


def line_of(choice: Choice, exact: str, not_compared: str) -> str:
    """Returns what is taken of Keras for a part, and by how much it differs, as one line.

    Args:
        choice: The choice.
        exact: What stands there instead, if nothing is taken.
        not_compared: Why there are no figures, if there are none; empty to say nothing of them.
    """
    if not choice.keras:
        return f"{choice.part}: {exact}, not one of Keras: {choice.why}"
    figures = [f"{label} {own:.2g} (exact {exact_one:.2g})" for label, (own, exact_one) in choice.figures.items()]
    compared = ", ".join(figures) or not_compared
    difference = f"; differs by: {compared}" if compared else ""
    return f"{choice.part}: {choice.keras}{f'; {choice.why}' if choice.why else ''}{difference}"
