"""Finds the most similar names, weighted by how rare their words are: the last resort among names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.planning.name_words import Word, words
from tf2bridge.errors import MissingExtraError

_MARGIN = 0.1
"""How much more similar a pair must be than every other pair of its two names, where equal names have 1."""


def alike(sources: Sequence[str], targets: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the pairs of the best assignment that are, by a margin, the best for both names.

    Raises MissingExtraError.
    """
    matrix = likeness([words(name) for name in sources], [words(name) for name in targets])
    rows, columns = _assignment(matrix)
    pairs = []
    for row, column in zip(rows, columns, strict=True):
        similarity = matrix[row, column]
        rivals = np.concatenate([np.delete(matrix[row], column), np.delete(matrix[:, column], row), [0.0]])
        if similarity > rivals.max() + _MARGIN:
            pairs.append((sources[row], targets[column]))
    return pairs


def _assignment(matrix: NDArray[Any]) -> tuple[Any, Any]:
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise MissingExtraError("scipy", "convert", "matching what neither names nor numbers settle") from error
    assignment: tuple[Any, Any] = linear_sum_assignment(matrix, maximize=True)
    return assignment


def likeness(sources: Sequence[Sequence[Word]], targets: Sequence[Sequence[Word]]) -> NDArray[Any]:
    """Returns [sources, targets]: the weight of common words divided by the weight of all words of both names.

    The weight of a word is the logarithm of the number of names divided by the number of names with the word (inverse
    document frequency). Different numbers make names less similar.
    """
    every = sorted({word for name in (*sources, *targets) for word in _tokens(name)})
    place = {word: at for at, word in enumerate(every)}
    counts = [np.zeros((len(names), len(every))) for names in (sources, targets)]
    for matrix, names in zip(counts, (sources, targets), strict=True):
        for row, name in enumerate(names):
            matrix[row, [place[word] for word in _tokens(name)]] = 1.0
    count = counts[0].sum(0) + counts[1].sum(0)
    weight = np.log(1.0 + (len(sources) + len(targets)) / count)
    common = (counts[0] * weight) @ counts[1].T
    every_weight = (counts[0] @ weight)[:, None] + (counts[1] @ weight)[None, :] - common
    return np.asarray(np.round(common / np.maximum(every_weight, 1e-12), 6))


def _tokens(name: Sequence[Word]) -> set[str]:
    """Returns words, and words with their numbers, such as "layer" and "layer 0": other numbers are less similar."""
    return {word.text for word in name} | {f"{word.text} {word.numbers}" for word in name if word.numbers}
