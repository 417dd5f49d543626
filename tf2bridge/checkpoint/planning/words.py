"""Names of variables as words and numbers, so that those of two programs can be held against each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_DIMENSIONS = re.compile(r"(?<=[a-z])[123]d(?![a-z])", re.I)
"""conv2d is a conv: its kernel's shape says the rest."""
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
"""What layers are called in several ways; none of these words is used for anything else."""


@dataclass(frozen=True)
class Word:
    """A word of a name and the numbers behind it: "block1_2" is "block" and (1, 2)."""

    text: str
    numbers: tuple[int, ...] = ()


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[Word, ...]:
    """The words of a path, whatever stands between them: "resnet/conv2d_1/BatchNorm" is resnet, conv 1, batchnorm.

    Numbers before any word have the text "".
    """
    parts = [part if part.isdigit() else part.lower() for part in _PARTS.findall(_DIMENSIONS.sub("", name))]
    found: list[Word] = []
    at = 0
    while at < len(parts):
        taken = next((n for n in (2, 1) if tuple(parts[at : at + n]) in _SAME), 0)
        if taken:
            found.append(Word(_SAME[tuple(parts[at : at + taken])]))
        elif parts[at].isdigit():
            last = found.pop() if found else Word("")
            found.append(Word(last.text, (*last.numbers, int(parts[at]))))
        else:
            found.append(Word(parts[at]))
        at += taken or 1
    return tuple(_unrepeated(found))


def _unrepeated(found: list[Word]) -> Iterator[Word]:
    """Without a word right after itself, as Keras names a layer's cell: "lstm_1/lstm_cell" is lstm 1, cell."""
    for at, word in enumerate(found):
        before = found[at - 1] if at else Word("")
        if word.text != before.text or (word.numbers and word.numbers != before.numbers):
            yield word


def without_common_scope(names: Collection[str]) -> dict[str, str]:
    """Each name -> what is left of it without the leading scopes that all share."""
    split = [name.split("/")[:-1] for name in names]
    shared = 0
    if len(split) > 1:
        while all(len(each) > shared for each in split) and len({each[shared] for each in split}) == 1:
            shared += 1
    return {name: "/".join(name.split("/")[shared:]) for name in names}


def texts(names: Sequence[Sequence[Word]]) -> set[str]:
    """All words that are used."""
    return {word.text for each in names for word in each}


def shared(name: Sequence[Word], vocabulary: Collection[str]) -> tuple[Word, ...]:
    """The words of a name that both sides use."""
    return tuple(word for word in name if word.text in vocabulary)


def pattern(name: Sequence[Word]) -> tuple[tuple[str, int], ...]:
    """What names that are numbered alike have in common: the words, and how many numbers follow each.

    A word without a number is the first of its kind, as "dense" before "dense_1": it counts as numbered 0.
    """
    return tuple((word.text, max(1, len(word.numbers))) for word in name)


def numbers(name: Sequence[Word]) -> tuple[int, ...]:
    """The numbers of a name, one for each word without one: 0."""
    return tuple(number for word in name for number in word.numbers or (0,))


def shown(name: Sequence[Word]) -> str:
    """The words for people: "block 1 2 conv 1"."""
    return " ".join(" ".join([word.text, *map(str, word.numbers)]) for word in name)
