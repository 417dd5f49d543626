"""`nn.rnn` and similar functions of 0.12, which 1.x calls `static_rnn` and gives other default scopes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def rnn(
    cell: Any,
    inputs: Sequence[Any],
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Returns (outputs, final state) of `cell` run over `inputs`, a list of [batch, units]; default scope "RNN"."""
    return v1.nn.static_rnn(cell, inputs, initial_state, dtype, sequence_length, scope or "RNN")  # type: ignore[no-any-return]


def state_saving_rnn(
    cell: Any,
    inputs: Sequence[Any],
    state_saver: Any,
    state_name: Any,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Returns (outputs, final state); the state comes from `state_saver.state` and goes to `state_saver.save_state`."""
    return v1.nn.static_state_saving_rnn(  # type: ignore[no-any-return]
        cell, inputs, state_saver, state_name, sequence_length, scope or "RNN"
    )


def bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Sequence[Any],
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, Any, Any]:
    """Returns (outputs, forward state, backward state); variables lie under "FW" and "BW" of the scope "BiRNN"."""
    with v1.variable_scope(scope or "BiRNN"):
        with v1.variable_scope("FW") as forward:
            ahead, state_fw = rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, forward)
        with v1.variable_scope("BW") as backward:
            turned = reversed_steps(inputs, sequence_length)
            back, state_bw = rnn(cell_bw, turned, initial_state_bw, dtype, sequence_length, backward)
    back = reversed_steps(back, sequence_length)
    outputs = [
        tf.nest.map_structure(lambda forward, backward: v1.concat([forward, backward], 1), *pair)
        for pair in zip(ahead, back, strict=True)
    ]
    return outputs, state_fw, state_bw


def reversed_steps(steps: Sequence[Any], lengths: Any) -> list[Any]:
    """Returns the time steps, each [batch, units], in reverse order.

    If lengths are given, each example is reversed within its length.
    """
    if lengths is None:
        return list(reversed(steps))
    columns = zip(*(tf.nest.flatten(step) for step in steps), strict=True)
    turned = [_reversed_column(column, lengths) for column in columns]
    return [tf.nest.pack_sequence_as(steps[0], parts) for parts in zip(*turned, strict=True)]


def _reversed_column(column: Sequence[Any], lengths: Any) -> list[Any]:
    shape = tf.TensorShape(None)
    for step in column:
        shape = shape.merge_with(step.shape)
    turned = v1.reverse_sequence(v1.stack(column), v1.to_int64(lengths), 0, 1)
    parts: list[Any] = v1.unstack(turned)
    for part in parts:
        part.set_shape(shape)
    return parts
