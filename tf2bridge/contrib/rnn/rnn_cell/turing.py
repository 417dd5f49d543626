"""`NTMCell`: the Neural Turing Machine (Graves et al., 2014), initialized as by Collier and Beel, 2018."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier
from tf2bridge.contrib.rnn.cell import LayerCell, batch_size, check_cell, known_size

v1 = tf.compat.v1


class NTMControllerState(NamedTuple):
    """The state: controller state, read vectors, head weights, memory [batch, size, dim], and the step."""

    controller_state: Any
    read_vector_list: Any
    w_list: Any
    M: Any
    time: Any


class NTMCell(LayerCell):
    """A cell, `controller`, with a memory of `memory_size` rows of `memory_vector_dim` and heads that read and write.

    The output is [batch, output_dim]. By default it has the size of the inputs.

    Raises:
        TypeError: `controller` is not a cell.
    """

    holds_cells = True

    def __init__(
        self,
        controller: Any,
        memory_size: int,
        memory_vector_dim: int,
        read_head_num: int,
        write_head_num: int,
        shift_range: int = 1,
        output_dim: int | None = None,
        clip_value: float = 20,
        dtype: Any = tf.float32,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        check_cell("controller", controller)
        self.controller = controller
        self.memory_size = memory_size
        self.memory_vector_dim = memory_vector_dim
        self.read_head_num = read_head_num
        self.write_head_num = write_head_num
        self.shift_range = shift_range
        self.output_dim = output_dim
        self.clip_value = clip_value
        self.num_heads = read_head_num + write_head_num
        self.num_parameters_per_head = memory_vector_dim + 2 * shift_range + 4
        head_parameters = self.num_parameters_per_head * self.num_heads
        self.total_parameter_num = head_parameters + memory_vector_dim * 2 * write_head_num

    @property
    def state_size(self) -> Any:
        size, width = self.memory_size, self.memory_vector_dim
        return NTMControllerState(
            self.controller.state_size,
            [width] * self.read_head_num,
            [size] * self.num_heads,
            tf.TensorShape([size * width]),
            tf.TensorShape([]),
        )

    @property
    def output_size(self) -> Any:
        return self.output_dim

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        size, width = self.memory_size, self.memory_vector_dim
        read = [v1.zeros([batch_size, width]) for _ in range(self.read_head_num)]
        looks = [v1.zeros([batch_size, size]) for _ in range(self.num_heads)]
        state = self.controller.zero_state(batch_size, dtype)
        return NTMControllerState(state, read, looks, v1.zeros([batch_size, size, width]), 0)

    def build(self, inputs_shape: Any) -> None:
        if self.output_dim is None:
            self.output_dim = known_size(inputs_shape)
        size, width, controlled = self.memory_size, self.memory_vector_dim, self.controller.output_size
        self._params = self._map("parameters", controlled, self.total_parameter_num)
        self._output = self._map("output", controlled + width * self.read_head_num, self.output_dim)
        glorot = supplier(KERAS).initializers.glorot_uniform
        self._first_read = tuple(
            self.add_weight(f"initial_read_vector_{place}", shape=[1, width], initializer=glorot())
            for place in range(self.read_head_num)
        )
        self._first_looks = tuple(
            self.add_weight(f"initial_address_weights_{place}", shape=[1, size], initializer=glorot())
            for place in range(self.num_heads)
        )
        little = v1.constant_initializer(1e-6, dtype=self.dtype)
        self._memory = self.add_weight("memory", shape=[size, width], initializer=little)
        self.built = True

    def _map(self, name: str, rows: int, columns: int) -> tuple[Any, Any]:
        normal = v1.truncated_normal_initializer(stddev=1.0 / math.sqrt(rows), dtype=tf.float32)
        kernel = self.add_weight(f"{name}_kernel", shape=[rows, columns], initializer=normal)
        zeros = v1.constant_initializer(0.0, dtype=self.dtype)
        return kernel, self.add_weight(f"{name}_bias", shape=[columns], initializer=zeros)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        first_read = _begin(state, lambda: self._tiled(inputs, self._first_read, v1.tanh), state.read_vector_list)
        controlled, controller = self.controller(v1.concat([inputs, *first_read], axis=1), state.controller_state)
        heads, changes = self._parameters(controlled)
        looks = _begin(state, lambda: self._tiled(inputs, self._first_looks, v1.nn.softmax), state.w_list)
        memory = v1.cond(v1.equal(state.time, 0), lambda: _rows(self._memory, inputs), lambda: state.M)
        looks = [self._addressed(head, memory, look) for head, look in zip(heads, looks, strict=True)]
        read = [v1.reduce_sum(v1.expand_dims(look, dim=2) * memory, axis=1) for look in looks[: self.read_head_num]]
        written = memory
        for place, look in enumerate(looks[self.read_head_num :]):
            written = _written(written, look, *changes[2 * place : 2 * place + 2])
        kernel, bias = self._output
        output = v1.nn.bias_add(v1.matmul(v1.concat([controlled, *read], axis=1), kernel), bias)
        output = v1.clip_by_value(output, -self.clip_value, self.clip_value)
        return output, NTMControllerState(controller, read, looks, written, state.time + 1)

    def _parameters(self, controlled: Any) -> tuple[list[Any], list[Any]]:
        """Returns the parameters of each head, and the erase and add vectors, from the controller's output."""
        kernel, bias = self._params
        parameters = v1.nn.bias_add(v1.matmul(controlled, kernel), bias)
        parameters = v1.clip_by_value(parameters, -self.clip_value, self.clip_value)
        border = self.num_parameters_per_head * self.num_heads
        heads = v1.split(parameters[:, :border], self.num_heads, axis=1)
        return heads, v1.split(parameters[:, border:], 2 * self.write_head_num, axis=1)

    def _tiled(self, inputs: Any, weights: tuple[Any, ...], function: Callable[[Any], Any]) -> list[Any]:
        return [_rows(function(v1.squeeze(v1.matmul(v1.ones([1, 1]), weight))), inputs) for weight in weights]

    def _addressed(self, head: Any, memory: Any, look: Any) -> Any:
        """Returns the new weights of a head, [batch, memory_size] (sections 3.3.1 and 3.3.2)."""
        width, shifts = self.memory_vector_dim, 2 * self.shift_range + 1
        key = v1.tanh(head[:, 0:width])
        strength = v1.nn.softplus(head[:, width])
        gate = v1.sigmoid(head[:, width + 1])
        shift = v1.nn.softmax(head[:, width + 2 : width + 2 + shifts])
        sharpness = v1.nn.softplus(head[:, -1]) + 1
        similarity = _similar(key, strength, memory)
        gate = v1.expand_dims(gate, axis=1)
        mixed = gate * similarity + (1 - gate) * look
        moved = v1.reduce_sum(v1.expand_dims(mixed, axis=1) * self._circulant(shift), axis=2)
        sharp = v1.pow(moved, v1.expand_dims(sharpness, axis=1))
        return sharp / v1.reduce_sum(sharp, axis=1, keepdims=True)

    def _circulant(self, shift: Any) -> Any:
        """Returns the shifts as circulant matrices, [batch, memory_size, memory_size]."""
        size, reach = self.memory_size, self.shift_range
        gap = v1.zeros([batch_size(shift), size - (reach * 2 + 1)])
        row = v1.concat([shift[:, : reach + 1], gap, shift[:, -reach:]], axis=1)
        twice = v1.concat([v1.reverse(row, axis=[1]), v1.reverse(row, axis=[1])], axis=1)
        return v1.stack([twice[:, size - place - 1 : size * 2 - place - 1] for place in range(size)], axis=1)


def _begin(state: NTMControllerState, first: Callable[[], list[Any]], later: Any) -> list[Any]:
    """Returns the values at the start of a step: `first()` at step 0. (A `cond` unpacks a list of one element.)"""
    values = v1.cond(v1.equal(state.time, 0), first, lambda: later)
    return [values] if len(later) == 1 else values


def _rows(row: Any, inputs: Any) -> Any:
    """Returns `row` repeated for each example. As in genuine TensorFlow, the number of examples must be static."""
    return v1.concat([v1.expand_dims(row, 0) for _ in range(batch_size(inputs))], axis=0)


def _similar(key: Any, strength: Any, memory: Any) -> Any:
    """Returns the similarity of memory rows and key: softmax of the cosine, [batch, memory_size] (equations 5, 6)."""
    key = v1.expand_dims(key, axis=2)
    product = v1.matmul(memory, key)
    length = v1.sqrt(v1.reduce_sum(v1.square(key), axis=1, keepdims=True))
    lengths = v1.sqrt(v1.reduce_sum(v1.square(memory), axis=2, keepdims=True))
    cosine = v1.squeeze(product / (lengths * length + 1e-8))
    likely = v1.exp(v1.expand_dims(strength, axis=1) * cosine)
    return likely / v1.reduce_sum(likely, axis=1, keepdims=True)


def _written(memory: Any, look: Any, erase: Any, add: Any) -> Any:
    """Returns the memory after one head has erased and added at its weights (section 3.2)."""
    look = v1.expand_dims(look, axis=2)
    erase = v1.expand_dims(v1.sigmoid(erase), axis=1)
    add = v1.expand_dims(v1.tanh(add), axis=1)
    kept = v1.ones_like(memory) - v1.matmul(look, erase)
    return memory * kept + v1.matmul(look, add)
