"""Splits names of variables into words and numbers, so that the names of two programs can be compared."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_DIMENSIONS = re.compile(r"(?<=[a-z])[123]d(?![a-z])", re.I)
"""conv2d is a conv: the shape of its kernel has the number of dimensions."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SAME = {
    ("batch", "norm"): "batchnorm",
    ("batch", "normalization"): "batchnorm",
    ("bn",): "batchnorm",
    ("layer", "norm"): "layernorm",
    ("layer", "normalization"): "layernorm",
    ("ln",): "layernorm",
    ("fully", "connected"): "dense",
    ("fc",): "dense",
    ("linear",): "dense",
    ("convolution",): "conv",
    ("embeddings",): "embedding",
    ("bidirectional", "rnn"): "bidirectional",
    ("dw",): "depthwise",
    ("pw",): "pointwise",
    ("fw",): "forward",
    ("bw",): "backward",
}
"""Different words for one kind of layer. None of these words is used for anything else."""


@dataclass(frozen=True)
class Word:
    """A word of a name and the numbers after it: "block1_2" is "block" and (1, 2)."""

    text: str
    numbers: tuple[int, ...] = ()


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[Word, ...]:
    """Returns the words of a path, whatever separates them: "resnet/conv2d_1/BatchNorm" is resnet, conv 1, batchnorm.

    Numbers before the first word have the text "".
    """
    parts = [part if part.isdigit() else part.lower() for part in _PARTS.findall(_DIMENSIONS.sub("", name))]
    listed: list[Word] = []
    at = 0
    while at < len(parts):
        taken = next((n for n in (2, 1) if tuple(parts[at : at + n]) in _SAME), 0)
        if taken:
            listed.append(Word(_SAME[tuple(parts[at : at + taken])]))
        elif parts[at].isdigit():
            last = listed.pop() if listed else Word("")
            listed.append(Word(last.text, (*last.numbers, int(parts[at]))))
        else:
            listed.append(Word(parts[at]))
        at += taken or 1
    return tuple(_unrepeated(listed))


def _unrepeated(listed: list[Word]) -> Iterator[Word]:
    """Yields the words without repetitions.

    Keras repeats words in the name of a layer's cell: "lstm_1/lstm_cell" is lstm 1, cell.
    """
    for at, word in enumerate(listed):
        before = listed[at - 1] if at else Word("")
        if word.text != before.text or (word.numbers and word.numbers != before.numbers):
            yield word


def without_common_scope(names: Collection[str]) -> dict[str, str]:
    """Returns each name -> the name without the leading scopes that all names share."""
    split = [name.split("/")[:-1] for name in names]
    shared = 0
    if len(split) > 1:
        while all(len(parts) > shared for parts in split) and len({parts[shared] for parts in split}) == 1:
            shared += 1
    return {name: "/".join(name.split("/")[shared:]) for name in names}


def texts(names: Sequence[Sequence[Word]]) -> set[str]:
    """Returns all words of the names."""
    return {word.text for name in names for word in name}


def shared(name: Sequence[Word], vocabulary: Collection[str]) -> tuple[Word, ...]:
    """Returns the words of a name that are in a vocabulary."""
    return tuple(word for word in name if word.text in vocabulary)


def pattern(name: Sequence[Word]) -> tuple[tuple[str, int], ...]:
    """Returns what names with different numbers have in common: the words, and how many numbers follow each word.

    A word without a number is the first of its kind, as "dense" before "dense_1". It counts as numbered 0.
    """
    return tuple((word.text, max(1, len(word.numbers))) for word in name)


def numbers(name: Sequence[Word]) -> tuple[int, ...]:
    """Returns the numbers of a name; 0 for a word without a number."""
    return tuple(number for word in name for number in word.numbers or (0,))


def shown(name: Sequence[Word]) -> str:
    """Returns the words as text: "block 1 2 conv 1"."""
    return " ".join(" ".join([word.text, *map(str, word.numbers)]) for word in name)
