"""Processors of contrib.learn for bytes and for rows of categories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tf2bridge.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary


class ByteProcessor:
    """Turns documents into rows of `max_document_length` bytes, 0 for the rest of a row."""

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Does nothing: there is nothing to learn."""

    def fit_transform(self, x: Iterable[Any]) -> Iterator[Any]:
        """Yields the rows."""
        return self.transform(x)

    def transform(self, x: Iterable[Any]) -> Iterator[Any]:
        """Yields one uint8 row [max_document_length] for each document."""
        for document in x:
            text = document.encode("utf-8") if isinstance(document, str) else document
            codes = np.frombuffer(text[: self.max_document_length], dtype=np.uint8)
            yield np.pad(codes, (0, self.max_document_length - len(codes)), "constant")

    def reverse(self, x: Iterable[Any]) -> Iterator[str]:
        """Yields the document of each row, or "" if it is not UTF-8."""
        for row in x:
            document = np.trim_zeros(row.astype(np.int8), trim="b").tobytes()
            try:
                yield document.decode("utf-8")
            except UnicodeDecodeError:
                yield ""


class CategoricalProcessor:
    """Turns rows of categories into rows of numbers, with a vocabulary for each column, or one if `share`."""

    def __init__(
        self, min_frequency: int = 0, share: bool = False, vocabularies: list[CategoricalVocabulary] | None = None
    ) -> None:
        self.min_frequency = min_frequency
        self.share = share
        self.vocabularies_ = vocabularies

    def freeze(self, freeze: bool = True) -> None:
        """Stops (or allows again) new categories."""
        for vocabulary in self.vocabularies_ or ():
            vocabulary.freeze(freeze)

    def fit(self, x: Iterable[Any], unused_y: Any = None) -> CategoricalProcessor:
        """Learns the categories of the rows and freezes them; returns itself."""
        del unused_y
        for row in x:
            if self.vocabularies_ is None:
                shared = [CategoricalVocabulary()] * len(row)
                self.vocabularies_ = shared if self.share else [CategoricalVocabulary() for _ in row]
            for vocabulary, value in zip(self.vocabularies_, row, strict=False):
                if not _is_missing(value):
                    vocabulary.add(value)
        if self.min_frequency > 0:
            for vocabulary in self.vocabularies_ or ():
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def fit_transform(self, x: Any, unused_y: Any = None) -> Iterator[Any]:
        """Learns the categories, then yields the rows of numbers."""
        del unused_y
        return self.fit(x).transform(x)

    def transform(self, x: Iterable[Any]) -> Iterator[Any]:
        """Yields one int64 row for each row of categories. Missing and unknown categories are 0."""
        self.freeze()
        for row in x:
            pairs = zip(self.vocabularies_ or (), row, strict=False)
            yield np.array([0 if _is_missing(value) else words.get(value) for words, value in pairs], dtype=np.int64)


def _is_missing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
