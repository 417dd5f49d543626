"""`GridLSTMCell` and `BidirectionalGridLSTMCell`: LSTMs along time and along frequencies (Kalchbrenner et al., 2015;
Sainath and Li, 2016)."""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.rnn.cell import Cell, batch_size, clipped, input_size
from tf2bridge.contrib.rnn.core_rnn_cell import sharded
from tf2bridge.contrib.rnn.rnn_cell.frequency import windows

v1 = tf.compat.v1


@dataclass(frozen=True)
class _Weights:
    """One LSTM of a block; `see` maps a gate to its peepholes at the memories along frequency and along time."""

    kernel: Any
    bias: Any
    see: dict[str, tuple[Any, Any]]


class GridLSTMCell(Cell):
    """Inputs [batch, width], cut into blocks of windows; output [batch, 2 * num_units * windows].

    The state is a named tuple of memory and output of each window (`state_f00_b00_c`, `state_f00_b00_m` ...), or with
    `state_is_tuple=False` one concatenated tensor.

    Raises:
        ValueError: the blocks do not fit the inputs.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None,
        start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None,
        couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if num_frequency_blocks is None:
            raise ValueError(
                f"Must specify num_frequency_blocks, the number of windows of each block, for {type(self).__name__}"
            )
        if not state_is_tuple:
            logging.warn("%s: a state in one tensor is slower. Use state_is_tuple=True.", self)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._share_time_frequency_weights = share_time_frequency_weights
        self._cell_clip = cell_clip
        self._initializer = initializer  # genuine TensorFlow takes it, and never uses it
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size: Any = feature_size
        self._frequency_skip: Any = frequency_skip
        self._num_frequency_blocks = tuple(int(count) for count in num_frequency_blocks)
        self._starts = tuple(start_freqindex_list or ())
        self._ends = tuple(end_freqindex_list or ())
        self._couple_input_forget_gates = couple_input_forget_gates
        self._state_is_tuple = state_is_tuple
        self._output_size = 2 * num_units * sum(self._num_frequency_blocks)
        self._state_tuple_type = self._state_type("GridLSTMStateTuple", ["state"]) if state_is_tuple else None
        self._state_size = self._sizes() if state_is_tuple else self._output_size

    def _state_type(self, name: str, prefixes: list[str]) -> Any:
        blocks = self._num_frequency_blocks
        places = [(freq, block) for block, count in enumerate(blocks) for freq in range(count)]
        names = [f"{prefix}_f{freq:02d}_b{block:02d}" for prefix in prefixes for freq, block in places]
        return collections.namedtuple(name, [f"{cell_name}_{part}" for cell_name in names for part in "cm"])

    def _sizes(self) -> Any:
        kind: Any = self._state_tuple_type
        return kind(*[self._num_units] * len(kind._fields))

    @property
    def state_tuple_type(self) -> Any:
        """The type of the state, or None if the state is one tensor."""
        return self._state_tuple_type

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        batch = batch_size(inputs)
        outputs: list[Any] = []
        states: list[Any] = []
        for block, parts in enumerate(self._blocks(inputs)):
            self._run(parts, block, state, batch, "state", outputs, states)
        kind = self._state_tuple_type
        new_state = v1.concat(states, 1) if kind is None else kind(*states)
        return v1.concat(outputs, 1), new_state

    def _run(
        self, parts: list[Any], block: int, state: Any, batch: Any, prefix: str, outputs: list[Any], states: list[Any]
    ) -> None:
        """Runs one block along its windows; adds to `outputs` and `states`."""
        freq, time = self._weights(parts[0], block)
        zeros = [v1.zeros([batch, self._num_units], parts[0].dtype) for _ in range(2)]
        below, memory_below = zeros
        for place, part in enumerate(parts):
            memory, output = self._parts(state, f"{prefix}_f{place:02d}_b{block:02d}", place)
            both = v1.concat([part, output, below], 1)
            gates = [self._gates(both, freq)]
            gates.append(gates[0] if time is freq else self._gates(both, time))
            see = (memory_below, memory)
            memory_below = self._memory(gates[0], freq, see, memory_below)
            memory = self._memory(gates[1], time, see, memory)
            see = (memory_below, memory)
            below = self._leave(gates[0][-1], freq, see, memory_below)
            output = self._leave(gates[1][-1], time, see, memory)
            states += [memory, output]
            outputs += [output, below]

    def _parts(self, state: Any, name: str, place: int) -> tuple[Any, Any]:
        """Returns memory and output of one window."""
        if self._state_tuple_type is not None:
            return getattr(state, f"{name}_c"), getattr(state, f"{name}_m")
        units = self._num_units
        memory = v1.slice(state, [0, 2 * place * units], [-1, units])
        return memory, v1.slice(state, [0, (2 * place + 1) * units], [-1, units])

    def _weights(self, part: Any, block: int) -> tuple[_Weights, _Weights]:
        """Returns the weights of the LSTMs along frequency and along time, which may be the same."""
        units, dtype = self._num_units, part.dtype
        width = (3 if self._couple_input_forget_gates else 4) * units
        shape = [part.get_shape().as_list()[1] + 2 * units, width]

        def matrix(kind: str) -> tuple[Any, Any]:
            kernel = sharded(f"W_{kind}_{block}", shape, dtype, self._num_unit_shards)
            zeros = v1.zeros_initializer()
            return kernel, v1.get_variable(f"B_{kind}_{block}", shape=[width], initializer=zeros, dtype=dtype)

        def peepholes(kind: str) -> dict[str, tuple[Any, Any]]:
            gates = "" if not self._use_peepholes else "IO" if self._couple_input_forget_gates else "FIO"
            names = {gate: [f"W_{gate}_diag_{kind}{end}_{block}" for end in "ft"] for gate in gates}
            made = {gate: [v1.get_variable(name, shape=[units], dtype=dtype) for name in names[gate]] for gate in gates}
            return {gate: (first, second) for gate, (first, second) in made.items()}

        if self._share_time_frequency_weights:
            shared = _Weights(*matrix("f"), peepholes("freq"))
            return shared, shared
        along_freq, along_time = matrix("f"), matrix("t")
        return _Weights(*along_freq, peepholes("freq")), _Weights(*along_time, peepholes("time"))

    def _gates(self, both: Any, weights: _Weights) -> list[Any]:
        """Returns input gate, new input, forget gate (if there is one) and output gate."""
        product = v1.nn.bias_add(v1.matmul(both, weights.kernel), weights.bias)
        count = 3 if self._couple_input_forget_gates else 4
        gates: list[Any] = v1.split(value=product, num_or_size_splits=count, axis=1)
        return gates

    def _memory(self, gates: list[Any], weights: _Weights, see: tuple[Any, Any], memory: Any) -> Any:
        enter = _seen(gates[0], weights.see.get("I"), see)
        if self._couple_input_forget_gates:
            forget = 1.0 - enter
        else:
            forget = _seen(gates[2] + self._forget_bias, weights.see.get("F"), see)
        return clipped(forget * memory + enter * v1.tanh(gates[1]), self._cell_clip)

    def _leave(self, gate: Any, weights: _Weights, see: tuple[Any, Any], memory: Any) -> Any:
        return _seen(gate, weights.see.get("O"), see) * v1.tanh(memory)

    def _blocks(self, inputs: Any, offset: int = 0) -> list[list[Any]]:
        """Returns the windows of each block. `offset` moves all windows, with zeros beyond the ends of the inputs."""
        width = input_size(inputs)
        counts, starts, ends = self._num_frequency_blocks, self._starts, self._ends
        inputs = _padded(inputs, offset)
        if not starts:
            starts, ends = (0,), (width,)
        if not len(counts) == len(starts) == len(ends):
            raise ValueError(
                f"num_frequency_blocks, start_freqindex_list and end_freqindex_list tell of {len(counts)}, "
                f"{len(starts)} and {len(ends)} blocks; give as many of each"
            )
        blocks = []
        for count, start, end in zip(counts, starts, ends, strict=True):
            fitting = int((end - start - self._feature_size) / self._frequency_skip) + 1
            if fitting != count:
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {fitting} but gets {count}, please check the input size "
                    f"and filter config are correct: columns {start} to {end}"
                )
            first = start + max(offset, 0)
            blocks.append(windows(inputs, first, count, self._feature_size, self._frequency_skip))
        return blocks


def _padded(inputs: Any, offset: int) -> Any:
    if offset == 0:
        return inputs
    before, after = (0, offset) if offset > 0 else (-offset, 0)
    return v1.pad(inputs, v1.constant([0, 0, before, after], shape=[2, 2], dtype=tf.int32), "CONSTANT")


def _seen(gate: Any, peepholes: tuple[Any, Any] | None, memories: tuple[Any, Any]) -> Any:
    for weight, memory in zip(peepholes or (), memories, strict=False):
        gate = gate + weight * memory
    return v1.sigmoid(gate)


class BidirectionalGridLSTMCell(GridLSTMCell):
    """A grid LSTM that runs along the frequencies in both directions; `backward_slice_offset` moves the second."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None,
        start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None,
        couple_input_forget_gates: bool = False,
        backward_slice_offset: int = 0,
        reuse: bool | None = None,
    ) -> None:
        super().__init__(
            num_units,
            use_peepholes,
            share_time_frequency_weights,
            cell_clip,
            initializer,
            num_unit_shards,
            forget_bias,
            feature_size,
            frequency_skip,
            num_frequency_blocks,
            start_freqindex_list,
            end_freqindex_list,
            couple_input_forget_gates,
            True,
            reuse,
        )
        self._backward_slice_offset = int(backward_slice_offset)
        prefixes = ["fwd_state", "bwd_state"]
        self._state_tuple_type = self._state_type("BidirectionalGridLSTMStateTuple", prefixes)
        self._state_size = self._sizes()
        self._output_size *= 2

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        batch = batch_size(inputs)
        ahead = self._blocks(inputs)
        back = self._blocks(inputs, self._backward_slice_offset) if self._backward_slice_offset else ahead
        outputs: list[Any] = []
        states: list[Any] = []
        for name, blocks in (("fwd", ahead), ("bwd", [parts[::-1] for parts in back])):
            with v1.variable_scope(name):
                for block, parts in enumerate(blocks):
                    self._run(parts, block, state, batch, f"{name}_state", outputs, states)
        kind: Any = self._state_tuple_type
        return v1.concat(outputs, 1), kind(*states)
