"""Cells with little work from step to step: SRU (Lei et al., 2017), MinimalRNN (Chen et al., 2018) and CFN (Laurent
and von Brecht, 2017)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier
from tf2bridge.contrib.rnn.cell import InputSpec, LayerCell, input_size, known_size

v1 = tf.compat.v1


class SRUCell(LayerCell):
    """The simple recurrent unit: the state [batch, num_units] meets no matrix. Inputs [batch, size]."""

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units = self._state_size = self._output_size = num_units
        self._activation = activation or v1.tanh
        self.input_spec = InputSpec(ndim=2)

    def build(self, inputs_shape: Any) -> None:
        size, units = known_size(inputs_shape), self._num_units
        self._kernel = self.add_weight("kernel", shape=[size, 4 * units])
        self._bias = self.add_weight("bias", shape=[2 * units], initializer=v1.zeros_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        product = v1.matmul(inputs, self._kernel)
        fresh, keep, show, carried = v1.split(value=product, num_or_size_splits=4, axis=1)
        gates = v1.sigmoid(v1.nn.bias_add(v1.concat([keep, show], 1), self._bias))
        keep, show = v1.split(value=gates, num_or_size_splits=2, axis=1)
        state = keep * state + (1.0 - keep) * fresh
        output = show * self._activation(state) + (1.0 - show) * carried
        return output, state


class _Projected(LayerCell):
    """A cell that maps its inputs [batch, size] to its `units` first; names of Keras stand for functions."""

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "ones",
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, dtype=dtype, **kwargs)
        keras = supplier(KERAS)
        self.input_spec = InputSpec(ndim=2)
        self.units = self._state_size = self._output_size = units
        self.activation = keras.activations.get(activation)
        self.kernel_initializer = keras.initializers.get(kernel_initializer)
        self.bias_initializer = keras.initializers.get(bias_initializer)


class MinimalRNNCell(_Projected):
    """One gate mixes the mapped input and the state, each [batch, units]."""

    def build(self, inputs_shape: Any) -> None:
        shape = [known_size(inputs_shape) + 2 * self.units, self.units]
        self.kernel = self.add_weight(name="kernel", shape=shape, initializer=self.kernel_initializer)
        self.bias = self.add_weight(name="bias", shape=[self.units], initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        sizes = [input_size(inputs), 2 * self.units]
        entry, gate = v1.split(value=self.kernel, num_or_size_splits=sizes, axis=0)
        fresh = self.activation(v1.matmul(inputs, entry))
        product = v1.matmul(v1.concat([fresh, state], 1), gate)
        keep = v1.sigmoid(v1.nn.bias_add(product, self.bias))
        state = keep * state + (1 - keep) * fresh
        return state, state


class CFNCell(_Projected):
    """Two gates mix the mapped input and the state, each [batch, units], without chaos."""

    def build(self, inputs_shape: Any) -> None:
        size, units, start = known_size(inputs_shape), self.units, self.kernel_initializer
        self.kernel = self.add_weight(shape=[size, 3 * units], name="kernel", initializer=start)
        self.recurrent_kernel = self.add_weight(shape=[units, 2 * units], name="recurrent_kernel", initializer=start)
        self.bias = self.add_weight(shape=[2 * units], name="bias", initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        input_size(inputs)
        gate, entry = v1.split(value=self.kernel, num_or_size_splits=[2 * self.units, self.units], axis=1)
        gates = v1.matmul(state, self.recurrent_kernel) + v1.matmul(inputs, gate)
        gates = v1.sigmoid(v1.nn.bias_add(gates, self.bias))
        keep, refuse = v1.split(value=gates, num_or_size_splits=2, axis=1)
        fresh = v1.matmul(inputs, entry)
        state = keep * self.activation(state) + (1 - refuse) * self.activation(fresh)
        return state, state
