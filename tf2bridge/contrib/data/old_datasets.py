"""`contrib.data.Dataset` of TensorFlow 1.2 to 1.4: methods that later became transformations."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.internals.data import dataset_ops

v1 = tf.compat.v1

_New = v1.data.Dataset


class Dataset(dataset_ops.DatasetV1Adapter):  # type: ignore[misc]  # TensorFlow has no types here
    """A dataset whose methods return such datasets again, with the parameters of TensorFlow 1.4."""

    def make_dataset_resource(self) -> Any:
        """Returns the variant tensor of the dataset."""
        return self._as_variant_tensor()

    @staticmethod
    def from_tensors(tensors: Any) -> Dataset:
        """Returns a dataset of one element."""
        return Dataset(_New.from_tensors(tensors))

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Dataset:
        """Returns a dataset of the slices of `tensors` along their first dimension."""
        return Dataset(_New.from_tensor_slices(tensors))

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor: Any) -> Dataset:
        """Returns a dataset of the rows of a sparse tensor, as (indices, values, shape)."""
        return Dataset(_New.from_sparse_tensor_slices(sparse_tensor))

    @staticmethod
    def from_generator(generator: Callable[[], Any], output_types: Any, output_shapes: Any = None) -> Dataset:
        """Returns a dataset of the elements of the iterable that `generator` returns."""
        return Dataset(_New.from_generator(generator, output_types, output_shapes))

    @staticmethod
    def range(*args: Any) -> Dataset:
        """Returns a dataset of int64 numbers, by the parameters of Python's range."""
        return Dataset(_New.range(*args))

    @staticmethod
    def zip(datasets: Any) -> Dataset:
        """Returns a dataset of nests of elements."""
        return Dataset(_New.zip(datasets))

    @staticmethod
    def list_files(file_pattern: Any) -> Dataset:
        """Returns a dataset of the names of the files that match."""
        return Dataset(_New.from_tensor_slices(v1.matching_files(file_pattern)))

    def map(
        self,
        map_func: Callable[..., Any],
        num_threads: int | None = None,
        output_buffer_size: int | None = None,
        num_parallel_calls: int | None = None,
    ) -> Dataset:
        """Returns a dataset of `map_func(element)`, computed in `num_threads` threads and buffered."""
        calls = num_parallel_calls if num_threads is None else num_threads
        mapped = Dataset(super().map(map_func, calls))
        return mapped if output_buffer_size is None else Dataset(mapped.prefetch(output_buffer_size))

    def enumerate(self, start: int = 0) -> Dataset:
        """Returns a dataset of (number, element)."""
        return Dataset(super().enumerate(start))

    def ignore_errors(self) -> Dataset:
        """Returns the elements whose computation does not fail."""
        return Dataset(super().ignore_errors())

    def dense_to_sparse_batch(self, batch_size: Any, row_shape: Any) -> Dataset:
        """Returns a dataset of sparse batches of elements within `row_shape`, as (indices, values, shape)."""
        return _parts(self.apply(v1.data.experimental.dense_to_sparse_batch(batch_size, row_shape)))

    def group_by_window(self, key_func: Any, reduce_func: Any, window_size: Any) -> Dataset:
        """Returns a dataset of `reduce_func(key, window)`, with windows of elements of one key."""
        return Dataset(super().group_by_window(key_func, reduce_func, window_size))

    def unbatch(self) -> Dataset:
        """Returns a dataset of the slices of the elements."""
        return Dataset(super().unbatch())

    def apply(self, transformation_func: Callable[[Any], Any]) -> Dataset:
        """Returns `transformation_func(self)`. Raises TypeError if it is not a dataset."""
        transformed = transformation_func(self)
        if not isinstance(transformed, tf.data.Dataset):
            raise TypeError(f"transformation_func must return a Dataset, not {type(transformed).__name__}")
        return Dataset(transformed)


def _parts(dataset: Any) -> Dataset:
    """Returns sparse elements as (indices, values, shape), the only form in 1.4."""
    return Dataset(dataset.map(lambda sparse: (sparse.indices, sparse.values, sparse.dense_shape)))


def _wrapping(name: str) -> Callable[..., Dataset]:
    """Returns a method of today's datasets that returns an old Dataset."""
    method = getattr(_New, name)

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Dataset:
        return Dataset(method(self, *args, **kwargs))

    return call


_SAME = "concatenate prefetch repeat shuffle cache take skip shard batch padded_batch flat_map interleave filter"
for _name in _SAME.split():
    setattr(Dataset, _name, _wrapping(_name))


class TextLineDataset(Dataset):
    """The lines of files."""

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> None:
        super().__init__(v1.data.TextLineDataset(filenames, compression_type, buffer_size))


class TFRecordDataset(Dataset):
    """The records of TFRecord files."""

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> None:
        super().__init__(v1.data.TFRecordDataset(filenames, compression_type, buffer_size))


class FixedLengthRecordDataset(Dataset):
    """Records of `record_bytes` bytes of files."""

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
    ) -> None:
        records = v1.data.FixedLengthRecordDataset(filenames, record_bytes, header_bytes, footer_bytes, buffer_size)
        super().__init__(records)
