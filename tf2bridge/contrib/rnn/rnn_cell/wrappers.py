"""Cells around another cell: a highway past it, and one that XLA compiled."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn.core_rnn_cell import Wrapper

v1 = tf.compat.v1


class HighwayWrapper(Wrapper):
    """Mixes the inputs of a cell into its outputs with gates (Srivastava et al., 2015).

    The variables carry_w, carry_b (and transform_w, transform_b, unless the gates are coupled) use the current scope.

    Raises:
        TypeError: the structures of inputs and outputs differ.
        ValueError: the shapes of inputs and outputs differ.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        super().__init__()
        self._cell = cell
        self._couple_carry_transform_gates = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        outputs, new_state = self._cell(inputs, state, scope=scope)
        tf.nest.assert_same_structure(inputs, outputs)
        for given, made in zip(tf.nest.flatten(inputs), tf.nest.flatten(outputs), strict=True):
            given.get_shape().assert_is_compatible_with(made.get_shape())
        return tf.nest.map_structure(self._mixed, inputs, outputs), new_state

    def _mixed(self, given: Any, made: Any) -> Any:
        carry = self._gate(given, "carry", self._carry_bias_init)
        if self._couple_carry_transform_gates:
            transform = 1 - carry
        else:
            transform = self._gate(given, "transform", -self._carry_bias_init)
        return given * carry + made * transform

    def _gate(self, given: Any, name: str, start: float) -> Any:
        size = given.get_shape().with_rank(2).dims[1].value
        weights = v1.get_variable(f"{name}_w", [size, size])
        bias = v1.get_variable(f"{name}_b", [size], initializer=v1.constant_initializer(start))
        return v1.sigmoid(v1.nn.xw_plus_b(given, weights, bias))


class CompiledWrapper(Wrapper):
    """Marks the operations of a cell for compilation by XLA; those with a state only with `compile_stateful`."""

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        super().__init__()
        self._cell = cell
        self._compile_stateful = compile_stateful

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        chosen: Any = True if self._compile_stateful else _stateless
        with v1.xla.experimental.jit_scope(compile_ops=chosen):
            result: tuple[Any, Any] = self._cell(inputs, state, scope=scope)
            return result


def _stateless(node: Any) -> bool:
    from tf2bridge.internals.framework import op_def_registry

    return not op_def_registry.get(node.op).is_stateful
