"""Changes of a text that are made one by one, each on the text that the one before left."""

from __future__ import annotations

from collections.abc import Callable

Lines = tuple[str, tuple[int, ...]]
"""A text, and for each of its lines the number that it had."""


def one_by_one(text: str, step: Callable[[str], Lines | None]) -> Lines | None:
    """Returns a text after all steps; None if there was none.

    Args:
        text: The text.
        step: Does the first step that a text needs; None if it needs none.
    """
    numbers = tuple(range(1, text.count("\n") + 2))
    changed = False
    while (made := step(text)) is not None:
        text, numbers, changed = made[0], tuple(numbers[min(n, len(numbers)) - 1] for n in made[1]), True
    return (text, numbers) if changed else None
