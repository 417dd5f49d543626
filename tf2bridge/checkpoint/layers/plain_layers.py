"""Makes Keras's other layers from the tensors of a TF 1.x scope: the same numbers in the same order.

Dense layers, convolutions (also separable and transposed ones), embeddings and normalizations have the same layout in
tf.layers, contrib.layers and Keras 3. The differences are dimensions of 1, variables that a layer may lack, and a few
names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tf2bridge.checkpoint.moves import Move, Shape, Step, TargetVariable
from tf2bridge.checkpoint.steps import Constant, Reshape

_NEUTRAL = {"gamma": 1.0, "beta": 0.0, "bias": 0.0}
"""A variable that a layer may lack -> its neutral value: scale 1, offset 0."""
_LACKING = {
    "BatchNormalization": ("gamma", "beta"),
    "LayerNormalization": ("gamma", "beta"),
    "GroupNormalization": ("gamma", "beta"),
    **dict.fromkeys(("Dense", "Conv1D", "Conv2D", "Conv3D", "DepthwiseConv2D", "SeparableConv2D"), ("bias",)),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose", "SeparableConv1D"), ("bias",)),
}
_KERNELS = ("Dense", "Conv1D", "Conv2D", "Conv3D")
_DEPTHWISE = ("DepthwiseConv1D", "DepthwiseConv2D")


def plain_layer_moves(shapes: Mapping[str, Shape], layer: Sequence[TargetVariable]) -> tuple[Move, ...] | None:
    """Returns the moves that make the variables of a layer from the tensors of a scope; None if the tensors do not fit.

    The sources of a move are keys of `shapes`, which are roles as in `names.role`. A move without sources gives a
    variable that the checkpoint lacks its neutral value. Such a move is not certain, because a Saver may have left the
    tensor out.
    """
    left, moves = dict(shapes), []
    for variable in layer:
        source = _source(variable, left)
        if source is None:
            if variable.role not in _LACKING.get(variable.layer_class, ()):
                return None
            moves.append(_neutral(variable))
            continue
        steps = fitted(left.pop(source), variable)
        if steps is None:
            return None
        moves.append(Move(variable.name, (source,), steps, _text(steps), _is_certain(shapes[source], variable.shape)))
    return tuple(moves) if not left and any(move.sources for move in moves) else None


def fitted(shape: Shape, variable: TargetVariable) -> tuple[Step, ...] | None:
    """Returns the steps that give a tensor the shape of a variable without moving a value; None if there are none.

    Dimensions of 1 may be added or removed: a convolution of 1x1 is a dense layer, and a convolution of a sequence may
    be one of images of height 1. A dense layer over a flattened image is a convolution over the whole image.
    """
    if shape == variable.shape:
        return ()
    if math.prod(shape) != math.prod(variable.shape) or not shape or not variable.shape:
        return None
    if _without_ones(shape) == _without_ones(variable.shape):
        return (Reshape(variable.shape),)
    is_kernel = variable.role == "kernel" and variable.layer_class in _KERNELS
    if is_kernel and shape[-1] == variable.shape[-1] and 2 in (len(shape), len(variable.shape)):
        return (Reshape(variable.shape),)
    return None


def _source(variable: TargetVariable, shapes: Mapping[str, Shape]) -> str | None:
    """Returns the tensor with the same role in its scope as the variable has in its layer."""
    if variable.role in shapes:
        return variable.role
    other = {"kernel": "depthwise_kernel", "depthwise_kernel": "kernel"}.get(variable.role, "")
    return other if variable.layer_class in _DEPTHWISE and other in shapes else None


def _neutral(variable: TargetVariable) -> Move:
    value = _NEUTRAL[variable.role]
    why = f"the checkpoint has no {variable.role}, which is one of {value:g} if the program had none"
    return Move(variable.name, (), (Constant(value, variable.shape, variable.dtype),), why, certain=False)


def _text(steps: tuple[Step, ...]) -> str:
    return "the same values in another shape" if steps else ""


def _is_certain(shape: Shape, wanted: Shape) -> bool:
    return _without_ones(shape) == _without_ones(wanted)


def _without_ones(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)
