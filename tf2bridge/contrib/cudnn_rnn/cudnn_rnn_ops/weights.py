"""The weights of cuDNN's networks in three forms: opaque, cuDNN's canonical one, and TensorFlow's canonical one.

Opaque: one vector; all matrices, layer by layer and direction by direction, those for the inputs before those for the
states, then all biases in the same order. That is how cuDNN itself lays out unpadded weights, and what Keras writes for
its CuDNN layers (tf_keras/src/layers/rnn/gru_lstm_utils.py, `canonical_to_params`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1

LSTM, GRU, RELU, TANH = "lstm", "gru", "rnn_relu", "rnn_tanh"
ONE_WAY, BOTH_WAYS = "unidirectional", "bidirectional"
LINEAR_INPUT = "linear_input"
INPUT_MODES = (LINEAR_INPUT, "skip_input", "auto_select")
GATES = {LSTM: 4, GRU: 3, RELU: 1, TANH: 1}


def check_direction(direction: str) -> None:
    """Raises ValueError for an unknown direction."""
    if direction not in (ONE_WAY, BOTH_WAYS):
        raise ValueError(f"the direction {direction!r} is neither {ONE_WAY!r} nor {BOTH_WAYS!r}")


def check_input_mode(mode: str) -> None:
    """Raises ValueError for an unknown input mode."""
    if mode not in INPUT_MODES:
        raise ValueError(f"the input mode {mode!r} is none of {', '.join(INPUT_MODES)}")


class CudnnParamsFormatConverter:
    """Turns the weights of a network into another form.

    TensorFlow's canonical form is that of cells: kernels [size + units, gates * units] and biases [gates * units].
    """

    _rnn_mode = LSTM

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_size: int,
        num_proj: int | None = None,
        input_mode: str = LINEAR_INPUT,
        direction: str = ONE_WAY,
    ) -> None:
        if num_proj:
            raise NotImplementedError("cuDNN's LSTM with a projection is not supplied; project its outputs by a layer")
        del input_mode  # the weights are the same in linear_input and auto_select
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_size = input_size
        self._num_dirs = 1 if direction == ONE_WAY else 2

    def tf_canonical_to_opaque(self, tf_canonicals: Sequence[Any], weights_proj: Any = None) -> Any:
        """Returns the opaque vector of kernels and biases, all kernels first."""
        weights, biases = self._tf_canonical_to_cu_canonical(tf_canonicals, weights_proj)
        return opaque(weights, biases)

    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Any], list[Any]]:
        """Returns (kernels, biases) of the cells, layer by layer and direction by direction."""
        return self._cu_canonical_to_tf_canonical(*self.canonical(opaque_param))

    def shapes(self) -> tuple[list[tuple[int, int]], list[tuple[int]]]:
        """Returns the shapes of cuDNN's canonical matrices and biases."""
        units, gates = self._num_units, GATES[self._rnn_mode]
        matrices: list[tuple[int, int]] = []
        for layer in range(self._num_layers):
            layer_shapes = [(units, self._width(layer))] * gates + [(units, units)] * gates
            matrices += layer_shapes * self._num_dirs
        return matrices, [(units,)] * len(matrices)

    def canonical(self, vector: Any) -> tuple[list[Any], list[Any]]:
        """Returns cuDNN's canonical matrices and biases from an opaque vector."""
        shapes = [*self.shapes()[0], *self.shapes()[1]]
        sizes = [int(np.prod(shape)) for shape in shapes]
        flat = v1.split(v1.reshape(vector, [sum(sizes)]), sizes)
        parts = [v1.reshape(block, shape) for block, shape in zip(flat, shapes, strict=True)]
        return parts[: len(parts) // 2], parts[len(parts) // 2 :]

    def _width(self, layer: int) -> int:
        return self._input_size if layer == 0 else self._num_units * self._num_dirs

    def _tf_canonical_to_cu_canonical(
        self, tf_canonicals: Sequence[Any], weights_proj: Any
    ) -> tuple[list[Any], list[Any]]:
        if weights_proj is not None:
            raise NotImplementedError("cuDNN's LSTM with a projection is not supplied")
        half = len(tf_canonicals) // 2
        weights, biases = tf_canonicals[:half], tf_canonicals[half:]
        cells = self._num_layers * self._num_dirs
        per_cell = half // cells
        matrices, vectors = [], []
        for cell in range(cells):
            span = slice(cell * per_cell, (cell + 1) * per_cell)
            matrices += self._tf_to_cudnn_weights(cell // self._num_dirs, *weights[span])
            vectors += self._tf_to_cudnn_biases(*biases[span])
        return matrices, vectors

    def _cu_canonical_to_tf_canonical(
        self, cu_weights: Sequence[Any], cu_biases: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        kernels, biases = [], []
        per_cell = 2 * GATES[self._rnn_mode]
        for cell in range(self._num_layers * self._num_dirs):
            span = slice(cell * per_cell, (cell + 1) * per_cell)
            kernels += self._cudnn_to_tf_weights(*cu_weights[span])
            biases += self._cudnn_to_tf_biases(*cu_biases[span])
        return kernels, biases

    def _halves(self, layer: int, matrix: Any) -> list[Any]:
        """Returns the columns of a matrix for the inputs, and the columns for the states."""
        halves: list[Any] = v1.split(matrix, [self._width(layer), self._num_units], axis=1)
        return halves

    def _cudnn_to_tf_weights(self, *cu_weights: Any) -> list[Any]:
        count = len(cu_weights) // 2
        pairs = zip(cu_weights[:count], cu_weights[count:], strict=True)
        gates = [v1.concat(list(pair), axis=1) for pair in pairs]
        return [v1.transpose(v1.concat(_exchanged(gates), axis=0))]

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Any) -> list[Any]:
        rows = v1.transpose(tf_weights[0])
        gates = _exchanged(v1.split(rows, GATES[self._rnn_mode], axis=0))
        halves = [self._halves(layer, gate) for gate in gates]
        return [half[0] for half in halves] + [half[1] for half in halves]

    def _cudnn_to_tf_biases(self, *cu_biases: Any) -> list[Any]:
        count = len(cu_biases) // 2
        sums = [first + second for first, second in zip(cu_biases[:count], cu_biases[count:], strict=True)]
        return [v1.concat(_exchanged(sums), axis=0)]

    def _tf_to_cudnn_biases(self, *tf_biases: Any) -> list[Any]:
        halves = [gate * 0.5 for gate in _exchanged(v1.split(tf_biases[0], GATES[self._rnn_mode], axis=0))]
        return halves * 2


def _exchanged(gates: Sequence[Any]) -> list[Any]:
    """Returns LSTM gates in the other order: cuDNN has i f c o, TensorFlow i c f o. A single gate is unchanged."""
    if len(gates) != 4:
        return list(gates)
    first, second, third, fourth = gates
    return [first, third, second, fourth]


def opaque(weights: Sequence[Any], biases: Sequence[Any]) -> Any:
    """Returns the opaque vector of cuDNN's canonical matrices and biases."""
    return v1.concat([v1.reshape(tensor, [-1]) for tensor in (*weights, *biases)], axis=0)


class CudnnParamsFormatConverterLSTM(CudnnParamsFormatConverter):
    """The format converter of an LSTM."""


class CudnnParamsFormatConverterGRU(CudnnParamsFormatConverter):
    """The format converter of a GRU. Its cells have three kernels: gates, candidate of inputs, candidate of states."""

    _rnn_mode = GRU

    def _cudnn_to_tf_weights(self, *cu_weights: Any) -> list[Any]:
        w_i, w_r, w_h, r_i, r_r, r_h = cu_weights
        gates = v1.concat([v1.concat([w_i, r_i], axis=1), v1.concat([w_r, r_r], axis=1)], axis=0)
        return [v1.transpose(gates), v1.transpose(w_h), v1.transpose(r_h)]

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Any) -> list[Any]:
        gates, w_h, r_h = (v1.transpose(matrix) for matrix in tf_weights)
        (w_i, r_i), (w_r, r_r) = (self._halves(layer, gate) for gate in v1.split(gates, 2, axis=0))
        return [w_i, w_r, w_h, r_i, r_r, r_h]

    def _cudnn_to_tf_biases(self, *cu_biases: Any) -> list[Any]:
        b_wi, b_wr, b_wh, b_ri, b_rr, b_rh = cu_biases
        return [v1.concat([b_wi, b_wr], axis=0) + v1.concat([b_ri, b_rr], axis=0), b_wh, b_rh]

    def _tf_to_cudnn_biases(self, *tf_biases: Any) -> list[Any]:
        gates, b_wh, b_rh = tf_biases
        b_wi, b_wr = v1.split(gates * 0.5, 2, axis=0)
        return [b_wi, b_wr, b_wh, b_wi, b_wr, b_rh]


class CudnnParamsFormatConverterTanh(CudnnParamsFormatConverterLSTM):
    """The format converter of a plain network with tanh."""

    _rnn_mode = TANH


class CudnnParamsFormatConverterRelu(CudnnParamsFormatConverterLSTM):
    """The format converter of a plain network with relu."""

    _rnn_mode = RELU
