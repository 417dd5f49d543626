"""`gather_tree`: follows the parents of a beam search back from the last step, without the kernel of TensorFlow 1.x."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops import beams
from tf2bridge.behaviour.seeds import counter
from tf2bridge.contrib.seq2seq.cells import length

v1 = tf.compat.v1


def gather_tree(
    step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any, name: str | None = None
) -> Any:
    """Returns complete beams, int32 [time, batch, beam], from the symbols and the parents of each step.

    Beam k of a sequence ends at step `max_sequence_lengths` [batch] - 1, with the symbol of `step_ids` at position k.
    The symbols before come from its ancestors. After the first `end_token`, and past the end, all symbols are
    `end_token`. The session raises InvalidArgumentError if a parent is not the number of a beam.
    """
    with v1.name_scope(name, "GatherTree", [step_ids, parent_ids, max_sequence_lengths, end_token]):
        steps = tf.convert_to_tensor(step_ids, dtype=tf.int32)
        parents = tf.convert_to_tensor(parent_ids, dtype=tf.int32)
        lengths = tf.convert_to_tensor(max_sequence_lengths, dtype=tf.int32)
        end = tf.convert_to_tensor(end_token, dtype=tf.int32)
        _check_ranks(steps, parents, lengths, end)
        if tf.executing_eagerly():
            return beams.gather_tree(steps, parents, lengths, end)
        with counter.uncounted(v1.get_default_graph()):  # 1.x had a single operation: only the last one counts
            tree = beams.gather_tree(steps, parents, lengths, end)
        return v1.identity(tree)


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
    """Returns `t` reordered, so that each beam's earlier steps stand at the position of the beam.

    Args:
        t: a tensor [time, batch * beam, ...] or [time, batch, beam, ...].
        parent_ids: the parents of each step, [time, batch, beam].
        sequence_length: the length of each beam, [batch, beam].
    """
    time, batch, width = (length(parent_ids, axis) for axis in range(3))
    positions = v1.expand_dims(v1.expand_dims(v1.range(width), 0), 0)
    positions = v1.tile(positions, [time, batch, 1])
    longest = v1.cast(v1.reduce_max(sequence_length, axis=1), tf.int32)
    tree = gather_tree(positions, parent_ids, max_sequence_lengths=longest, end_token=width + 1)
    within = v1.transpose(v1.sequence_mask(sequence_length, maxlen=time), perm=[2, 0, 1])
    tree = v1.where(within, x=tree, y=positions)
    times = v1.tile(v1.reshape(v1.range(time), [-1, 1, 1]), [1, batch, width])
    batches = v1.tile(v1.reshape(v1.range(batch), [-1, 1, 1]), [1, time, width])
    batches = v1.transpose(batches, perm=[1, 0, 2])
    indices = v1.stack([times, batches, tree], -1)
    shape = v1.shape(t)
    rows = v1.reshape(t, [time, batch, width, -1])
    return v1.reshape(v1.gather_nd(rows, indices), shape)
