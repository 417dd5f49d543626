"""Makes layers from cuDNN's weights: from the cells that its saver writes, from Keras's layers, or from one vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tf2bridge.checkpoint.layers.recurrent_layers import RecurrentLayer, RefusedError, recurrent_layer, require_bias
from tf2bridge.checkpoint.moves import Move, Shape, Step, TargetVariable
from tf2bridge.checkpoint.refusals import StepError
from tf2bridge.checkpoint.steps import CudnnCompatibleGru, CudnnGates, CudnnOpaque, Reshape, Total

Shapes = Mapping[str, Shape]

_PROJECTED = ("candidate/input_projection", "candidate/hidden_projection")

_LEAVES = ("kernel", "bias")
COMPATIBLE_GRU = {f"{scope}/{leaf}" for scope in ("gates", *_PROJECTED) for leaf in _LEAVES}
"""The tensors of a `CudnnCompatibleGRUCell`."""


def opaque_moves(source: str, size: int, layers: Sequence[Sequence[TargetVariable]]) -> tuple[Move, ...] | None:
    """Returns the moves from cuDNN's one vector into all layers; None if the vector does not belong to these layers.

    Args:
        source: The tensor of the vector.
        size: How many values the vector has.
        layers: The variables of each recurrent layer of Keras, in the order of the network, forward before backward.
    """
    cells = [recurrent_layer(layer) for layer in layers]
    known = [cell for cell in cells if cell]
    if not known or len(known) < len(cells) or known[0].gates not in (3, 4):
        return None
    count = 2 if len(known) > 1 and known[0].inputs == known[1].inputs != known[0].units else 1
    for directions in (count, 3 - count):
        moves = _opaque(source, known, directions) if len(known) % directions == 0 else []
        if moves and _all_fit(moves, size, known):
            return tuple(moves)
    return None


def moves_of_compatible_gru(shapes: Shapes, keras: RecurrentLayer) -> list[Move] | None:
    if shapes["gates/kernel"] != (keras.inputs + keras.units, 2 * keras.units):
        return None
    if keras.bias_shape == (3 * keras.units,):
        raise RefusedError("cuDNN's GRU resets the mapped state: make Keras's GRU with reset_after=True")
    require_bias(keras, (2, 3 * keras.units))
    reason = "cuDNN's GRU gates r, u and candidate -> z, r, h"
    projections = [tuple(f"{projection}/{leaf}" for projection in _PROJECTED) for leaf in _LEAVES]
    (inputs, hidden), biases = projections
    return [
        Move(keras.kernel, ("gates/kernel", inputs), (CudnnCompatibleGru("kernel"),), reason),
        Move(keras.recurrent, ("gates/kernel", hidden), (CudnnCompatibleGru("recurrent_kernel"),), reason),
        Move(keras.bias, ("gates/bias", *biases), (CudnnCompatibleGru("biases"),), reason),
    ]


def moves_of_keras(shapes: Shapes, keras: RecurrentLayer) -> tuple[Move, ...] | None:
    """Returns the moves from CuDNNLSTM or CuDNNGRU of TF 1.x's Keras, which have two biases in a row."""
    width = keras.gates * keras.units
    if shapes["kernel"] != (keras.inputs, width) or shapes["recurrent_kernel"] != (keras.units, width):
        return None
    if (shapes["bias"], keras.bias_shape) in (((width,), (2, width)), ((2 * width,), (width,))) and keras.gates == 3:
        after = keras.bias_shape != (2, width)
        raise RefusedError(f"the program's GRU has other biases: make Keras's with reset_after={after}")
    if shapes["bias"] != (2 * width,) or keras.gates == 1:
        return None
    gates, both = CudnnGates(keras.gates), Reshape((2, width))
    reason = "cuDNN's layer of Keras: each gate is transposed"
    bias = (both, Total()) if keras.gates == 4 else (both,)
    require_bias(keras, (width,) if keras.gates == 4 else (2, width))
    return (
        Move(keras.kernel, ("kernel",), (gates,), reason),
        Move(keras.recurrent, ("recurrent_kernel",), (gates,), reason),
        Move(keras.bias, ("bias",), bias, "cuDNN has two biases"),
    )


def _opaque(source: str, layers: Sequence[RecurrentLayer], directions: int) -> list[Move]:
    first = layers[0]
    cell, moves = {4: "lstm", 3: "gru"}[first.gates], []
    for place, keras in enumerate(layers):
        where = (len(layers) // directions, directions, *divmod(place, directions))
        parts = (("kernel", keras.kernel), ("recurrent_kernel", keras.recurrent), ("biases", keras.bias))
        for part, target in parts:
            steps: tuple[Step, ...] = (CudnnOpaque(part, cell, first.inputs, first.units, *where),)
            both = part == "biases" and cell == "lstm"
            moves.append(Move(target, (source,), (*steps, Total()) if both else steps, "cuDNN's one vector"))
    return moves


def _all_fit(moves: Sequence[Move], size: int, layers: Sequence[RecurrentLayer]) -> bool:
    """Returns whether every part of the vector has the shape of its variable."""
    wanted: dict[str, Shape] = {}
    for keras in layers:
        width = keras.gates * keras.units
        wanted |= {keras.kernel: (keras.inputs, width), keras.recurrent: (keras.units, width)}
        wanted[keras.bias] = keras.bias_shape
    try:
        for move in moves:
            shape: Shape = (size,)
            for step in move.steps:
                shape = step.shape(shape)
            if shape != wanted[move.target]:
                return False
    except StepError:
        return False
    return True
