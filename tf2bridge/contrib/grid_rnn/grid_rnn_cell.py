"""The cells of `contrib.grid_rnn` (Kalchbrenner et al., 2015)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_cells
from tf2bridge.contrib.grid_rnn.dimensions import Dims, dimensions
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.rnn.cell import Cell, RNNCell, input_size

v1 = tf.compat.v1
_core = core_cells()


class GridRNNCell(Cell):
    """A cell along each of `num_dims` dimensions. Inputs are [batch, size], divided among `input_dims`.

    `cell_fn(num_units)` makes the cell of a dimension, by default an `LSTMCell`. With `tied` all cells share weights.
    The outputs of `output_dims`, and the states of all dimensions except `non_recurrent_dims`, are tuples or are
    concatenated.

    Raises:
        ValueError: a dimension is out of range.
        TypeError: `cell_fn` does not return a cell.
    """

    def __init__(
        self,
        num_units: int,
        num_dims: int = 1,
        input_dims: Dims = None,
        output_dims: Dims = None,
        priority_dims: Dims = None,
        non_recurrent_dims: Dims = None,
        tied: bool = False,
        cell_fn: Callable[[int], Any] | None = None,
        non_recurrent_fn: Callable[[Any], Any] | None = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        super().__init__()
        function = non_recurrent_fn or v1.nn.relu
        self._dims = dimensions(num_dims, input_dims, output_dims, priority_dims, non_recurrent_dims, function)
        self._num_units = num_units
        self._tied = tied
        self._state_is_tuple = state_is_tuple
        self._output_is_tuple = output_is_tuple
        make = cell_fn or (lambda units: _core.LSTMCell(num_units=units, state_is_tuple=state_is_tuple))
        first = make(num_units)
        if not isinstance(first, RNNCell):
            raise TypeError(f"cell_fn has to make an RNNCell, not {type(first).__name__}")
        self._cells = (first, *(first if tied else make(num_units) for _ in range(num_dims - 1)))
        count = len(self._dims.outputs)
        self._output_size = (first.output_size,) * count if output_is_tuple else first.output_size * count
        sizes = first.state_size
        self._one_state = sum(sizes) if isinstance(sizes, tuple) else sizes
        count = len(self._dims.recurrent)
        self._state_size = (sizes,) * count if state_is_tuple else self._one_state * count

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        dims, dtype = self._dims, inputs.dtype
        memories, outputs = self._apart(state)
        made: list[Any] = [None] * dims.count
        states: list[Any] = [None] * dims.count
        with v1.variable_scope(scope or type(self).__name__):
            self._enter(inputs, memories, outputs)
            self._run(dims.ordinary, memories, outputs, made, states, True)
            self._run(dims.priority, memories, outputs, made, states, False)
            chosen = [made[dimension] for dimension in dims.outputs]
            kept = [states[dimension] for dimension in dims.recurrent]
            if not self._output_is_tuple:
                chosen = _side_by_side(chosen, dtype)
            if not self._state_is_tuple:
                kept = _side_by_side([part for cell_state in kept for part in cell_state], dtype)
        return tuple(chosen) if self._output_is_tuple else chosen, tuple(kept) if self._state_is_tuple else kept

    def _apart(self, state: Any) -> tuple[list[Any], list[Any]]:
        """Returns memory (or None for cells without memory) and output of each dimension."""
        memories: list[Any] = [None] * self._dims.count
        outputs: list[Any] = [None] * self._dims.count
        recurrent, units = self._dims.recurrent, self._num_units
        width = self._one_state - units
        if self._state_is_tuple:
            if len(state) != len(recurrent):
                raise ValueError(f"a state of {len(recurrent)} parts is needed, not {len(state)}")
            for place, part in zip(recurrent, state, strict=True):
                memories[place], outputs[place] = part if width > 0 else (None, part)
            return memories, outputs
        for number, place in enumerate(recurrent):
            start = number * self._one_state
            if width > 0:
                memories[place] = v1.slice(state, [0, start], [-1, units])
                outputs[place] = v1.slice(state, [0, start + units], [-1, width])
            else:
                outputs[place] = v1.slice(state, [0, start], [-1, units])
        return memories, outputs

    def _enter(self, inputs: Any, memories: list[Any], outputs: list[Any]) -> None:
        """Maps the inputs to memories and outputs of their dimensions, in the place of the state."""
        places = self._dims.inputs
        if not places or input_size(inputs) == 0:
            return
        parts = v1.split(value=inputs, num_or_size_splits=len(places), axis=1)
        shape = [input_size(parts[0]), self._num_units]
        for part, place in zip(parts, places, strict=True):
            outputs[place] = v1.matmul(part, v1.get_variable(f"project_m_{place}", shape, dtype=inputs.dtype))
            if self._one_state > self._num_units:
                memories[place] = v1.matmul(part, v1.get_variable(f"project_c_{place}", shape, dtype=inputs.dtype))

    def _run(
        self,
        places: tuple[int, ...],
        memories: list[Any],
        outputs: list[Any],
        made: list[Any],
        states: list[Any],
        first: bool,
    ) -> None:
        """Runs the cells of some dimensions. A cell reads the outputs, or the last outputs, of all dimensions."""
        if not places:
            return
        dims = self._dims
        if dims.count > 1:
            pairs = zip(made[:-1], outputs[:-1], strict=True)
            seen = v1.concat([old if new is None else new for new, old in pairs], 1)
        else:
            seen = v1.zeros([outputs[0].get_shape().as_list()[0], 0], outputs[0].dtype)
        last = outputs[-1] if made[-1] is None else made[-1]
        for place in places:
            kind = "non_recurrent" if place in dims.without_state else "recurrent"
            with v1.variable_scope(kind if self._tied else f"{kind}/cell_{place}"):
                if self._tied and not (first and place == places[0]):
                    v1.get_variable_scope().reuse_variables()
                if place in dims.without_state:
                    made[place] = self._mapped(v1.concat([seen, last], 1) if dims.count > 1 else last)
                else:
                    state = last if memories[place] is None else (memories[place], last)
                    made[place], states[place] = self._cells[place](seen, state)

    def _mapped(self, inputs: Any) -> Any:
        """Returns the layer that replaces a cell in dimensions without state.

        It applies the function of these dimensions.
        """
        from tf2bridge.contrib.layers.layers.fully_connected import fully_connected

        current = v1.get_variable_scope()
        return fully_connected(
            inputs,
            num_outputs=self._num_units,
            activation_fn=self._dims.function,
            weights_initializer=current.initializer or xavier_initializer(),
            weights_regularizer=current.regularizer,
        )


def _side_by_side(tensors: list[Any], dtype: Any) -> Any:
    return v1.concat(tensors, 1) if tensors else v1.zeros([0, 0], dtype)


class _Ready(GridRNNCell):
    """A cell with input, output and priority at dimension 0."""

    def __init__(
        self,
        count: int,
        num_units: int,
        make: Callable[[int], Any],
        state_is_tuple: bool,
        output_is_tuple: bool,
        tied: bool = False,
        function: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(
            num_units,
            count,
            0,
            0,
            0,
            None if function is None else 0,
            tied,
            make,
            function,
            state_is_tuple,
            output_is_tuple,
        )


class Grid1BasicRNNCell(_Ready):
    """A `BasicRNNCell` along one dimension."""

    def __init__(self, num_units: int, state_is_tuple: bool = True, output_is_tuple: bool = True) -> None:
        super().__init__(1, num_units, _core.BasicRNNCell, state_is_tuple, output_is_tuple)


class Grid2BasicRNNCell(_Ready):
    """A `BasicRNNCell` along each of two dimensions."""

    def __init__(
        self,
        num_units: int,
        tied: bool = False,
        non_recurrent_fn: Callable[[Any], Any] | None = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        make = _core.BasicRNNCell
        super().__init__(2, num_units, make, state_is_tuple, output_is_tuple, tied, non_recurrent_fn)


class Grid2GRUCell(_Ready):
    """A `GRUCell` along each of two dimensions."""

    def __init__(
        self,
        num_units: int,
        tied: bool = False,
        non_recurrent_fn: Callable[[Any], Any] | None = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        super().__init__(2, num_units, _core.GRUCell, state_is_tuple, output_is_tuple, tied, non_recurrent_fn)


class Grid1BasicLSTMCell(_Ready):
    """A `BasicLSTMCell` along one dimension."""

    def __init__(
        self, num_units: int, forget_bias: float = 1, state_is_tuple: bool = True, output_is_tuple: bool = True
    ) -> None:
        super().__init__(1, num_units, _basic_lstm(forget_bias), state_is_tuple, output_is_tuple)


class Grid2BasicLSTMCell(_Ready):
    """A `BasicLSTMCell` along each of two dimensions."""

    def __init__(
        self,
        num_units: int,
        tied: bool = False,
        non_recurrent_fn: Callable[[Any], Any] | None = None,
        forget_bias: float = 1,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        make = _basic_lstm(forget_bias)
        super().__init__(2, num_units, make, state_is_tuple, output_is_tuple, tied, non_recurrent_fn)


class Grid1LSTMCell(_Ready):
    """An `LSTMCell` along one dimension."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        super().__init__(1, num_units, _lstm(use_peepholes, forget_bias), state_is_tuple, output_is_tuple)


class Grid2LSTMCell(_Ready):
    """An `LSTMCell` along each of two dimensions."""

    _count = 2

    def __init__(
        self,
        num_units: int,
        tied: bool = False,
        non_recurrent_fn: Callable[[Any], Any] | None = None,
        use_peepholes: bool = False,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        make = _lstm(use_peepholes, forget_bias)
        super().__init__(self._count, num_units, make, state_is_tuple, output_is_tuple, tied, non_recurrent_fn)


class Grid3LSTMCell(Grid2LSTMCell):
    """An `LSTMCell` along each of three dimensions."""

    _count = 3


def _basic_lstm(forget_bias: float) -> Callable[[int], Any]:
    return lambda units: _core.BasicLSTMCell(num_units=units, forget_bias=forget_bias)


def _lstm(use_peepholes: bool, forget_bias: float) -> Callable[[int], Any]:
    return lambda units: _core.LSTMCell(num_units=units, forget_bias=forget_bias, use_peepholes=use_peepholes)
