"""`dynamic_decode`: steps a decoder until all its sequences are finished."""

from __future__ import annotations

import abc
import contextlib
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.seq2seq.cells import KerasLayer, early, transpose_batch_time, zero_state

v1 = tf.compat.v1
nest = tf.nest


class Stepped:
    """The part of the interface that all decoders share: batch size, outputs and finalization."""

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The shape of one output without its batch dimension, a nest of integers or TensorShapes."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """The types of one output, a nest like `output_size`."""
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """Returns (outputs, final state), made from the outputs of all steps, which are time-major."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """True if `finished` of a step is final. If False, a sequence that was finished before stays finished."""
        return False


class Decoder(Stepped, metaclass=abc.ABCMeta):
    """The interface that `dynamic_decode` steps: `initialize` gives the first inputs and state, `step` the next."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """Returns (finished [batch], first inputs, first state)."""
        raise NotImplementedError

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns (outputs, next state, next inputs, finished [batch])."""
        raise NotImplementedError


class BaseDecoder(Stepped, KerasLayer):  # type: ignore[misc]  # tf_keras has no types
    """A decoder that is a layer. Calling it with its inputs runs `dynamic_decode`."""

    def __init__(
        self,
        output_time_major: bool = False,
        impute_finished: bool = False,
        maximum_iterations: Any = None,
        parallel_iterations: int = 32,
        swap_memory: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.output_time_major = output_time_major
        self.impute_finished = impute_finished
        self.maximum_iterations = maximum_iterations
        self.parallel_iterations = parallel_iterations
        self.swap_memory = swap_memory

    def call(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """Returns (outputs, final state, lengths [batch]). The arguments are those of `initialize`."""
        return self._decode(inputs, {**kwargs, "initial_state": initial_state})

    def _decode(self, inputs: Any, arguments: dict[str, Any]) -> Any:
        # Since TF 2 Keras adds training=None to **kwargs, which `initialize` does not expect.
        known = {name: value for name, value in arguments.items() if name != "training" or value is not None}
        return dynamic_decode(
            self,
            output_time_major=self.output_time_major,
            impute_finished=self.impute_finished,
            maximum_iterations=self.maximum_iterations,
            parallel_iterations=self.parallel_iterations,
            swap_memory=self.swap_memory,
            decoder_init_input=inputs,
            decoder_init_kwargs=known,
        )

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """Returns (finished [batch], first inputs, first state)."""
        raise NotImplementedError

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        """Returns (outputs, next state, next inputs, finished [batch])."""
        raise NotImplementedError


def dynamic_decode(
    decoder: Decoder | BaseDecoder,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: Any = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: Any = None,
    **kwargs: Any,
) -> tuple[Any, Any, Any]:
    """Steps `decoder` until all sequences are finished; returns (outputs, final state, lengths [batch] int32).

    Outputs are [batch, time, ...], or [time, batch, ...] with `output_time_major`. With `impute_finished` a finished
    sequence keeps its state and has zeros as outputs.

    Up to 1.4 a finished sequence stays finished, and a sequence that reaches `maximum_iterations` is finished.

    Raises:
        TypeError: `decoder` is not a decoder.
        ValueError: `maximum_iterations` is not a scalar.
    """
    if not isinstance(decoder, (Decoder, BaseDecoder)):
        raise TypeError(f"dynamic_decode steps a tf.contrib.seq2seq.Decoder, not {type(decoder)}")
    with v1.variable_scope(scope, "decoder") as variables:
        if _may_cache() and variables.caching_device is None:
            variables.set_caching_device(lambda op: op.device)
        limit = _limit(maximum_iterations)
        initialize: Any = decoder.initialize
        if isinstance(decoder, BaseDecoder):
            given = kwargs.get("decoder_init_input")
            finished, inputs, state = initialize(given, **kwargs.get("decoder_init_kwargs", {}))
        else:
            finished, inputs, state = initialize()
        zeros = nest.map_structure(
            lambda size, dtype: _zeros(size, decoder.batch_size, dtype), decoder.output_size, decoder.output_dtype
        )
        if limit is not None:
            finished = v1.logical_or(finished, limit <= 0)
        lengths = v1.zeros_like(finished, dtype=tf.int32)
        start = tf.constant(0, dtype=tf.int32)
        arrays = nest.map_structure(
            lambda size, dtype: _array(decoder.batch_size, size, dtype), decoder.output_size, decoder.output_dtype
        )
        _, arrays, final_state, _, _, lengths = v1.while_loop(
            lambda *loop_vars: v1.logical_not(v1.reduce_all(loop_vars[4])),
            _Step(decoder, zeros, impute_finished, limit),
            loop_vars=(start, arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations,
            maximum_iterations=None if early() else limit,
            swap_memory=swap_memory,
        )
        outputs = nest.map_structure(lambda array: array.stack(), arrays)
        with contextlib.suppress(NotImplementedError):
            outputs, final_state = decoder.finalize(outputs, final_state, lengths)
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, final_state, lengths


@dataclass(frozen=True)
class _Step:
    """The body of the loop."""

    decoder: Decoder | BaseDecoder
    zeros: Any
    impute: bool
    limit: Any

    def __call__(self, time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
        outputs, next_state, next_inputs, now_finished = self.decoder.step(time, inputs, state)
        if early() or not self.decoder.tracks_own_finished:
            now_finished = v1.logical_or(now_finished, finished)
        if early() and self.limit is not None:
            now_finished = v1.logical_or(now_finished, time + 1 >= self.limit)
        ended = v1.logical_not(finished)
        ended = v1.logical_and(ended, now_finished) if early() else ended
        lengths = v1.where(ended, v1.fill(v1.shape(lengths), time + 1), lengths)
        for old, new in ((state, next_state), (arrays, outputs), (inputs, next_inputs)):
            nest.assert_same_structure(old, new)
        if self.impute:
            outputs = nest.map_structure(lambda out, zero: v1.where(finished, zero, out), outputs, self.zeros)
            next_state = nest.map_structure(lambda new, old: _kept(finished, old, new), next_state, state)
        arrays = nest.map_structure(lambda array, out: array.write(time, out), arrays, outputs)
        return time + 1, arrays, next_state, next_inputs, now_finished, lengths


def _zeros(size: Any, batch: Any, dtype: Any) -> Any:
    """Returns the zeros that replace the outputs of a finished sequence."""
    if not early():
        return zero_state(size, batch, dtype)
    suffix = size
    if not tf.is_tensor(size):
        suffix = tf.constant(tf.TensorShape(size).as_list(), dtype=tf.int32, name="zero_suffix_shape")
    return v1.zeros(v1.concat(([batch], suffix), 0), dtype=dtype)


def _kept(finished: Any, old: Any, new: Any) -> Any:
    if isinstance(old, tf.TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.shape.ndims == 0 else v1.where(finished, old, new)


def _may_cache() -> bool:
    """Returns True if variables may be read once before the loop: in a graph, but not in a loop or a function."""
    graph = v1.get_default_graph()
    if tf.executing_eagerly() or getattr(graph, "building_function", False):
        return False
    context = graph._get_control_flow_context()
    while context is not None and not context.IsWhileContext():
        context = context.outer_context
    return context is None


def _limit(iterations: Any) -> Any:
    if iterations is None:
        return None
    iterations = tf.convert_to_tensor(iterations, dtype=tf.int32, name="maximum_iterations")
    if iterations.get_shape().ndims != 0:
        raise ValueError(f"maximum_iterations must be a scalar, not of shape {iterations.get_shape()}")
    return iterations


def _array(batch: Any, size: Any, dtype: Any) -> Any:
    shape = None
    if isinstance(size, tf.TensorShape) and size.ndims != 0:
        static = tf.get_static_value(tf.convert_to_tensor(batch, name="batch_size"))
        shape = tf.TensorShape([static]).concatenate(size)
    return tf.TensorArray(dtype=dtype, size=0, dynamic_size=True, element_shape=shape)
