"""Splits and joins the vector of all weights of a cuDNN recurrent network, without cuDNN.

The vector first holds all matrices: for each layer and direction, those of the input and then those of the hidden
state, with a matrix [units, width] for each gate. Then it holds all biases in the same order. Keras of TF 1.15 has the
same layout (python/keras/layers/cudnn_recurrent.py, `_process_batch`). The gates are i, f, candidate, o of an LSTM and
r, u, candidate of a GRU (NVIDIA's manual, cudnnGetRNNLinLayerMatrixParams).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
"""`rnn_mode` -> the number of gates of a cell."""


def directions(attributes: Mapping[str, Any]) -> int:
    """Returns 1, or 2 for a bidirectional network."""
    return 2 if attributes["direction"] == "bidirectional" else 1


def shapes(gates: int, layers: int, both: int, units: Any, inputs: Any) -> list[list[Any]]:
    """Returns [rows, columns] of each matrix, then [units] of each bias, in the order of the vector.

    Args:
        gates: the number of gates.
        layers: the number of layers.
        both: the number of directions, 1 or 2.
        units: the number of units, as a number or a tensor of rank 0.
        inputs: the size of the input, as a number or a tensor of rank 0.
    """
    matrices: list[list[Any]] = []
    for layer in range(layers):
        widths = [inputs if layer == 0 else units * both, units]
        matrices += [[units, width] for _ in range(both) for width in widths for _ in range(gates)]
    return matrices + [[units]] * (2 * gates * layers * both)


def parts(params: tf.Tensor, wanted: Sequence[Sequence[Any]]) -> list[tf.Tensor]:
    """Splits the vector into matrices and biases of these shapes."""
    sizes = [shape[0] * shape[1] if len(shape) == 2 else shape[0] for shape in wanted]
    ends = list(itertools.accumulate(sizes))
    flat = tf.reshape(params, [-1])
    return [tf.reshape(flat[end - size : end], shape) for end, size, shape in zip(ends, sizes, wanted, strict=True)]


def size(attributes: Mapping[str, Any], layers: tf.Tensor, units: tf.Tensor, inputs: tf.Tensor) -> list[tf.Tensor]:
    """Computes `CudnnRNNParamsSize`: the length of the vector, [1]."""
    both, gates = directions(attributes), GATES[attributes["rnn_mode"]]
    first = gates * units * (inputs + units + 2)
    further = gates * units * (units * both + units + 2)
    return [tf.reshape(tf.cast(both * (first + (layers - 1) * further), attributes["S"]), [1])]


def to_params(attributes: Mapping[str, Any], *inputs: tf.Tensor) -> list[tf.Tensor]:  # noqa: ARG001  # an expansion
    """Computes `CudnnRNNCanonicalToParams`: the vector of the matrices and biases in `inputs[3:]`."""
    return [tf.concat([tf.reshape(tensor, [-1]) for tensor in inputs[3:]], 0)]


def from_params(
    attributes: Mapping[str, Any], layers: tf.Tensor, units: tf.Tensor, inputs: tf.Tensor, params: tf.Tensor
) -> list[tf.Tensor]:
    """Computes `CudnnRNNParamsToCanonical`: the matrices, then the biases, of the vector."""
    del layers  # `num_params` gives the number of layers
    gates, both = GATES[attributes["rnn_mode"]], directions(attributes)
    count = attributes.get("num_params") or attributes["num_params_weights"]
    return parts(params, shapes(gates, count // (2 * gates * both), both, units, inputs))
