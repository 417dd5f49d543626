"""`DataProvider`: tensors by the name of their item."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class DataProvider(abc.ABC):  # noqa: B024  # as in contrib: it is to be derived from
    """The class that data providers derive from."""

    def __init__(self, items_to_tensors: Mapping[str, Any], num_samples: int) -> None:
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Sequence[str]) -> list[Any]:
        """Returns the tensor of each of the `items`. Raises ValueError unless they are a list of known items."""
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Iterable[str]:
        """Returns the names of the items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> int:
        """Returns how many samples the dataset has."""
        return self._num_samples

    def _validate_items(self, items: Sequence[str]) -> None:
        if not isinstance(items, list | tuple):
            raise ValueError(f"get takes a list of items, not {type(items).__name__}")
        known = list(self.list_items())
        for item in items:
            if item not in known:
                raise ValueError(f"there is no item {item!r}; there are {', '.join(map(repr, known))}")
