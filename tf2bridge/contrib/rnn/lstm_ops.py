"""LSTM cells and networks that are one operation a step, or one for all steps."""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.rnn.cell import InputSpec, LayerCell, LSTMStateTuple, known_size
from tf2bridge.contrib.rnn.kernels import register

v1 = tf.compat.v1


_Layer: Any = core_layers().Layer


def _lstm_weights(layer: Any, size: int, units: int, peepholes: bool) -> tuple[Any, ...]:
    """Returns the variables of an LSTM: kernel, bias, and the three peepholes of the gates i, f and o.

    Up to 1.4 the peephole of o was made before that of f, so that a graph seed gives them other values.
    """
    kernel = layer.add_weight("kernel", [size + units, units * 4])
    bias = layer.add_weight("bias", [units * 4], initializer=v1.constant_initializer(0.0))
    order = ("i", "o", "f") if before(1, 5) else ("i", "f", "o")
    peephole = {gate: layer.add_weight(f"w_{gate}_diag", [units]) for gate in order if peepholes}
    return (kernel, bias, *(peephole[gate] for gate in ("i", "f", "o") if peepholes))


class LSTMBlockCell(LayerCell):
    """`nn.rnn_cell.LSTMCell` without projection in one operation; the same variables, under the same names.

    Inputs [batch, size] and output [batch, num_units], float32 or float16; state (memory, output).
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: Any = None,
        reuse: bool | None = None,
        name: str = "lstm_cell",
    ) -> None:
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        register()
        self._num_units = self._output_size = num_units
        self._state_size = LSTMStateTuple(num_units, num_units)
        self._forget_bias = forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self.input_spec = InputSpec(ndim=2)

    def build(self, inputs_shape: Any) -> None:
        self._weights = _lstm_weights(self, known_size(inputs_shape), self._num_units, self._use_peephole)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        if len(state) != 2:
            raise ValueError(f"Expecting state to be a tuple with length 2: memory and output, not {len(state)} parts")
        kernel, bias, *see = self._weights
        see = see or [v1.zeros([self._num_units], dtype=self.dtype)] * 3
        result = tf.raw_ops.LSTMBlockCell(
            x=inputs,
            cs_prev=state[0],
            h_prev=state[1],
            w=kernel,
            wci=see[0],
            wcf=see[1],
            wco=see[2],
            b=bias,
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return result.h, LSTMStateTuple(result.cs, result.h)


class LSTMBlockWrapper(_Layer, abc.ABC):  # type: ignore[misc]  # tf_keras is untyped
    """A whole network as one layer; subclasses define `num_units` and `_call_cell`."""

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """The size of the output."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        """Returns (memories, outputs), each [time, batch, num_units], for `inputs` [time, batch, size]."""

    def call(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None
    ) -> tuple[Any, Any]:
        """Returns (outputs, final state) for `inputs`, [time, batch, size] or a list of [batch, size].

        Outputs beyond `sequence_length` are 0.

        Raises:
            ValueError: the size of the inputs is unknown, or neither `initial_state` nor `dtype` is given.
        """
        steps = v1.stack(inputs) if isinstance(inputs, list) else inputs
        shape = steps.get_shape().with_rank(3)
        if not tf.compat.dimension_value(shape[2]):
            raise ValueError(f"Expecting inputs_shape[2] to be set: {shape}")
        batch = shape.dims[1].value or v1.shape(steps)[1]
        time = shape.dims[0].value or v1.shape(steps)[0]
        memory, output = self._initial(initial_state, batch, dtype)
        dtype = memory.dtype if dtype is None else dtype
        if sequence_length is not None:
            sequence_length = tf.convert_to_tensor(sequence_length)
        memories, outputs = self._call_cell(steps, memory, output, dtype, sequence_length)
        if sequence_length is None:
            memory, output = memories[-1], outputs[-1]
        else:
            mask = v1.transpose(v1.sequence_mask(sequence_length, time, dtype=dtype), [1, 0])
            outputs *= v1.tile(v1.expand_dims(mask, [-1]), [1, 1, self.num_units])
            # The initial state comes first, so that a length of 0 selects it.
            memories = v1.concat([v1.expand_dims(memory, [0]), memories], 0)
            all_outputs = v1.concat([v1.expand_dims(output, [0]), outputs], 0)
            memory, output = (_at(values, sequence_length, batch) for values in (memories, all_outputs))
        result = v1.unstack(outputs) if isinstance(inputs, list) else outputs
        return result, LSTMStateTuple(memory, output)

    def _initial(self, state: Any, batch: Any, dtype: Any) -> tuple[Any, Any]:
        if state is None:
            if dtype is None:
                raise ValueError(f"Either initial_state or dtype needs to be specified for {type(self).__name__}")
            zeros = v1.zeros(v1.stack([batch, self.num_units]), dtype=dtype)
            return zeros, zeros
        if len(state) != 2:
            raise ValueError(f"Expecting initial_state to be a tuple with length 2 or None, not {len(state)} parts")
        memory, output = state
        return memory, output


def _at(steps: Any, lengths: Any, batch: Any) -> Any:
    return v1.gather_nd(steps, v1.stack([lengths, v1.range(batch)], axis=1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM over all steps in one operation, with the variables of `nn.rnn_cell.LSTMCell`.

    Up to 1.4 their scope was "lstm_block_wrapper", and they were made after the initial state; in 1.5 "rnn/lstm_cell".
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        reuse: bool | None = None,
        dtype: Any = None,
        name: str = "lstm_fused_cell",
    ) -> None:
        self._early = before(1, 5)
        if name == "lstm_fused_cell" and before(1, 6):
            name = "lstm_block_wrapper" if self._early else "rnn/lstm_cell"
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._cell_clip = -1 if cell_clip is None else cell_clip
        self._use_peephole = use_peephole
        self._weights: tuple[Any, ...] | None = None
        self.input_spec = None if self._early else InputSpec(ndim=3)  # up to 1.4 a list of steps, too

    @property
    def num_units(self) -> int:
        return self._num_units

    def build(self, input_shape: Any) -> None:
        if not self._early:
            self._make_weights(tf.TensorShape(input_shape))
        self.built = True

    def _make_weights(self, shape: Any) -> tuple[Any, ...]:
        if self._weights is None:
            self.built = False  # a layer that is built makes no new variables
            self._weights = self._make(shape.dims[2].value)
            self.built = True
        return self._weights

    def _make(self, size: int) -> tuple[Any, ...]:
        """Returns the variables for inputs of this size, as `_lstm_weights`."""
        return _lstm_weights(self, size, self._num_units, self._use_peephole)

    def _call_cell(
        self,
        inputs: Any,
        initial_cell_state: Any = None,
        initial_output: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        time = inputs.get_shape().with_rank(3).dims[0].value
        if time is None:
            time = v1.shape(inputs)[0]
        kernel, bias, *see = self._make_weights(inputs.get_shape())
        see = see or [v1.zeros([self._num_units], dtype=dtype)] * 3
        longest = time if sequence_length is None else v1.reduce_max(sequence_length)
        known = isinstance(longest, int) and before(1, 0)  # which had a constant there, without a cast
        result = tf.raw_ops.BlockLSTM(
            seq_len_max=longest if known else v1.cast(longest, tf.int64),
            x=inputs,
            cs_prev=initial_cell_state,
            h_prev=initial_output,
            w=kernel,
            wci=see[0],
            wcf=see[1],
            wco=see[2],
            b=bias,
            forget_bias=self._forget_bias,
            cell_clip=self._cell_clip,
            use_peephole=self._use_peephole,
        )
        return result.cs, result.h
