"""`CategoricalVocabulary` of contrib.learn: categories to numbers, in order of first appearance."""

from __future__ import annotations

import collections
from collections.abc import Hashable
from typing import Any


class CategoricalVocabulary:
    """Maps categories to ids; id 0 is the unknown token. Its attributes are those that TF 1.x pickled."""

    def __init__(self, unknown_token: Hashable = "<UNK>", support_reverse: bool = True) -> None:  # noqa: S107  # a word
        self._unknown_token = unknown_token
        self._mapping: dict[Hashable, int] = {unknown_token: 0}
        self._support_reverse = support_reverse
        if support_reverse:
            self._reverse_mapping = [unknown_token]
        self._freq: Any = collections.defaultdict(int)
        self._freeze = False

    def __len__(self) -> int:
        """Returns the number of ids, with the unknown id."""
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Stops (or allows again) new categories."""
        self._freeze = freeze

    def get(self, category: Hashable) -> int:
        """Returns the id of `category`: a new one if it is not known, 0 once frozen."""
        if category not in self._mapping and not self._freeze:
            self._append(category)
        return self._mapping.get(category, 0)

    def add(self, category: Hashable, count: int = 1) -> None:
        """Counts `category`, unless it is the unknown one."""
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keeps the categories seen more than `min_frequency` (and fewer than `max_frequency`) times.

        New ids follow falling frequency, then the alphabet.
        """
        ranked = sorted(self._freq.items(), key=lambda entry: (isinstance(entry[0], str), entry[0]))
        ranked.sort(key=lambda entry: entry[1], reverse=True)
        self._mapping = {self._unknown_token: 0}
        self._reverse_mapping = [self._unknown_token]
        for category, count in ranked:
            if count > min_frequency and not 0 < max_frequency <= count:
                self._append(category)
        if not self._support_reverse:
            del self._reverse_mapping
        # As TF 1.x did: the most frequent ones, even where `max_frequency` left some of them out.
        self._freq = dict(ranked[: len(self._mapping) - 1])

    def reverse(self, class_id: int) -> Hashable:
        """Returns the category of an id. Raises ValueError without `support_reverse`."""
        if not self._support_reverse:
            raise ValueError("this vocabulary cannot be reversed: make it with support_reverse=True")
        return self._reverse_mapping[class_id]

    def _append(self, category: Hashable) -> None:
        self._mapping[category] = len(self._mapping)
        if self._support_reverse:
            self._reverse_mapping.append(category)
