"""Records read from several files at once, through a common queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
Sources = str | Sequence[str]


class ParallelReader(v1.ReaderBase):  # type: ignore[misc, name-defined]  # TensorFlow has no annotations
    """Several readers that put their records, (key, value), into one queue."""

    def __init__(
        self,
        reader_class: Callable[..., Any],
        common_queue: Any,
        num_readers: int = 4,
        reader_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        """Raises TypeError unless the queue holds pairs of strings."""
        dtypes = common_queue.dtypes
        if len(dtypes) != 2 or not all(dtype.is_compatible_with(tf.string) for dtype in dtypes):
            raise TypeError(f"common_queue must hold [tf.string, tf.string], not {dtypes}")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """The number of readers."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """The queue that the readers fill."""
        return self._common_queue

    def read(self, queue: Any, name: str | None = None) -> Any:
        """Returns the next (key, value) of the files named in `queue`; adds the queue runner of the readers."""
        self._read_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """Returns the next (keys, values), at most `num_records` of them."""
        self._read_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def num_records_produced(self, name: str | None = None) -> Any:
        """Returns how many records were read, int64."""
        return v1.add_n([reader.num_records_produced() for reader in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """Returns how many files were read, int64."""
        return v1.add_n([reader.num_work_units_completed() for reader in self._readers], name=name)

    def _read_by(self, queue: Any) -> None:
        filling = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        v1.train.add_queue_runner(v1.train.QueueRunner(self._common_queue, filling))


def parallel_read(
    data_sources: Sources,
    reader_class: Callable[..., Any],
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: Mapping[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Sequence[Any] | None = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> Any:
    """Returns the (key, value) of one record after another; `shuffle` mixes files and records.

    Adds the queue runners and a summary of how full the queue is. Raises ValueError if there are no such files.
    """
    files = get_data_files(data_sources)
    with v1.name_scope(scope, "parallel_read"):
        names = v1.train.string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        kinds = dtypes or [tf.string, tf.string]
        if shuffle:
            queue = v1.RandomShuffleQueue(
                capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=kinds, seed=seed, name="common_queue"
            )
        else:
            queue = v1.FIFOQueue(capacity=capacity, dtypes=kinds, name="common_queue")
        v1.summary.scalar(f"fraction_of_{capacity}_full", v1.cast(queue.size(), tf.float32) * (1.0 / capacity))
        return ParallelReader(reader_class, queue, num_readers, reader_kwargs).read(names)


def single_pass_read(
    data_sources: Sources,
    reader_class: Callable[..., Any],
    reader_kwargs: Mapping[str, Any] | None = None,
    scope: str | None = None,
) -> Any:
    """Returns the (key, value) of one record after another, in order, once."""
    files = get_data_files(data_sources)
    with v1.name_scope(scope, "single_pass_read"):
        names = v1.train.string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources: Sources) -> list[str]:
    """Returns the files of a name, a pattern or a list of these. Raises ValueError if a pattern fits none."""
    if not isinstance(data_sources, str):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = v1.gfile.Glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"no files are found at {data_sources!r}")
    return list(files)
