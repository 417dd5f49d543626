"""`SequenceQueueingStateSaver`: cuts long sequences into pieces, and carries the recurrent state between pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.training.sequence_queueing_state_saver.checks import (
    checked_dimensions,
    checked_rank,
    checked_shape,
    multiple_of,
)
from tf2bridge.internals.ops import data_flow_ops

v1 = tf.compat.v1

_FIXED = ("length", "total_length", "next_key", "sequence", "sequence_count")
_FIXED_TYPES = (tf.int32, tf.int32, tf.string, tf.int32, tf.int32)
_TOKEN = 21051976


class NextQueuedSequenceBatch:
    """A batch of pieces: the sequences, the context of each full sequence, and the states before the pieces."""

    def __init__(self, state_saver: SequenceQueueingStateSaver) -> None:
        self._state_saver = state_saver
        self._received = state_saver._read()

    @property
    def total_length(self) -> Any:
        """The length of each full sequence, int32 [batch]."""
        return self._received["total_length"]

    @property
    def length(self) -> Any:
        """The length of each piece, int32 [batch]."""
        return self._received["length"]

    @property
    def batch_size(self) -> Any:
        """The number of pieces, an int32 scalar."""
        return self._received["batch_size"]

    @property
    def insertion_index(self) -> Any:
        """The insertion number of each piece, int64 [batch]."""
        return self._received["indices"]

    @property
    def key(self) -> Any:
        """The key of each piece, string [batch]."""
        return self._received["keys"]

    @property
    def next_key(self) -> Any:
        """The key of the piece after each piece, or "STOP:..."."""
        return self._received["next_key"]

    @property
    def sequence(self) -> Any:
        """The number of each piece within its sequence, from 0."""
        return self._received["sequence"]

    @property
    def sequence_count(self) -> Any:
        """The number of pieces of each sequence."""
        return self._received["sequence_count"]

    @property
    def context(self) -> dict[str, Any]:
        """The context of the full sequences: {name: tensor [batch, ...]}."""
        context: dict[str, Any] = self._received["context"]
        return context

    @property
    def sequences(self) -> dict[str, Any]:
        """The pieces of the sequences: {name: tensor [batch, num_unroll, ...]}."""
        sequences: dict[str, Any] = self._received["sequences"]
        return sequences

    def state(self, state_name: str) -> Any:
        """Returns the state before each piece, [batch, ...]."""
        return self._received["states"][state_name]

    def save_state(self, state_name: str, value: Any, name: str | None = None) -> Any:
        """Returns the op that gives the state `value` [batch, ...] to the next pieces.

        Raises:
            KeyError: the state was not declared.
        """
        if state_name not in self._received["states"]:
            raise KeyError(f"state was not declared: {state_name}")
        saver = self._state_saver
        with (
            v1.name_scope(name, "InputQueueingStateSaver_SaveState", values=[value]),
            v1.colocate_with(saver._capacity_queue.queue_ref),
        ):
            going_on = v1.reshape(tf.where(v1.logical_not(self._received["done"])), [-1])
            keys = v1.gather(self.next_key, going_on)
            value = v1.identity(value, name=f"convert_{state_name}")
            value = checked_shape(value, v1.shape(self.state(state_name)))
            return saver.barrier.insert_many(
                saver._index(f"state__{state_name}"),
                keys,
                v1.gather(value, going_on),
                name=f"BarrierInsertState_{state_name}",
            )


class SequenceQueueingStateSaver:
    """Cuts sequences into pieces of `num_unroll` steps, and batches pieces whose initial state is known.

    `input_sequences` ({name: [steps, ...]}) and `input_context` ({name: tensor}) are one example with the key
    `input_key`. `initial_states` ({name: tensor}) are the states of the first piece.

    Raises:
        TypeError: a name is not a string, or an argument is not a dictionary.
        ValueError: a name contains ":", a shape is unknown, or the capacity is below the batch size.
    """

    def __init__(
        self,
        batch_size: Any,
        num_unroll: int,
        input_length: Any,
        input_key: Any,
        input_sequences: Mapping[str, Any],
        input_context: Mapping[str, Any],
        initial_states: Mapping[str, Any],
        capacity: int | None = None,
        allow_small_batch: bool = False,
        name: str | None = None,
    ) -> None:
        input_key = _check_capacity(capacity, batch_size, input_key)
        self._capacity_queue = v1.FIFOQueue(capacity=capacity, dtypes=[tf.int32], shapes=[[]])
        with v1.colocate_with(self._capacity_queue.queue_ref):
            _check_names("state", initial_states)
            _check_some("state", initial_states)
            values = [input_length, input_key, *input_sequences.values(), *input_context.values()]
            with v1.name_scope(name, "InputQueueingStateSaver", values) as scope:
                self._batch_size = batch_size
                self._num_unroll = num_unroll
                self._name: str = scope
                self._prepare(input_length, input_key, input_sequences, input_context, initial_states)
                self._barrier = self._new_barrier()
                self._scope = scope
            self._allow_small_batch = allow_small_batch
            self._prefetch_op: Any = None
            self._next_batch: NextQueuedSequenceBatch | None = None

    @property
    def name(self) -> str:
        """The name scope."""
        return self._name

    @property
    def barrier(self) -> Any:
        """The barrier that holds the pieces."""
        return self._barrier

    @property
    def batch_size(self) -> Any:
        """The number of pieces in a batch."""
        return self._batch_size

    @property
    def num_unroll(self) -> int:
        """The number of steps of a piece."""
        return self._num_unroll

    @property
    def prefetch_op(self) -> Any:
        """The op that adds one example. A queue runner runs it."""
        if self._prefetch_op is None:
            with v1.name_scope(None), v1.name_scope(self._scope, values=[self._barrier.barrier_ref]):
                self._prefetch_op = self._insert()
        return self._prefetch_op

    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The next batch."""
        _ = self.prefetch_op
        if self._next_batch is None:
            with v1.name_scope(None), v1.name_scope(self._scope, values=[self._barrier.barrier_ref]):
                self._next_batch = NextQueuedSequenceBatch(self)
        return self._next_batch

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Returns the op that closes the barrier and the queue."""
        with v1.name_scope(name, "SQSSClose", [self._prefetch_op]) as name:
            barrier = self.barrier.close(cancel_pending_enqueues, "BarrierClose")
            queue = self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")
            return v1.group(barrier, queue, name=name)

    def _prepare(self, length: Any, key: Any, sequences: Any, context: Any, states: Any) -> None:
        example = SequenceInput(length, key, sequences, context)
        sequences, context = example.sequences, example.context
        states = {k: tf.convert_to_tensor(v, name=f"state_{k}") for k, v in states.items()}
        _check_defined("state", states, 0)
        _check_defined("context", context, 0)
        _check_defined("sequence", sequences, 1)
        self._context = dict(sorted(context.items()))
        self._states = dict(sorted(states.items()))
        self._length = checked_rank(example.length, 0)
        self._key = checked_rank(example.key, 0)
        for role, tensor, dtype in (("length", self._length, tf.int32), ("key", self._key, tf.string)):
            if tensor.dtype != dtype:
                raise TypeError(f"{role} dtype must be {dtype.name}, but received: {tensor.dtype}")
        sequences = dict(sorted(sequences.items()))
        padded = v1.identity(v1.shape(next(iter(sequences.values())))[0], name="padded_length")
        with tf.control_dependencies([multiple_of(padded, self._num_unroll)]):
            self._padded_length = v1.identity(padded, name="multiple_of_checked")
        self._sequences = {
            k: checked_dimensions(v, [0], [self._padded_length], f"sorted_sequences_{k}") for k, v in sequences.items()
        }
        message = ["Input length should be <= than length from sequences:", self._length, " vs. ", self._padded_length]
        with tf.control_dependencies([v1.Assert(v1.less_equal(self._length, self._padded_length), message)]):
            self._length = v1.identity(self._length)

    def _components(self) -> list[str]:
        groups = (("sequence", self._sequences), ("context", self._context), ("state", self._states))
        return [*_FIXED, *(f"{kind}__{name}" for kind, group in groups for name in group)]

    def _index(self, component: str) -> int:
        return self._components().index(component)

    def _new_barrier(self) -> Any:
        groups = [*self._sequences.values(), *self._context.values(), *self._states.values()]
        unrolled = [[self._num_unroll, *tensor.get_shape().as_list()[1:]] for tensor in self._sequences.values()]
        unsplit = [tensor.get_shape().as_list() for tensor in (*self._context.values(), *self._states.values())]
        types = [*_FIXED_TYPES, *(tensor.dtype for tensor in groups)]
        return data_flow_ops.Barrier(types=types, shapes=[*[()] * len(_FIXED), *unrolled, *unsplit])

    def _insert(self) -> Any:
        count = v1.div(self._padded_length, self._num_unroll)
        ones = v1.ones(v1.expand_dims(count, 0), dtype=tf.int32)
        pieces = v1.range(count)
        lengths = v1.maximum(0, self._length - self._num_unroll * pieces)
        fixed = {"length": v1.minimum(self._num_unroll, lengths)}
        fixed["total_length"] = self._length * ones
        fixed["sequence_count"] = count * ones
        keys = v1.string_join(
            [v1.as_string(pieces, width=5, fill="0"), "_of_", v1.as_string(count, width=5, fill="0"), ":", self._key],
            name="StringJoinCurrentKeys",
        )
        stop = v1.expand_dims(v1.string_join(["STOP:", self._key], name="StringJoinStop"), 0)
        fixed["next_key"] = v1.concat([v1.slice(keys, [1], [-1]), stop], 0, name="concat_next_keys")
        fixed["sequence"] = pieces
        sequences = {name: self._cut(name, value, count) for name, value in self._sequences.items()}
        context = {name: self._repeated(name, value, count) for name, value in self._context.items()}
        order = ("sequence", "sequence_count", "next_key", "length", "total_length")
        inserts = {
            name: self._put(name, keys, fixed[name], f"BarrierInsert{name.title().replace('_', '')}") for name in order
        }
        for name, value in context.items():
            inserts[f"context__{name}"] = self._put(f"context__{name}", keys, value, f"BarrierInsertContext_{name}")
        for name, value in sequences.items():
            inserts[f"sequence__{name}"] = self._put(f"sequence__{name}", keys, value, f"BarrierInsertSequences_{name}")
        token = self._capacity_queue.enqueue((_TOKEN,))
        with tf.control_dependencies([inserts["sequence"], token]):
            # The state makes the first piece complete. It must not be taken before the queue has room.
            for name, value in self._states.items():
                inserts[f"state__{name}"] = self._put(
                    f"state__{name}", v1.stack([keys[0]]), v1.stack([value]), f"BarrierInitialInsertState_{name}"
                )
        return v1.group(token, *inserts.values(), name="StateSaverPrefetchGroup")

    def _put(self, component: str, keys: Any, values: Any, name: str) -> Any:
        return self._barrier.insert_many(self._index(component), keys, values, name=name)

    def _cut(self, name: str, value: Any, count: Any) -> Any:
        inner = value.get_shape().as_list()[1:]
        shape = v1.concat(
            [v1.expand_dims(count, 0), v1.expand_dims(self._num_unroll, 0), inner], 0, name=f"concat_sequences_{name}"
        )
        pieces = v1.reshape(value, shape, name=f"reshape_sequences_{name}")
        sizes = [count, self._num_unroll, *inner]
        return checked_dimensions(pieces, range(len(sizes)), sizes, f"reshaped_sequences_{name}")

    def _repeated(self, name: str, value: Any, count: Any) -> Any:
        rank = value.get_shape().ndims
        times = v1.concat([v1.expand_dims(count, 0), [1] * rank], 0, name=f"concat_context_{name}")
        tiled = v1.tile(v1.expand_dims(value, 0), times, name=f"tile_context_{name}")
        sizes = [count, *value.get_shape().as_list()]
        return checked_dimensions(tiled, range(len(sizes)), sizes, f"expanded_context_{name}")

    def _read(self) -> dict[str, Any]:
        """Takes a batch from the barrier, and frees a place in the queue for each sequence that ends."""
        taken = self._barrier.take_many(self._batch_size, self._allow_small_batch, name="BarrierTakeMany")
        received: dict[str, Any] = {"indices": taken[0], "keys": taken[1]}
        received |= {name: taken[2][self._index(name)] for name in _FIXED}
        received["context"] = {name: taken[2][self._index(f"context__{name}")] for name in self._context}
        received["sequences"] = {name: taken[2][self._index(f"sequence__{name}")] for name in self._sequences}
        received["batch_size"] = v1.squeeze(v1.shape(received["length"]))
        received["done"] = received["sequence"] + 1 >= received["sequence_count"]
        ended = v1.reduce_sum(v1.cast(received["done"], tf.int32))
        with tf.control_dependencies([self._capacity_queue.dequeue_many(ended)]):
            received["states"] = {name: v1.identity(taken[2][self._index(f"state__{name}")]) for name in self._states}
        return received


class SequenceInput:
    """One example as tensors: its length, key, sequences and context.

    Raises:
        TypeError: a name is not a string, or an argument is not a dictionary.
        ValueError: a name contains ":", or there are no sequences.
    """

    def __init__(self, length: Any, key: Any, sequences: Any, context: Any) -> None:
        self.length = tf.convert_to_tensor(length, name="length")
        self.key = tf.convert_to_tensor(key, name="key")
        _check_names("sequence", sequences)
        _check_names("context", context)
        _check_some("sequence", sequences)
        self.sequences = {k: tf.convert_to_tensor(v, name=f"sequence_{k}") for k, v in sequences.items()}
        self.context = {k: tf.convert_to_tensor(v, name=f"context_{k}") for k, v in context.items()}


def _check_capacity(capacity: Any, batch_size: Any, key: Any) -> Any:
    if capacity is None:
        return key
    if tf.is_tensor(batch_size):
        message = "capacity needs to be >= batch_size."
        room = v1.assert_greater_equal(v1.cast(capacity, tf.int64), v1.cast(batch_size, tf.int64), message=message)
        with tf.control_dependencies([room]):
            return v1.identity(key)
    if capacity < batch_size:
        raise ValueError(f"capacity {capacity} needs to be >= batch_size {batch_size}")
    return key


def _check_names(kind: str, group: Any) -> None:
    if not isinstance(group, Mapping):
        raise TypeError(f"{kind} must be a dict, not {type(group).__name__}")
    for name in group:
        if not isinstance(name, str):
            raise TypeError(f"{kind} key must be string: {name!r}")
        if ":" in name:
            raise ValueError(f"{kind} key may not have a colon: {name!r}")


def _check_some(kind: str, group: Any) -> None:
    if not group:
        raise ValueError(f"must have at least one {kind} tensor")


def _check_defined(kind: str, group: Mapping[str, Any], start: int) -> None:
    for name, tensor in group.items():
        if not tensor.get_shape()[start:].is_fully_defined():
            raise ValueError(f"the {kind} {name} has the shape {tensor.get_shape()}: it must be known; call set_shape")
