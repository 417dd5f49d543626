"""Computes the recurrent networks of cuDNN, and their gradients, with operations that every device has.

The cells are those of NVIDIA's manual of cuDNN 7 (cudnnRNNMode_t). Dropout between layers is drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.graph.passes.cudnn_parameters import GATES, directions, from_params, parts, shapes, size, to_params
from tf2bridge.graph.passes.expansions import Expansion
from tf2bridge.graph.refusals import UnsupportedOpsError


@dataclass(frozen=True)
class _Cell:
    """One direction of one layer. The weights of its gates lie side by side: `hidden` is [units, gates * units]."""

    mode: str
    inputs: tf.Tensor
    hidden: tf.Tensor
    input_bias: tf.Tensor
    hidden_bias: tf.Tensor

    def step(self, input_terms: tf.Tensor, h: tf.Tensor, c: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns the states after one step. input_terms: the input's terms of the gates, [batch, gates * units]."""
        hidden_terms = tf.matmul(h, self.hidden) + self.hidden_bias
        if self.mode == "lstm":
            i, f, candidate, o = tf.split(input_terms + hidden_terms, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(candidate)
            return tf.sigmoid(o) * tf.tanh(c), c
        if self.mode == "gru":
            (r, u, candidate), (r_h, u_h, candidate_h) = (
                tf.split(input_terms, 3, axis=1),
                tf.split(hidden_terms, 3, axis=1),
            )
            u = tf.sigmoid(u + u_h)
            return (1.0 - u) * tf.tanh(candidate + tf.sigmoid(r + r_h) * candidate_h) + u * h, c
        return (tf.tanh if self.mode == "rnn_tanh" else tf.nn.relu)(input_terms + hidden_terms), c


def rnn(attributes: Mapping[str, Any], *inputs: tf.Tensor) -> list[tf.Tensor]:
    """Computes `CudnnRNN`, `V2` and `V3` of input, input_h, input_c, params[, sequence_lengths].

    Returns output, output_h, output_c and the reserved space, which is empty here.
    """
    return [*_network(attributes, *inputs), tf.zeros([0], attributes["T"]), tf.zeros([0], tf.int8)]


def backprop(attributes: Mapping[str, Any], *inputs: tf.Tensor) -> list[tf.Tensor]:
    """Computes `CudnnRNNBackprop`, `V2` and `V3`: the gradients of input, input_h, input_c and params.

    It runs the forward computation again.
    """
    if attributes["dropout"] > 0:
        raise UnsupportedOpsError(["CudnnRNNBackprop of a network with dropout, whose mask lies in cuDNN's memory"])
    with_lengths = "time_major" in attributes
    forward = inputs[: 5 if with_lengths else 4]
    output_gradients = inputs[8:11] if with_lengths else inputs[7:10]
    outputs = _network(attributes, *forward)
    ends = outputs if attributes["rnn_mode"] == "lstm" else outputs[:2]
    gradients = tf.gradients(ends, forward[:4], list(output_gradients)[: len(ends)])
    return [
        tf.zeros_like(value) if gradient is None else gradient
        for gradient, value in zip(gradients, forward[:4], strict=True)
    ]


def _network(
    attributes: Mapping[str, Any],
    x: tf.Tensor,
    h: tf.Tensor,
    c: tf.Tensor,
    params: tf.Tensor,
    lengths: tf.Tensor | None = None,
) -> list[tf.Tensor]:
    """Returns the output [time, batch, directions * units], or [batch, time, ...], and the last states like h and c."""
    _refuse(attributes, x, h)
    time_major = attributes.get("time_major", True)
    order: Callable[[tf.Tensor], tf.Tensor] = (lambda t: t) if time_major else (lambda t: tf.transpose(t, [1, 0, 2]))
    x, h = order(x), order(h)
    lstm = attributes["rnn_mode"] == "lstm"
    c = order(c) if lstm else tf.zeros_like(h)
    both, steps = directions(attributes), tf.shape(x)[0]
    lengths = tf.fill([tf.shape(x)[1]], steps) if lengths is None else lengths
    cells = _cells(attributes, params, h.shape[0] // both, tf.shape(h)[2], tf.shape(x)[2])
    states = []
    for layer in range(0, len(cells), both):
        if layer and attributes["is_training" if "is_training" in attributes else "dropout"] and attributes["dropout"]:
            x = tf.nn.dropout(x, attributes["dropout"])
        runs = [_run(cells[at], x, h[at], c[at], lengths, at > layer) for at in range(layer, layer + both)]
        states += [run[1:] for run in runs]
        x = tf.concat([run[0] for run in runs], 2)
    last_h, last_c = (tf.stack(column) for column in zip(*states, strict=True))
    return [order(x), order(last_h), order(last_c) if lstm else tf.zeros([0], x.dtype)]


def _cells(attributes: Mapping[str, Any], params: tf.Tensor, layers: int, units: Any, inputs: Any) -> list[_Cell]:
    mode, both = attributes["rnn_mode"], directions(attributes)
    gates = GATES[mode]
    pieces = parts(params, shapes(gates, layers, both, units, inputs))
    matrices, biases = pieces[: len(pieces) // 2], pieces[len(pieces) // 2 :]

    def joined(tensors: Sequence[tf.Tensor], at: int) -> tf.Tensor:
        return tf.transpose(tf.concat(tensors[at : at + gates], 0))

    places = range(0, len(matrices), 2 * gates)
    return [
        _Cell(mode, joined(matrices, at), joined(matrices, at + gates), joined(biases, at), joined(biases, at + gates))
        for at in places
    ]


def _run(
    cell: _Cell, x: tf.Tensor, h: tf.Tensor, c: tf.Tensor, lengths: tf.Tensor, backwards: bool
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Returns the output [time, batch, units], zero after the sequence lengths, and the last states [batch, units]."""
    if backwards:
        x = tf.reverse_sequence(x, lengths, seq_axis=0, batch_axis=1)
    steps = tf.shape(x)[0]
    input_terms = tf.tensordot(x, cell.inputs, 1) + cell.input_bias
    outputs = tf.TensorArray(x.dtype, steps, element_shape=[None, None])

    def step(at: tf.Tensor, outputs: Any, h: tf.Tensor, c: tf.Tensor) -> tuple[Any, ...]:
        new_h, new_c = cell.step(input_terms[at], h, c)
        alive = (at < lengths)[:, None]
        outputs = outputs.write(at, tf.where(alive, new_h, 0.0))
        return at + 1, outputs, tf.where(alive, new_h, h), tf.where(alive, new_c, c)

    def going(at: tf.Tensor, *_: Any) -> tf.Tensor:
        return at < steps

    any_shape = tf.TensorShape([None, None])
    invariants = (tf.TensorShape([]), None, any_shape, any_shape)
    state = (tf.constant(0), outputs, h, c)
    _, outputs, h, c = tf.while_loop(going, step, state, invariants, maximum_iterations=steps)
    y = outputs.stack()
    return (tf.reverse_sequence(y, lengths, seq_axis=0, batch_axis=1) if backwards else y), h, c


def _refuse(attributes: Mapping[str, Any], x: tf.Tensor, h: tf.Tensor) -> None:
    reasons = []
    if h.shape.rank is None or h.shape[0] is None:
        reasons.append("whose number of layers, the first size of input_h, is not known")
    mode = attributes["input_mode"]
    same = h.shape.rank == 3 and x.shape.rank == 3 and h.shape[2] is not None and x.shape[2] not in (None, h.shape[2])
    if mode == "skip_input" or (mode == "auto_select" and not same):
        reasons.append(f"with {mode}, which passes the input by its weights")
    if attributes.get("num_proj"):
        reasons.append("with a projection")
    if reasons:
        raise UnsupportedOpsError([f"CudnnRNN {reason}" for reason in reasons])


CUDNN: dict[str, Expansion] = {
    **dict.fromkeys(("CudnnRNN", "CudnnRNNV2", "CudnnRNNV3"), rnn),
    **dict.fromkeys(("CudnnRNNBackprop", "CudnnRNNBackpropV2", "CudnnRNNBackpropV3"), backprop),
    "CudnnRNNParamsSize": size,
    **dict.fromkeys(("CudnnRNNCanonicalToParams", "CudnnRNNCanonicalToParamsV2"), to_params),
    **dict.fromkeys(("CudnnRNNParamsToCanonical", "CudnnRNNParamsToCanonicalV2"), from_params),
}
"""Type of an operation -> the function that computes it."""
