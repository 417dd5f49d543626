"""Which names are most alike, weighed by how rare their words are: the last resort of names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.planning.words import Word, words
from tf2bridge.errors import MissingExtraError

_MARGIN = 0.1
"""By how much a pair must be more alike than each other pair of the two, of 1 for equal names."""


def alike(sources: Sequence[str], targets: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the names of the best assignment that are also, by far, each other's best. Raises MissingExtraError."""
    matrix = likeness([words(each) for each in sources], [words(each) for each in targets])
    rows, columns = _assignment(matrix)
    found = []
    for row, column in zip(rows, columns, strict=True):
        here = matrix[row, column]
        others = np.concatenate([np.delete(matrix[row], column), np.delete(matrix[:, column], row), [0.0]])
        if here > others.max() + _MARGIN:
            found.append((sources[row], targets[column]))
    return found


def _assignment(matrix: NDArray[Any]) -> tuple[Any, Any]:
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise MissingExtraError("scipy", "convert", "matching what neither names nor numbers settle") from error
    found: tuple[Any, Any] = linear_sum_assignment(matrix, maximize=True)
    return found


def likeness(sources: Sequence[Sequence[Word]], targets: Sequence[Sequence[Word]]) -> NDArray[Any]:
    """[sources, targets]: the weight of the words in common, of the weight of all; 0 where a number speaks against it.

    A word's weight is the logarithm of how many names there are for each that has it (inverse document frequency).
    """
    every = sorted({word for name in (*sources, *targets) for word in _tokens(name)})
    place = {word: at for at, word in enumerate(every)}
    held = [np.zeros((len(names), len(every))) for names in (sources, targets)]
    for matrix, names in zip(held, (sources, targets), strict=True):
        for row, name in enumerate(names):
            matrix[row, [place[word] for word in _tokens(name)]] = 1.0
    count = held[0].sum(0) + held[1].sum(0)
    weight = np.log(1.0 + (len(sources) + len(targets)) / count)
    common = (held[0] * weight) @ held[1].T
    every_weight = (held[0] @ weight)[:, None] + (held[1] @ weight)[None, :] - common
    return np.asarray(np.round(common / np.maximum(every_weight, 1e-12), 6))


def _tokens(name: Sequence[Word]) -> set[str]:
    """Words, and words with their numbers: "layer" and "layer 0", so that other numbers are less alike."""
    return {word.text for word in name} | {f"{word.text} {word.numbers}" for word in name if word.numbers}
