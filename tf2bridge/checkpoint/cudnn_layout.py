"""Steps for the weights of cuDNN's recurrent layers: transposed gate by gate, or all in one vector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.moves import Shape
from tf2bridge.checkpoint.rearranging import block_size, only
from tf2bridge.checkpoint.refusals import NoSlotsError, StepError

GATES = {"lstm": (0, 1, 2, 3), "gru": (1, 0, 2)}
"""Kind of cell -> for each gate of Keras, its index in cuDNN. LSTM: i, f, c, o are the same; GRU: z, r, h of Keras are
r, z, h in cuDNN (its `cudnnGetRNNLinLayerMatrixParams`; tf_keras/src/layers/rnn/gru_lstm_utils.py)."""
_PARTS = ("kernel", "recurrent_kernel", "biases")


@dataclass(frozen=True)
class CudnnOpaque:
    """Takes one weight of one layer in one direction, in Keras's layout, from cuDNN's vector of all weights.

    The vector has all matrices, by layer, then by direction, with input matrices before state matrices. Then come all
    biases in the same order. This is cuDNN's layout of unpadded weights. `part` is "kernel" [inputs, gates *
    units], "recurrent_kernel" [units, gates * units] or "biases" [2, gates * units].
    """

    kind: ClassVar[str] = "cudnn_opaque"
    part: str
    cell: str
    inputs: int
    units: int
    layers: int = 1
    directions: int = 1
    layer: int = 0
    direction: int = 0

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        self._check(shape)
        width = len(GATES[self.cell]) * self.units
        rows = {"kernel": self._width(self.layer), "recurrent_kernel": self.units, "biases": 2}
        return rows[self.part], width

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        shape = self.shape(*(array.shape for array in arrays))
        vector, order = arrays[0].reshape(-1), GATES[self.cell]
        count, width = len(order), self._width(self.layer)
        if self.part == "biases":
            at = self._biases_at() + self._cell() * 2 * count * self.units
            biases = vector[at : at + 2 * count * self.units].reshape(2, count, self.units)
            return np.take(biases, order, 1).reshape(shape)
        at = self._matrices_at(self._cell())
        if self.part == "recurrent_kernel":
            at, width = at + count * self.units * width, self.units
        gates = vector[at : at + count * self.units * width].reshape(count, self.units, width)
        weights: NDArray[Any] = np.take(gates, order, 0).transpose(2, 0, 1).reshape(shape)
        return weights

    def of_slots(self) -> CudnnOpaque:
        return self

    def _check(self, shape: Shape) -> None:
        if self.part not in _PARTS or self.cell not in GATES:
            known = f"part is one of {', '.join(_PARTS)} and cell one of {', '.join(GATES)}"
            raise StepError(self.kind, f"{known}, not {self.part!r} of {self.cell!r}", shape)
        if self.directions not in (1, 2) or not self.direction < self.directions or not self.layer < self.layers:
            raise StepError(self.kind, f"there is no layer {self.layer} in direction {self.direction}", shape)
        expected = self._biases_at() + 2 * len(GATES[self.cell]) * self.units * self.layers * self.directions
        if math.prod(shape) != expected:
            why = f"a network of {self.layers} layers of {self.units} units has {expected} values"
            raise StepError(self.kind, f"{why}, not {math.prod(shape)}", shape)

    def _cell(self) -> int:
        return self.layer * self.directions + self.direction

    def _width(self, layer: int) -> int:
        """Returns the size of a layer's input."""
        return self.units * self.directions if layer else self.inputs

    def _matrices_at(self, cell: int) -> int:
        """Returns the offset of the matrices of a cell."""
        gates, units = len(GATES[self.cell]), self.units
        return sum(gates * units * (self._width(before // self.directions) + units) for before in range(cell))

    def _biases_at(self) -> int:
        return self._matrices_at(self.layers * self.directions)


@dataclass(frozen=True)
class CudnnGates:
    """Turns a kernel of Keras's CuDNNLSTM or CuDNNGRU into that of its LSTM or GRU: each gate is transposed.

    Source: `_convert_rnn_weights` of Keras (tf_keras/src/saving/legacy/hdf5_format.py).
    """

    kind: ClassVar[str] = "cudnn_gates"
    gates: int

    def shape(self, *shapes: Shape) -> Shape:
        shape = only(self.kind, shapes)
        if len(shape) != 2:
            raise StepError(self.kind, "a kernel has two dimensions", shape)
        block_size(self.kind, shape, 1, self.gates)
        return shape

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        rows, columns = self.shape(*(array.shape for array in arrays))
        units = columns // self.gates
        blocks = np.split(arrays[0], self.gates, 1)
        return np.concatenate([block.reshape(units, rows).T for block in blocks], 1)

    def of_slots(self) -> CudnnGates:
        return self


@dataclass(frozen=True)
class CudnnCompatibleGru:
    """Makes a weight of Keras's GRU with `reset_after` from weights of `CudnnCompatibleGRUCell` (cuDNN's saver).

    `part` "kernel" [inputs, 3 units] takes the kernels of gates [inputs + units, 2 units] and of the candidate's input
    projection [inputs, units]; "recurrent_kernel" [units, 3 units] those of gates and of the hidden projection;
    "biases" [2, 3 units] takes the biases of gates, of the input and of the hidden projection. The cell has one bias
    for each gate, and Keras adds two: the first of these gets it, the second is zero.
    """

    kind: ClassVar[str] = "cudnn_compatible_gru"
    part: str

    def shape(self, *shapes: Shape) -> Shape:
        if self.part not in _PARTS or len(shapes) != (3 if self.part == "biases" else 2):
            raise StepError(self.kind, f"part is one of {', '.join(_PARTS)}, of two kernels or three biases", *shapes)
        gates, rest = shapes[0], shapes[1:]
        units = rest[0][-1] if rest[0] else 0
        ranks = {len(shape) for shape in shapes}
        if ranks != {1 if self.part == "biases" else 2} or gates[-1] != 2 * units or {s[-1] for s in rest} != {units}:
            raise StepError(self.kind, "the arrays are not of one cell", *shapes)
        if self.part == "biases":
            return 2, 3 * units
        if gates[0] - rest[0][0] not in ((units,) if self.part == "kernel" else range(gates[0])):
            raise StepError(self.kind, "the arrays are not of one cell", *shapes)
        return rest[0][0], 3 * units

    def __call__(self, *arrays: NDArray[Any]) -> NDArray[Any]:
        rows, columns = self.shape(*(array.shape for array in arrays))
        gates, *rest = arrays
        if self.part != "biases":
            gates = gates[:rows] if self.part == "kernel" else gates[len(gates) - rows :]
            reset, update = np.split(gates, 2, 1)
            return np.concatenate([update, reset, rest[0]], 1)
        reset, update = np.split(gates, 2)
        biases = np.zeros((rows, columns), gates.dtype)
        biases[0] = np.concatenate([update, reset, rest[0]])
        biases[1, -len(rest[1]) :] = rest[1]
        return biases

    def of_slots(self) -> CudnnCompatibleGru:
        if self.part == "biases":
            raise NoSlotsError(
                self.kind, "the cell trains one bias and Keras trains two, so a step of Keras has twice the effect"
            )
        return self
