"""Stacks of bidirectional networks, whose variables 0.12 named "StackRNN/Layer0/BiRNN/FW/..."."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.unrolled import bidirectional_rnn
from tf2bridge.contrib.rnn.rnn import layers
from tf2bridge.v0.rnn.dynamic import bidirectional_dynamic_rnn

v1 = tf.compat.v1


def stack_bidirectional_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Sequence[Any],
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Returns (outputs, forward states, backward states); `inputs` and outputs are lists of [batch, size].

    Raises ValueError unless both are lists of equal length.
    """
    stack = layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    return _stacked(bidirectional_rnn, stack, inputs, scope, dtype=dtype, sequence_length=sequence_length)


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: Any,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Returns (outputs, forward states, backward states); `inputs` and outputs are [batch, time, size].

    Raises ValueError unless both are lists of equal length.
    """

    def network(*args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        outputs, states = bidirectional_dynamic_rnn(*args, **kwargs)
        return v1.concat(outputs, 2), *states

    stack = layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    return _stacked(network, stack, inputs, scope, dtype=dtype, sequence_length=sequence_length)


def _stacked(
    network: Callable[..., tuple[Any, Any, Any]], stack: Sequence[Any], inputs: Any, scope: Any, **options: Any
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    states = []
    with v1.variable_scope(scope or "StackRNN"):
        for number, (forward, backward, state_fw, state_bw) in enumerate(stack):
            with v1.variable_scope(f"Layer{number}"):
                begin = {"initial_state_fw": state_fw, "initial_state_bw": state_bw}
                inputs, *ended = network(forward, backward, inputs, **begin, **options)
            states.append(ended)
    ahead, back = zip(*states, strict=True)
    return inputs, ahead, back
