"""`read_batch_examples` and similar functions: queues of files, of records and of batches."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.input_pipeline.input_pipeline_ops import seek_next
from tf2bridge.contrib.learn.learn_io.queue_parsed_features import queue_parsed_features

v1 = tf.compat.v1

KEY_FEATURE_NAME = "__key__"


def read_batch_examples(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Any = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Returns the result of `read_keyed_batch_examples` without the keys."""
    _, examples = read_keyed_batch_examples(
        file_pattern,
        batch_size,
        reader,
        randomize_input,
        num_epochs,
        queue_capacity,
        num_threads,
        read_batch_size,
        parse_fn,
        name,
        seed,
    )
    return examples


def read_keyed_batch_examples(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Any = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Returns keys, [batch_size], and records, [batch_size], or `parse_fn(records)`.

    A local variable counts the epochs up to `num_epochs`.

    Raises:
        ValueError: a pattern matches no files, or a size or number is below 1.
    """
    return read_examples(
        file_pattern,
        batch_size,
        reader,
        randomize_input,
        num_epochs,
        queue_capacity,
        num_threads,
        read_batch_size,
        None,
        parse_fn,
        False,
        name,
        seed,
    )


def read_keyed_batch_examples_shared_queue(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    parse_fn: Any = None,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Does the same as `read_keyed_batch_examples`. Workers of a cluster share the files through global variables."""
    return read_examples(
        file_pattern,
        batch_size,
        reader,
        randomize_input,
        num_epochs,
        queue_capacity,
        num_threads,
        read_batch_size,
        None,
        parse_fn,
        True,
        name,
        seed,
    )


def read_keyed_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2,
    parse_fn: Any = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> Any:
    """Returns keys and a dictionary of the `features` of batches of tf.Example, through one more queue."""
    with v1.name_scope(name, "read_batch_features", [file_pattern]) as scope:
        size = batch_size if read_batch_size is None else read_batch_size
        reading = (randomize_input, num_epochs, queue_capacity, reader_num_threads, size, parse_fn, scope)
        keys, examples = read_keyed_batch_examples(file_pattern, batch_size, reader, *reading)
        parsed = v1.parse_example(examples, features)
        return queue_parsed_features(parsed, keys, feature_queue_capacity, num_enqueue_threads, name=scope)


def read_keyed_batch_features_shared_queue(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    feature_queue_capacity: int = 100,
    num_queue_runners: int = 2,
    parse_fn: Any = None,
    name: str | None = None,
) -> Any:
    """Does the same as `read_keyed_batch_features`. Workers of a cluster share the files."""
    with v1.name_scope(name, "read_batch_features", [file_pattern]) as scope:
        reading = (randomize_input, num_epochs, queue_capacity, reader_num_threads, batch_size, parse_fn, scope)
        keys, examples = read_keyed_batch_examples_shared_queue(file_pattern, batch_size, reader, *reading)
        parsed = v1.parse_example(examples, features)
        return queue_parsed_features(parsed, keys, feature_queue_capacity, num_queue_runners, name=scope)


def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    feature_queue_capacity: int = 100,
    reader_num_threads: int = 1,
    num_enqueue_threads: int = 2,
    parse_fn: Any = None,
    name: str | None = None,
    read_batch_size: int | None = None,
) -> Any:
    """Returns the result of `read_keyed_batch_features` without the keys."""
    _, parsed = read_keyed_batch_features(
        file_pattern,
        batch_size,
        features,
        reader,
        randomize_input,
        num_epochs,
        queue_capacity,
        reader_num_threads,
        feature_queue_capacity,
        num_enqueue_threads,
        parse_fn,
        name,
        read_batch_size,
    )
    return parsed


def read_batch_record_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    reader_num_threads: int = 1,
    name: str = "dequeue_record_examples",
) -> Any:
    """Returns the result of `read_batch_features` for TFRecord files."""
    return read_batch_features(
        file_pattern,
        batch_size,
        features,
        v1.TFRecordReader,
        randomize_input,
        num_epochs,
        queue_capacity,
        reader_num_threads=reader_num_threads,
        name=name,
    )


def read_examples(
    file_pattern: Any,
    batch_size: Any,
    reader: Any,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    queue_capacity: int = 10000,
    num_threads: int = 1,
    read_batch_size: int = 1,
    filter_fn: Any = None,
    parse_fn: Any = None,
    setup_shared_queue: bool = False,
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """Does the same as `read_keyed_batch_examples`. `filter_fn(keys, records)` returns which records to keep."""
    files = file_names(file_pattern, randomize_input)
    _check(batch_size, queue_capacity, read_batch_size, num_threads, num_epochs)
    with v1.name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        queue = _file_queue(files, setup_shared_queue, randomize_input, num_epochs, seed)
        with v1.name_scope("read"):
            examples = [_read(queue, reader, read_batch_size, filter_fn, parse_fn) for _ in range(num_threads)]
        options = {
            "capacity": queue_capacity,
            "enqueue_many": read_batch_size > 1,
            "allow_smaller_final_batch": num_epochs is not None,
            "name": scope,
        }
        batch = _join(examples, batch_size, randomize_input, seed, options)
        if parse_fn and isinstance(batch, dict):
            return batch.pop(KEY_FEATURE_NAME), batch
        return batch


def file_names(file_pattern: Any, randomize_input: bool) -> list[Any]:
    """Returns the files of a pattern or of a list of patterns, sorted unless they are read at random."""
    if isinstance(file_pattern, list) and not file_pattern:
        raise ValueError("No files given to dequeue_examples.")
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    glob = importlib.import_module("tf2bridge.v1.python.platform.gfile").Glob  # programs replace this function
    files = [path for pattern in patterns for path in glob(pattern)]
    if not files:
        raise ValueError(f"No files match {file_pattern}.")
    return files if randomize_input else sorted(files)


def _check(batch_size: Any, capacity: Any, read_batch_size: Any, threads: Any, epochs: Any) -> None:
    if not capacity or capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {capacity}.")
    if batch_size is None or (not tf.is_tensor(batch_size) and not 0 < batch_size < capacity):
        raise ValueError(f"Invalid batch_size {batch_size}, with queue_capacity {capacity}.")
    if read_batch_size is None or (not tf.is_tensor(read_batch_size) and read_batch_size <= 0):
        raise ValueError(f"Invalid read_batch_size {read_batch_size}.")
    if not threads or threads <= 0:
        raise ValueError(f"Invalid num_threads {threads}.")
    if epochs is not None and epochs <= 0:
        raise ValueError(f"Invalid num_epochs {epochs}.")


def _file_queue(files: list[Any], shared: bool, shuffle: bool, epochs: int | None, seed: int | None) -> Any:
    with v1.name_scope("file_name_queue") as scope:
        if not shared:
            names = tf.constant(files, name="input")
            return v1.train.string_input_producer(names, shuffle=shuffle, num_epochs=epochs, name=scope, seed=seed)
        queue = tf.queue.FIFOQueue(1, [tf.string], [[]])
        enqueue = queue.enqueue(seek_next(files, shuffle=shuffle, num_epochs=epochs, seed=seed))
        v1.train.add_queue_runner(v1.train.QueueRunner(queue, [enqueue]))
        return queue


def _read(queue: Any, reader: Callable[[], Any], size: int, filter_fn: Any, parse_fn: Any) -> Any:
    """Returns keys and records, or one dictionary: `batch_join` accepts no dictionary inside a tuple."""
    keys, records = reader().read_up_to(queue, size) if size > 1 else reader().read(queue)
    if filter_fn:
        mask = filter_fn(keys, records)
        keys, records = v1.boolean_mask(keys, mask), v1.boolean_mask(records, mask)
    parsed = parse_fn(records) if parse_fn else records
    if parse_fn and isinstance(parsed, dict):
        parsed[KEY_FEATURE_NAME] = keys
        return parsed
    return keys, parsed


def _join(examples: list[Any], batch_size: Any, shuffle: bool, seed: int | None, options: dict[str, Any]) -> Any:
    if not shuffle:
        return v1.train.batch_join(examples, batch_size, **options)
    capacity = options["capacity"]
    least = int(capacity * 0.4) if tf.is_tensor(batch_size) else max(capacity - 3 * batch_size, batch_size)
    return v1.train.shuffle_batch_join(examples, batch_size, min_after_dequeue=least, seed=seed, **options)
