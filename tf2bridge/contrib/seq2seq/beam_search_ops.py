"""Following the parents of a beam search back from its last step, without the kernel that TensorFlow 1.x had."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.seeds import counter
from tf2bridge.contrib.seq2seq.cells import length

v1 = tf.compat.v1


def gather_tree(
    step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any, name: str | None = None
) -> Any:
    """Returns whole beams, int32 [time, batch, beam], from what each step chose and which beam it continued.

    Beam k of a sequence ends at step `max_sequence_lengths` [batch] - 1 as `step_ids` of its own place; before that it
    is what its ancestors chose. After the first `end_token` of a beam, and past the end, all is `end_token`.
    The session raises InvalidArgumentError for a parent that is no beam.
    """
    with v1.name_scope(name, "GatherTree", [step_ids, parent_ids, max_sequence_lengths, end_token]):
        steps = tf.convert_to_tensor(step_ids, dtype=tf.int32)
        parents = tf.convert_to_tensor(parent_ids, dtype=tf.int32)
        lengths = tf.convert_to_tensor(max_sequence_lengths, dtype=tf.int32)
        end = tf.convert_to_tensor(end_token, dtype=tf.int32)
        _check_ranks(steps, parents, lengths, end)
        if tf.executing_eagerly():
            return _followed(steps, parents, lengths, end)
        with counter.uncounted(v1.get_default_graph()):  # all but the last: 1.x had one operation
            found = _followed(steps, parents, lengths, end)
        return v1.identity(found)


def _followed(steps: Any, parents: Any, lengths: Any, end: Any) -> Any:
    time = v1.shape(steps)[0]
    beams = ancestors(steps, parents, v1.expand_dims(lengths, 1))
    past = v1.expand_dims(v1.logical_not(v1.transpose(v1.sequence_mask(lengths, time))), 2)
    ended = v1.cumsum(v1.cast(v1.equal(beams, end), tf.int32), axis=0, exclusive=True) > 0
    found = v1.where(v1.logical_or(past, ended), v1.zeros_like(beams) + end, beams)
    found.set_shape(steps.get_shape().merge_with(parents.get_shape()))
    return found


def ancestors(steps: Any, parents: Any, lengths: Any) -> Any:
    """Returns what each beam and its ancestors chose, [time, batch, beam], for `lengths` [batch, beam] or [batch, 1].

    What is past the length of a beam means nothing.
    """
    own = v1.zeros_like(steps[0]) + v1.range(v1.shape(steps)[2])

    def ancestor(carried: Any, level: Any) -> tuple[Any, Any]:
        step, chosen, parent = level
        last = step >= lengths - 1
        index = v1.where(v1.logical_or(last, v1.zeros_like(own, dtype=tf.bool)), own, carried[1])
        return v1.gather(chosen, index, batch_dims=1), v1.gather(parent, index, batch_dims=1)

    levels = (v1.range(v1.shape(steps)[0]), steps, parents)
    beams, _ = v1.scan(ancestor, levels, initializer=(own, own), reverse=True)
    return beams


def _check_ranks(steps: Any, parents: Any, lengths: Any, end: Any) -> None:
    for role, tensor, rank in (
        ("step_ids", steps, 3),
        ("parent_ids", parents, 3),
        ("max_sequence_lengths", lengths, 1),
        ("end_token", end, 0),
    ):
        if tensor.shape.ndims not in (None, rank):
            raise ValueError(f"{role} must be of rank {rank}, not of shape {tensor.shape}")
    steps.shape.assert_is_compatible_with(parents.shape)


def gather_tree_from_array(t: Any, parent_ids: Any, sequence_length: Any) -> Any:
    """Returns `t` [time, batch * beam, ...] or [time, batch, beam, ...] with each beam's past put where the beam is.

    `parent_ids` is [time, batch, beam], `sequence_length` [batch, beam].
    """
    time, batch, width = (length(parent_ids, axis) for axis in range(3))
    own = v1.expand_dims(v1.expand_dims(v1.range(width), 0), 0)
    own = v1.tile(own, [time, batch, 1])
    longest = v1.cast(v1.reduce_max(sequence_length, axis=1), tf.int32)
    beams = gather_tree(own, parent_ids, max_sequence_lengths=longest, end_token=width + 1)
    within = v1.transpose(v1.sequence_mask(sequence_length, maxlen=time), perm=[2, 0, 1])
    beams = v1.where(within, x=beams, y=own)
    times = v1.tile(v1.reshape(v1.range(time), [-1, 1, 1]), [1, batch, width])
    batches = v1.tile(v1.reshape(v1.range(batch), [-1, 1, 1]), [1, time, width])
    batches = v1.transpose(batches, perm=[1, 0, 2])
    indices = v1.stack([times, batches, beams], -1)
    shape = v1.shape(t)
    rows = v1.reshape(t, [time, batch, width, -1])
    return v1.reshape(v1.gather_nd(rows, indices), shape)
