"""The beams of a beam search followed back: an operation of TensorFlow 1.x's contrib, which has no kernel today."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def gather_tree(steps: Any, parents: Any, lengths: Any, end: Any) -> Any:
    """Returns complete beams, int32 [time, batch, beam], as `GatherTree` does from 1.5 on.

    Args:
        steps: The symbol of each step, int32 [time, batch, beam].
        parents: The beam of the step before that each symbol continues, int32 [time, batch, beam].
        lengths: The number of steps, int32 [batch].
        end: The symbol that stands after the first one like it, and past the last step; int32 [].
    """
    time = v1.shape(steps)[0]
    beams = ancestors(steps, parents, v1.expand_dims(lengths, 1))
    past = v1.expand_dims(v1.logical_not(v1.transpose(v1.sequence_mask(lengths, time))), 2)
    ended = v1.cumsum(v1.cast(v1.equal(beams, end), tf.int32), axis=0, exclusive=True) > 0
    followed = v1.where(v1.logical_or(past, ended), v1.zeros_like(beams) + end, beams)
    followed.set_shape(steps.get_shape().merge_with(parents.get_shape()))
    return followed


def early_gather_tree(steps: Any, parents: Any, lengths: Any) -> Any:
    """Returns complete beams, int32 [time, batch, beam], as `GatherTree` does up to 1.4.

    Each beam has a length of its own, int32 [batch, beam]. Past it, its symbols are -1.
    """
    beams = ancestors(steps, parents, lengths)
    within = v1.transpose(v1.sequence_mask(lengths, v1.shape(steps)[0]), [2, 0, 1])
    return v1.where(within, beams, v1.zeros_like(beams) - 1)


def ancestors(steps: Any, parents: Any, lengths: Any) -> Any:
    """Returns the symbols of each beam and its ancestors, [time, batch, beam].

    `lengths` is [batch, beam] or [batch, 1]. The symbols past the length of a beam have no meaning.
    """
    positions = v1.zeros_like(steps[0]) + v1.range(v1.shape(steps)[2])

    def ancestor(carried: Any, level: Any) -> tuple[Any, Any]:
        step, chosen, parent = level
        last = step >= lengths - 1
        index = v1.where(v1.logical_or(last, v1.zeros_like(positions, dtype=tf.bool)), positions, carried[1])
        return v1.gather(chosen, index, batch_dims=1), v1.gather(parent, index, batch_dims=1)

    levels = (v1.range(v1.shape(steps)[0]), steps, parents)
    beams, _ = v1.scan(ancestor, levels, initializer=(positions, positions), reverse=True)
    return beams
