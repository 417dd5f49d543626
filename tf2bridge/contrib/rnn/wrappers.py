"""Wrappers that map what goes into a cell or comes out of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.rnn.cell import RNNCell, check_cell, zeros_of
from tf2bridge.contrib.rnn.linear import Linear

v1 = tf.compat.v1


class _Wrapper(RNNCell):  # type: ignore[misc]  # tf_keras is untyped
    """A cell around another one, `_cell`, with the same sizes."""

    _cell: Any

    @property
    def state_size(self) -> Any:
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return zeros_of(self, self._cell, batch_size, dtype)


class EmbeddingWrapper(_Wrapper):
    """Looks its inputs, [batch] or [batch, 1] of class numbers, up in the variable `embedding`.

    Raises TypeError for what is no cell and ValueError for sizes below 1.
    """

    def __init__(
        self,
        cell: Any,
        embedding_classes: int,
        embedding_size: int,
        initializer: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._cell = cell
        self._embedding_classes = embedding_classes
        self._embedding_size = embedding_size
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        with v1.device("/cpu:0"):
            initializer = self._initializer or v1.get_variable_scope().initializer
            if not initializer:
                # A variance of 1, which is that of the uniform distribution between these.
                initializer = v1.random_uniform_initializer(-math.sqrt(3), math.sqrt(3))
            dtype = (state[0] if isinstance(state, tuple) else state).dtype
            shape = [self._embedding_classes, self._embedding_size]
            embedding = v1.get_variable("embedding", shape, initializer=initializer, dtype=dtype)
            embedded = v1.nn.embedding_lookup(embedding, v1.reshape(inputs, [-1]))
            result: tuple[Any, Any] = self._cell(embedded, state)
            return result


class InputProjectionWrapper(_Wrapper):
    """Maps the input of a cell linearly to `num_proj`, and through `activation`. Raises TypeError for no cell."""

    def __init__(
        self,
        cell: Any,
        num_proj: int,
        activation: Callable[[Any], Any] | None = None,
        input_size: Any = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        check_cell("cell", cell)
        self._cell = cell
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        result: tuple[Any, Any] = self._cell(self._activation(projected) if self._activation else projected, state)
        return result


class OutputProjectionWrapper(_Wrapper):
    """Maps the output of a cell linearly to `output_size`, and through `activation`.

    Raises TypeError for what is no cell and ValueError for an `output_size` below 1.
    """

    def __init__(
        self,
        cell: Any,
        output_size: int,
        activation: Callable[[Any], Any] | None = None,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._cell = cell
        self._output_size = output_size
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def output_size(self) -> Any:
        return self._output_size

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        output, new_state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, new_state


class HighwayWrapper(_Wrapper):
    """Mixes the inputs of a cell into its outputs, as gates tell (Srivastava et al., 2015).

    The variables carry_w, carry_b (and transform_w, transform_b, unless the gates are coupled) lie in the scope that is
    current. Raises TypeError and ValueError where inputs and outputs have other structures or shapes.
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


class CompiledWrapper(_Wrapper):
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
