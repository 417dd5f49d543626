"""Recurrent layers of Keras as targets: their sizes, and the reasons why one cannot hold a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.checkpoint.moves import Shape, TargetVariable
from tf2bridge.checkpoint.steps import Rows

_CLASSES = {4: ("LSTM", "LSTMCell"), 3: ("GRU", "GRUCell"), 1: ("SimpleRNN", "SimpleRNNCell")}


@dataclass(frozen=True)
class RecurrentLayer:
    """A recurrent layer of Keras: the names of its variables, and its sizes."""

    kernel: str
    recurrent: str
    bias: str
    inputs: int
    units: int
    gates: int
    bias_shape: Shape

    @property
    def rows(self) -> tuple[Rows, Rows]:
        """Returns the rows of TensorFlow's kernel for the inputs, and those for the state."""
        return Rows(0, self.inputs), Rows(self.inputs, self.inputs + self.units)


class RefusedError(Exception):
    """Keras cannot hold a cell. `cells.why_not` returns the reason."""


def recurrent_layer(layer: Sequence[TargetVariable]) -> RecurrentLayer | None:
    """Returns the recurrent layer of these variables, recognized by roles and shapes; None for another layer."""
    by_role = {variable.role: variable for variable in layer}
    if not {"kernel", "recurrent_kernel"} <= set(by_role) <= {"kernel", "recurrent_kernel", "bias"}:
        return None
    kernel, recurrent, bias = by_role["kernel"], by_role["recurrent_kernel"], by_role.get("bias")
    if len(kernel.shape) != 2 or len(recurrent.shape) != 2 or kernel.shape[1] != recurrent.shape[1]:
        return None
    units = recurrent.shape[0]
    gates = recurrent.shape[1] // units if units else 0
    if gates * units != recurrent.shape[1] or kernel.layer_class not in ("", *_CLASSES.get(gates, ())):
        return None
    if gates not in _CLASSES:
        return None
    names = kernel.name, recurrent.name, bias.name if bias else ""
    return RecurrentLayer(*names, kernel.shape[0], units, gates, bias.shape if bias else ())


def require_bias(keras: RecurrentLayer, shape: Shape) -> None:
    """Raises RefusedError if the layer has no bias of this shape."""
    if keras.bias_shape != shape:
        has = f"a bias of {list(keras.bias_shape)}" if keras.bias else "no bias"
        raise RefusedError(f"Keras's layer has {has} and needs one of {list(shape)}: make it with use_bias=True")
