"""A queue of rows, and the threads that fill it from memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.inputs.batches import Batches

v1 = tf.compat.v1

_QueueRunner: Any = v1.train.QueueRunner


class Source(Protocol):
    """A source of rows: the dtypes and the shapes of a row, and a reader for each thread.

    The rows of a padded source differ in their last dimension, which is None in the shapes.
    """

    dtypes: Sequence[Any]
    shapes: Sequence[Any]
    padded: bool

    def reader(self, size: int, epochs: int | None, random_start: bool, seed: int | None) -> Callable[[], list[Any]]:
        """Returns a function that reads about `size` rows: an array for each column."""
        ...


@dataclass
class Table:
    """Columns of equal length; the first one is the index."""

    rows: int
    dtypes: Sequence[Any]
    shapes: Sequence[Any]
    columns: Callable[[list[int]], list[Any]]
    padded: bool = False

    def reader(self, size: int, epochs: int | None, random_start: bool, seed: int | None) -> Callable[[], list[Any]]:
        """Returns a function that reads the next rows. It raises OutOfRangeError once all epochs are over."""
        batches = Batches(self.rows, size, epochs, random_start, seed)
        return lambda: self.columns(batches())


def enqueue(
    source: Source,
    capacity: int,
    shuffle: bool,
    min_after_dequeue: float | None = None,
    threads: int = 1,
    size: int = 1,
    epochs: int | None = None,
    seed: int | None = None,
    name: str = "enqueue_input",
) -> Any:
    """Returns a queue of the columns of the source, which a queue runner fills `size` rows at a time.

    Each thread goes through all epochs. A summary has the fill level of the queue, as in TF 1.x.
    """
    with v1.name_scope(name):
        _warn(shuffle, threads, epochs)
        least = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue) if shuffle else 0
        queue = _queue(source, capacity, least, shuffle, seed)
        ops, feeds = [], []
        for thread in range(threads):
            placeholders = [v1.placeholder(dtype) for dtype in source.dtypes]
            ops.append(queue.enqueue_many(placeholders))
            own_seed = None if seed is None else (thread + 1) * seed
            feeds.append(feeder(placeholders, source.reader(size, epochs, shuffle, own_seed)))
        v1.train.add_queue_runner(FeedingQueueRunner(queue, ops, feeds))
        _summarize(queue, capacity, least)
        return queue


def _queue(source: Source, capacity: int, least: int, shuffle: bool, seed: int | None) -> Any:
    dtypes, shapes = list(source.dtypes), list(source.shapes)
    if shuffle:
        return tf.queue.RandomShuffleQueue(capacity, least, dtypes, shapes, seed=seed)
    return (tf.queue.PaddingFIFOQueue if source.padded else tf.queue.FIFOQueue)(capacity, dtypes, shapes)


def feeder(placeholders: list[Any], read: Callable[[], list[Any]]) -> Callable[[], Any]:
    """Returns a function that makes the feed of one enqueue."""
    return lambda: dict(zip(placeholders, read(), strict=True))


def _summarize(queue: Any, capacity: int, least: int) -> None:
    above = tf.cast(tf.maximum(0, queue.size() - least), tf.float32)
    full = above * (1.0 / (capacity - least))
    v1.summary.scalar(f"queue/{queue.name}fraction_over_{least}_of_{capacity - least}_full", full)


def _warn(shuffle: bool, threads: int, epochs: int | None) -> None:
    if threads > 1 and epochs is not None:
        logging.warning(
            "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied per thread, so this "
            "will produce more epochs than you probably intend. If you want to limit epochs, use one thread."
        )
    if shuffle and threads > 1 and epochs is not None:
        logging.warning(
            "enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will create multiple "
            "threads, all reading the array/dataframe in order adding to the same shuffling queue; the results will "
            "likely not be sufficiently shuffled."
        )
    if not shuffle and threads > 1:
        logging.warning(
            "enqueue_data was called with shuffle=False and num_threads > 1. This will create multiple threads, all "
            "reading the array/dataframe in order. If you want examples read in order, use one thread; if you want "
            "multiple threads, enable shuffling."
        )


class FeedingQueueRunner(_QueueRunner):  # type: ignore[misc]  # TensorFlow has no types
    """Runs each enqueue op in a thread of its own with a new feed every time, until the feed ends."""

    def __init__(self, queue: Any, enqueue_ops: list[Any], feeds: list[Callable[[], Any]]) -> None:
        ends = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
        super().__init__(queue, enqueue_ops, queue_closed_exception_types=ends)
        self._feeds = feeds
        self._running: dict[Any, int] = {}

    def create_threads(self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False) -> list[Any]:
        """Returns the threads of a session, with one more that cancels the queue when `coord` stops."""
        with self._lock:
            if self._running.get(sess):
                return []
            self._running[sess] = len(self.enqueue_ops)
        threads = [
            threading.Thread(target=self._fill, args=(sess, op, feed, coord))
            for op, feed in zip(self.enqueue_ops, self._feeds, strict=True)
        ]
        if coord:
            threads.append(threading.Thread(target=self._close_on_stop, args=(sess, self.cancel_op, coord)))
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            thread.daemon = thread.daemon or daemon
            if start:
                thread.start()
        return threads

    def _fill(self, sess: Any, op: Any, feed: Callable[[], Any], coord: Any) -> None:
        try:
            while not (coord and coord.should_stop()):
                sess.run(op, feed())
        except self.queue_closed_exception_types:
            self._leave(sess, close=True)
        except Exception as error:
            self._leave(sess, close=False)
            if not coord:
                raise
            coord.request_stop(error)
        else:
            self._leave(sess, close=False)

    def _leave(self, sess: Any, close: bool) -> None:
        """Ends a thread. The last one closes the queue, so that its remaining rows can still be read."""
        with self._lock:
            self._running[sess] -= 1
            if not close or self._running[sess]:
                return
        try:
            sess.run(self.close_op)
        except (tf.errors.OpError, RuntimeError) as error:  # the session may be gone
            logging.vlog(1, "Ignored exception: %s", error)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Raises NotImplementedError, because the data are in memory and not in a file."""
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto ({export_scope}).")
