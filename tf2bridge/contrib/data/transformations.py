"""Transformations, for `Dataset.apply`, that tf.data.experimental has not, or has with other parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
nest = tf.nest

Transformation = Callable[[Any], Any]


def batch_and_drop_remainder(batch_size: Any) -> Transformation:
    """Returns the transformation into batches of exactly `batch_size`; the last elements may be left out."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size: Any, padded_shapes: Any, padding_values: Any = None) -> Transformation:
    """Returns the transformation into padded batches of exactly `batch_size`."""
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes=padded_shapes, padding_values=padding_values, drop_remainder=True
    )


def sloppy_interleave(map_func: Callable[..., Any], cycle_length: int, block_length: int = 1) -> Transformation:
    """Returns the transformation that reads `cycle_length` datasets in parallel, in whatever order elements come."""
    transformation: Transformation = v1.data.experimental.parallel_interleave(
        map_func, cycle_length, block_length, sloppy=True
    )
    return transformation


def ignore_errors() -> Transformation:
    """Returns the transformation that skips elements whose computation raises an error."""
    transformation: Transformation = v1.data.experimental.ignore_errors()
    return transformation


def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1
) -> Transformation:
    """Returns the transformation into windows of `window_size` elements, `window_stride` apart, each moved by a shift.

    `stride` is the older name of `window_shift`. Last elements that do not fill a window are left out.

    Raises:
        ValueError: both names are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("give window_shift or its older name stride, not both")
    shift = next((step for step in (window_shift, stride) if step is not None), 1)

    def windows(dataset: Any) -> Any:
        windowed = dataset.window(window_size, shift=shift, stride=window_stride, drop_remainder=True)
        batched = windowed.flat_map(lambda *parts: _batches(parts, window_size))
        return _as_in(dataset, batched)

    return windows


def _batches(parts: Any, size: Any) -> Any:
    batches = nest.map_structure(lambda part: part.batch(size), parts)
    return batches[0] if len(parts) == 1 and not isinstance(batches[0], (tuple, dict)) else v1.data.Dataset.zip(batches)


def _as_in(dataset: Any, batched: Any) -> Any:
    """Returns `batched` in the nest of `dataset`: a window of a dictionary is one part."""
    if isinstance(v1.data.get_output_types(dataset), dict):
        return batched.map(lambda element: element[0] if isinstance(element, tuple) else element)
    return batched


def assert_element_shape(expected_shapes: Any) -> Transformation:
    """Returns the transformation that sets the shapes of elements.

    The session raises an error if an element has another shape.

    Raises:
        ValueError: the static shapes are not compatible.
    """
    shapes = [tf.TensorShape(shape) for shape in nest.flatten(expected_shapes)]

    def checked(*elements: Any) -> Any:
        parts = [_shaped(part, shape) for part, shape in zip(nest.flatten(elements), shapes, strict=True)]
        packed = nest.pack_sequence_as(elements, parts)
        return packed[0] if len(elements) == 1 else packed

    def check(dataset: Any) -> Any:
        known = nest.flatten(v1.data.get_output_shapes(dataset))
        for static, shape in zip(known, shapes, strict=True):
            static.merge_with(shape)
        return dataset.map(checked)

    return check


def _shaped(part: Any, shape: Any) -> Any:
    if shape.rank is None:
        return part
    wanted = [-1 if size is None else size for size in shape.as_list()]
    actual = v1.shape(part)
    equal = v1.logical_or(v1.equal(actual, wanted), v1.equal(wanted, -1))
    message = f"elements must be of shape {shape}, not:"
    rank = v1.assert_rank(part, shape.rank)
    with tf.control_dependencies([rank]), tf.control_dependencies([v1.Assert(v1.reduce_all(equal), [message, actual])]):
        part = v1.identity(part)
    part.set_shape(shape)
    return part


def reduce_dataset(dataset: Any, reducer: Any) -> Any:
    """Returns the state after all elements, by the functions of a `Reducer`. Raises TypeError for no dataset."""
    if not isinstance(dataset, tf.data.Dataset):
        raise TypeError(f"reduce_dataset takes a tf.data.Dataset, not {type(dataset).__name__}")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any = v1.data.TFRecordDataset,
    reader_args: Any = None,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    capacity: int = 10000,
) -> Any:
    """Returns name -> tensor or sparse tensor: the next batch of the examples in the files, parsed by `features`."""
    dataset = v1.data.experimental.make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return v1.data.make_one_shot_iterator(dataset).get_next()
