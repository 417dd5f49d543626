"""`DatasetDataProvider`: the items of a `Dataset`, read by queues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.contrib.slim.data.data_provider import DataProvider
from tf2bridge.contrib.slim.data.parallel_reader import parallel_read


class DatasetDataProvider(DataProvider):
    """Provides the tensors of one record of `dataset` after another."""

    def __init__(
        self,
        dataset: Any,
        num_readers: int = 1,
        reader_kwargs: Mapping[str, Any] | None = None,
        shuffle: bool = True,
        num_epochs: int | None = None,
        common_queue_capacity: int = 256,
        common_queue_min: int = 128,
        record_key: str = "record_key",
        seed: int | None = None,
        scope: str | None = None,
    ) -> None:
        """Reads the files `num_epochs` times, or without end; a counted epoch is a local variable.

        `record_key` names the item that holds the record's key. Raises ValueError if the dataset has an item of it.
        """
        key, data = parallel_read(
            dataset.data_sources,
            reader_class=dataset.reader,
            num_epochs=num_epochs,
            num_readers=num_readers,
            reader_kwargs=reader_kwargs,
            shuffle=shuffle,
            capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min,
            seed=seed,
            scope=scope,
        )
        items = dataset.decoder.list_items()
        tensors = dict(zip(items, dataset.decoder.decode(data, items), strict=False))
        if record_key in tensors:
            raise ValueError(f"the dataset has an item {record_key!r} already: give another record_key")
        super().__init__({**tensors, record_key: key}, dataset.num_samples)
