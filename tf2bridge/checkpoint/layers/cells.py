"""Makes Keras's recurrent layers from the tensors of a TF 1.x scope; plain_layers makes the other layers.

Gates: TensorFlow's LSTM cells have i, j, f, o side by side, and add a forget bias to f as they run (rnn_cell_impl.py
1.15). Keras has i, f, c, o, with the whole bias in its variable. TensorFlow's GRU has r, u and a candidate c; Keras has
z (which is u), r, h. Both of TensorFlow's cells have one kernel for inputs and state, where Keras has two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tf2bridge.checkpoint.layers.cudnn_cells import COMPATIBLE_GRU, moves_of_compatible_gru, moves_of_keras
from tf2bridge.checkpoint.layers.plain_layers import plain_layer_moves
from tf2bridge.checkpoint.layers.recurrent_layers import RecurrentLayer, RefusedError, recurrent_layer, require_bias
from tf2bridge.checkpoint.moves import Move, Shape, Step, TargetVariable
from tf2bridge.checkpoint.steps import AddToBlock, Blocks, Join

Shapes = Mapping[str, Shape]
"""Tensor of a scope -> its shape. The tensor is named by its role, with today's names: "kernel", "gates/kernel",
"w_f_diag"."""

LSTM_GATES = (0, 2, 1, 3)
GRU_GATES = (1, 0, 2)
_CELLS = {
    4: ("basic_lstm_cell", "lstm_cell", "lstm_fused_cell", "lstm_block_cell", "cudnn_compatible_lstm_cell"),
    3: ("gru_cell", "gru_block_cell", "cudnn_compatible_gru_cell"),
    1: ("basic_rnn_cell",),
}
"""Number of gates -> TensorFlow's names of cells with this number."""
_WITHOUT_FORGET_BIAS = ("cudnn_compatible_lstm_cell",)
_OTHERS = (
    *("layer_norm_basic_lstm_cell", "coupled_input_forget_gate_lstm_cell", "intersection_rnn_cell", "ugrnn_cell"),
    *("nas_cell", "nas_rnn", "glstm_cell", "sru_cell", "ind_rnn_cell", "indy_gru_cell", "indy_lstm_cell"),
    *("phased_lstm_cell", "grid_lstm_cell", "time_freq_lstm_cell", "attention_cell_wrapper"),
)
"""Cells that Keras lacks, although some of them have the shapes of a cell that Keras has."""
_INSTEAD = "load its graph with tf2bridge.load, or map into a cell of your own with variables of the same names"
_GRU_KEYS = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
_BLOCK_GRU_KEYS = ("w_ru", "b_ru", "w_c", "b_c")


def layer_moves(
    scope: str, shapes: Shapes, layer: Sequence[TargetVariable], forget_bias: float = 1.0
) -> tuple[Move, ...] | None:
    """Returns the moves that make the variables of a layer from the tensors of a scope; None if the tensors do not fit.

    Args:
        scope: The scope as TensorFlow 1.12 names it; its end says which cell it is.
        shapes: Role of a tensor -> its shape. The sources of the moves are keys of it.
        layer: The variables of the layer. The targets of the moves are their names.
        forget_bias: What the program gave to its LSTM cells. Checkpoints do not have it. The default of all cells is
            1.0, except cuDNN's, which have none.
    """
    try:
        return _moves(scope, shapes, layer, forget_bias)
    except RefusedError:
        return None


def cell_of(scope: str) -> str:
    """Returns TensorFlow's name of the cell whose variables are in a scope; "" if it is no known cell."""
    name = re.sub(r"_\d+$", "", scope.rpartition("/")[2])
    return name if name in _OTHERS or any(name in cells for cells in _CELLS.values()) else ""


def why_not(scope: str, shapes: Shapes, layer: Sequence[TargetVariable]) -> str:
    """Returns why a cell does not go into a recurrent layer of Keras, and what to do; "" if it does, or is no cell."""
    try:
        _moves(scope, shapes, layer, 1.0)
    except RefusedError as refused:
        return str(refused)
    return ""


def _moves(scope: str, shapes: Shapes, layer: Sequence[TargetVariable], forget_bias: float) -> tuple[Move, ...] | None:
    keras = recurrent_layer(layer)
    if keras is None:
        return plain_layer_moves(shapes, layer)
    cell = cell_of(scope)
    if cell in _OTHERS:
        raise RefusedError(f"Keras has no {cell}: {_INSTEAD}")
    if set(shapes) == {"kernel", "recurrent_kernel", "bias"}:
        return moves_of_keras(shapes, keras)
    known = [gates for gates, cells in _CELLS.items() if cell in cells]
    if known and keras.gates not in known:
        return None
    made = {4: _lstm, 3: _gru, 1: _simple}[keras.gates]
    moves = made(shapes, keras, 0.0 if cell in _WITHOUT_FORGET_BIAS else forget_bias)
    if moves is None:
        return None
    return tuple(Move(move.target, move.sources, move.steps, move.reason, bool(known)) for move in moves)


def _lstm(shapes: Shapes, keras: RecurrentLayer, forget_bias: float) -> list[Move] | None:
    if shapes.get("bias") == (4 * keras.units,):
        if any(re.fullmatch(r"w_[fio]_diag", name) for name in shapes):
            raise RefusedError(f"Keras's LSTM has no peepholes (w_f_diag): {_INSTEAD}")
        if "projection/kernel" in shapes:
            raise RefusedError(f"Keras's LSTM has no projection: {_INSTEAD}")
    if set(shapes) != {"kernel", "bias"} or not _is_cell(shapes, keras):
        return None
    require_bias(keras, (4 * keras.units,))
    reason = "LSTM gates i, j, f, o -> i, f, c, o"
    order = Blocks(LSTM_GATES)
    added: tuple[Step, ...] = (AddToBlock(1, 4, forget_bias),) if forget_bias else ()
    why = f"{reason}; forget bias {forget_bias:g} added, which the program added as it ran" if forget_bias else reason
    return [*_halves(keras, ("kernel",), (order,), reason), Move(keras.bias, ("bias",), (order, *added), why)]


def _gru(shapes: Shapes, keras: RecurrentLayer, _: float) -> list[Move] | None:
    if set(shapes) == COMPATIBLE_GRU:
        return moves_of_compatible_gru(shapes, keras)
    keys = next(
        (keys_of_cell for keys_of_cell in (_GRU_KEYS, _BLOCK_GRU_KEYS) if set(shapes) == set(keys_of_cell)), None
    )
    if keys is None or shapes[keys[0]] != (keras.inputs + keras.units, 2 * keras.units):
        return None
    if keras.bias_shape == (2, 3 * keras.units):
        raise RefusedError("GRUCell resets the state before its map: make Keras's GRU with reset_after=False")
    require_bias(keras, (3 * keras.units,))
    gates, gate_bias, candidate, candidate_bias = keys
    reason, order = "GRU gates r, u and candidate -> z, r, h", Blocks(GRU_GATES)
    bias = Move(keras.bias, (gate_bias, candidate_bias), (Join(0), order), reason)
    return [*_halves(keras, (gates, candidate), (Join(1), order), reason), bias]


def _simple(shapes: Shapes, keras: RecurrentLayer, _: float) -> list[Move] | None:
    if set(shapes) != {"kernel", "bias"} or not _is_cell(shapes, keras):
        return None
    require_bias(keras, (keras.units,))
    reason = "one kernel for inputs and state -> two"
    return [*_halves(keras, ("kernel",), (), reason), Move(keras.bias, ("bias",))]


def _halves(keras: RecurrentLayer, sources: tuple[str, ...], steps: tuple[Step, ...], reason: str) -> list[Move]:
    """Returns the moves of the two kernels from the one kernel."""
    ends = zip((keras.kernel, keras.recurrent), keras.rows, strict=True)
    return [Move(target, sources, (*steps, rows), reason) for target, rows in ends]


def _is_cell(shapes: Shapes, keras: RecurrentLayer) -> bool:
    width = keras.gates * keras.units
    return shapes["bias"] == (width,) and shapes["kernel"] == (keras.inputs + keras.units, width)
