"""`Dataset`: what a data provider has to know of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Dataset:
    """A data set: files, their reader class, the decoder of their records, and further values of the program.

    Each argument is an attribute of that name.
    """

    def __init__(
        self,
        data_sources: str | Sequence[str],
        reader: Any,
        decoder: Any,
        num_samples: int,
        items_to_descriptions: Mapping[str, str],
        **kwargs: Any,
    ) -> None:
        self.data_sources = data_sources
        self.reader = reader
        self.decoder = decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kwargs)
