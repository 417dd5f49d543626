"""LSTM cells with a masked kernel."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_cells
from tf2bridge.contrib.model_pruning.masks import masked

v1 = tf.compat.v1


class _Masked:
    """Mixin that makes the variables `mask` and `threshold` after the cell's, and uses the masked kernel."""

    def build(self: Any, inputs_shape: Any) -> None:
        """Makes the variables."""
        super().build(inputs_shape)  # type: ignore[misc]  # that of the cell
        self.built = False
        shape = [tf.TensorShape(inputs_shape).as_list()[1] + self._num_units, 4 * self._num_units]
        ones, zeros = v1.ones_initializer(), v1.zeros_initializer()
        self._mask = self.add_weight(name="mask", shape=shape, initializer=ones, trainable=False, dtype=self.dtype)
        self._threshold = self.add_weight(
            name="threshold", shape=[], initializer=zeros, trainable=False, dtype=self.dtype
        )
        self._masked_kernel = masked(self._mask, self._kernel, self._threshold)
        self.built = True

    def call(self: Any, inputs: Any, state: Any) -> Any:
        """Returns the output and the state of one step."""
        attributes = vars(self)  # a plain assignment would have the layer count the product among its variables
        kernel = attributes["_kernel"]
        attributes["_kernel"] = self._masked_kernel
        try:
            return super().call(inputs, state)  # type: ignore[misc]
        finally:
            attributes["_kernel"] = kernel


class MaskedBasicLSTMCell(_Masked, core_cells().BasicLSTMCell):  # type: ignore[misc]
    """A `tf.nn.rnn_cell.BasicLSTMCell` whose kernel is masked; its name is in lower case with underscores."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(num_units, forget_bias, state_is_tuple, activation, reuse, name)


class MaskedLSTMCell(_Masked, core_cells().LSTMCell):  # type: ignore[misc]
    """A `tf.nn.rnn_cell.LSTMCell` whose kernel is masked."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: Any = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: Any = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(
            num_units,
            use_peepholes=use_peepholes,
            cell_clip=cell_clip,
            initializer=initializer,
            num_proj=num_proj,
            proj_clip=proj_clip,
            num_unit_shards=num_unit_shards,
            num_proj_shards=num_proj_shards,
            forget_bias=forget_bias,
            state_is_tuple=state_is_tuple,
            activation=activation,
            reuse=reuse,
        )
