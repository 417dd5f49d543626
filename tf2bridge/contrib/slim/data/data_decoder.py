"""`DataDecoder`: what turns a record into items."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any


class DataDecoder(abc.ABC):
    """The class that decoders derive from."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Sequence[str]) -> list[Any]:
        """Returns the tensor of each of the `items` of one record. Raises ValueError for an unknown item."""

    @abc.abstractmethod
    def list_items(self) -> list[str]:
        """Returns the names of the items that a record can be decoded to."""
