"""`BasicDecoder`: a cell, an output layer, and a helper that samples and feeds. `BasicDecoderV2` is a layer."""

# ruff: noqa: ARG002  # the parameters are those of the interface
from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import KerasLayer, Layer, assert_like_rnncell
from tf2bridge.contrib.seq2seq.decoder import BaseDecoder, Decoder
from tf2bridge.contrib.seq2seq.helper.feeding import Helper
from tf2bridge.contrib.seq2seq.sampler.feeding import Sampler

nest = tf.nest
v1 = tf.compat.v1


class BasicDecoderOutput(NamedTuple):
    """The result of one step of a `BasicDecoder`: the output [batch, size] and the sample [batch]."""

    rnn_output: Any
    sample_id: Any


def rnn_output_size(cell: Any, output_layer: Any) -> Any:
    """Returns the size of the outputs of `cell` after `output_layer`, which may be None."""
    if output_layer is None:
        return cell.output_size
    batches = nest.map_structure(lambda size: tf.TensorShape([None]).concatenate(size), cell.output_size)
    return nest.map_structure(lambda shape: shape[1:], output_layer.compute_output_shape(batches))


class BasicDecoder(Decoder):
    """Steps a cell. `helper` draws a sample from each output, and makes the next input from the sample.

    Raises:
        TypeError: `cell`, `helper` or `output_layer` has the wrong type.
    """

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a tf.contrib.seq2seq.Helper, not {type(helper)}")
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError(f"output_layer must be a layer of tf.layers, not {type(output_layer)}")
        self._cell = cell
        self._helper = helper
        self._initial_state = initial_state
        self._output_layer = output_layer

    @property
    def batch_size(self) -> Any:
        return self._helper.batch_size

    def _rnn_output_size(self) -> Any:
        return rnn_output_size(self._cell, self._output_layer)

    @property
    def output_size(self) -> Any:
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        dtype = nest.flatten(self._initial_state)[0].dtype
        outputs = nest.map_structure(lambda _: dtype, self._rnn_output_size())
        return BasicDecoderOutput(outputs, self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> Any:
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with v1.name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            samples = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=samples
            )
        return BasicDecoderOutput(outputs, samples), state, inputs, finished


class BasicDecoderV2(BaseDecoder):
    """Steps a cell. `sampler` draws a sample from each output, and makes the next input from the sample.

    Raises:
        TypeError: `cell`, `sampler` or `output_layer` has the wrong type.
    """

    def __init__(self, cell: Any, sampler: Any, output_layer: Any = None, **kwargs: Any) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(sampler, Sampler):
            raise TypeError(f"sampler must be a Sampler, not {type(sampler)}")
        if output_layer is not None and not isinstance(output_layer, KerasLayer):
            raise TypeError(f"output_layer must be a layer of tf.layers or tf.keras, not {type(output_layer)}")
        super().__init__(**kwargs)
        self.cell = cell
        self.sampler = sampler
        self.output_layer = output_layer

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """Returns (finished [batch], first inputs, `initial_state`)."""
        self._cell_dtype = nest.flatten(initial_state)[0].dtype
        return (*self.sampler.initialize(inputs, **kwargs), initial_state)

    @property
    def batch_size(self) -> Any:
        return self.sampler.batch_size

    def _rnn_output_size(self) -> Any:
        size = tf.TensorShape(self.cell.output_size)
        return size if self.output_layer is None else rnn_output_size(self.cell, self.output_layer)

    @property
    def output_size(self) -> Any:
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self.sampler.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        outputs = nest.map_structure(lambda _: self._cell_dtype, self._rnn_output_size())
        return BasicDecoderOutput(outputs, self.sampler.sample_ids_dtype)

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        """Returns (outputs, next state, next inputs, finished [batch])."""
        outputs, state = self.cell(inputs, state)
        if self.output_layer is not None:
            outputs = self.output_layer(outputs)
        samples = self.sampler.sample(time=time, outputs=outputs, state=state)
        finished, inputs, state = self.sampler.next_inputs(time=time, outputs=outputs, state=state, sample_ids=samples)
        return BasicDecoderOutput(outputs, samples), state, inputs, finished
