"""`AttentionWrapper`: a cell that attends to a memory at each step."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.framework.tensor_util import with_same_shape
from tf2bridge.contrib.seq2seq.attention_wrapper.keras_memory import BaseAttentionMechanismV2
from tf2bridge.contrib.seq2seq.attention_wrapper.memory import AttentionMechanism
from tf2bridge.contrib.seq2seq.cells import Dense, RNNCell, assert_like_rnncell, early, length, zero_state

v1 = tf.compat.v1
nest = tf.nest

_HINT = (
    "Are you using the BeamSearchDecoder? Then tile the encoder's outputs and states with "
    "tf.contrib.seq2seq.tile_batch, and ask for a zero_state of batch_size * beam_width."
)


class AttentionWrapperState(NamedTuple):
    """The state of an `AttentionWrapper`. Up to 1.4 there is no `attention_state`: it is empty."""

    cell_state: Any
    attention: Any
    time: Any
    alignments: Any
    alignment_history: Any
    attention_state: Any = ()

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """Returns a state with the given fields replaced. Raises ValueError if the shape of a tensor differs."""

        def checked(old: Any, new: Any) -> Any:
            if not (tf.is_tensor(old) and tf.is_tensor(new)):
                return new
            if not tf.executing_eagerly():
                return with_same_shape(old, new)
            if old.shape.as_list() != new.shape.as_list():
                raise ValueError(f"clone: the state has the shape {old.shape} here, the new value {new.shape}")
            return new

        clone: AttentionWrapperState = nest.map_structure(checked, self, self._replace(**kwargs))
        return clone


def compute_attention(
    attention_mechanism: Any, cell_output: Any, attention_state: Any, attention_layer: Any
) -> tuple[Any, Any, Any]:
    """Returns (attention [batch, size], alignments [batch, time], next attention state).

    Up to 1.4 a mechanism takes its previous alignments, and returns only alignments.
    """
    parameters = inspect.signature(type(attention_mechanism).__call__).parameters
    if isinstance(attention_mechanism, BaseAttentionMechanismV2):
        alignments, next_state = attention_mechanism([cell_output, attention_state])
    elif "previous_alignments" in parameters and (early() or "state" not in parameters):
        alignments = next_state = attention_mechanism(cell_output, previous_alignments=attention_state)
    else:
        alignments, next_state = attention_mechanism(cell_output, state=attention_state)
    context = v1.squeeze(v1.matmul(v1.expand_dims(alignments, 1), attention_mechanism.values), [1])
    if attention_layer is None:
        return context, alignments, next_state
    return attention_layer(v1.concat([cell_output, context], 1)), alignments, next_state


class AttentionWrapper(RNNCell):  # type: ignore[misc]  # tf_keras has no types
    """Wraps `cell` with one attention mechanism, or a list of them.

    The attention is the context. With `attention_layer`, or a layer of `attention_layer_size` units, it is the layer's
    output for the cell's output and the context. `cell_input_fn(inputs, attention)` joins it to the next input. With
    `output_attention` the attention is also the output.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: sizes or layers do not fit the mechanisms.
    """

    def __init__(
        self,
        cell: Any,
        attention_mechanism: Any,
        attention_layer_size: Any = None,
        alignment_history: bool = False,
        cell_input_fn: Callable[[Any, Any], Any] | None = None,
        output_attention: bool = True,
        initial_cell_state: Any = None,
        name: str | None = None,
        attention_layer: Any = None,
        attention_fn: Callable[..., Any] | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._attention_mechanisms = _mechanisms(attention_mechanism)
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be a function, not {type(cell_input_fn).__name__}")
        self._cell = cell
        self._set_layers(attention_layer_size, attention_layer)
        self._attention_fn = attention_fn or compute_attention
        self._cell_input_fn = cell_input_fn or (lambda inputs, attention: v1.concat([inputs, attention], -1))
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        with v1.name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                self._initial_cell_state = self._checked_initial_state(initial_cell_state)

    def _set_layers(self, sizes: Any, layers: Any) -> None:
        mechanisms = self._attention_mechanisms
        if sizes is not None and layers is not None:
            raise ValueError("give attention_layer_size or attention_layer, not both")
        self._attention_layers = None
        if sizes is not None:
            sizes = _one_each("attention_layer_size", sizes, mechanisms)
            self._attention_layers = tuple(
                Dense(size, name="attention_layer", use_bias=False, dtype=getattr(mechanism, "dtype", None))
                for size, mechanism in zip(sizes, mechanisms, strict=True)
            )
            self._attention_layer_size = sum(sizes)
            return
        depths = [tf.compat.dimension_value(mechanism.values.shape[-1]) for mechanism in mechanisms]
        if layers is not None:
            self._attention_layers = _one_each("attention_layer", layers, mechanisms)
            inputs = [[None, self._cell.output_size + depth] for depth in depths]
            shapes = [layer.compute_output_shape(i) for layer, i in zip(self._attention_layers, inputs, strict=True)]
            depths = [tf.compat.dimension_value(shape[-1]) for shape in shapes]
        self._attention_layer_size = sum(depths)

    def _checked_initial_state(self, state: Any) -> Any:
        message = (
            f"When constructing AttentionWrapper {self._base_name}: the batch sizes of the memory (encoder output) and "
            f"initial_cell_state differ. {_HINT}"
        )
        batch = length(nest.flatten(state)[-1], 0)
        with tf.control_dependencies(self._batch_size_checks(batch, message)):
            return nest.map_structure(lambda tensor: v1.identity(tensor, name="check_initial_cell_state"), state)

    def _batch_size_checks(self, batch_size: Any, error_message: str) -> list[Any]:
        return [
            v1.assert_equal(batch_size, mechanism.batch_size, message=error_message)
            for mechanism in self._attention_mechanisms
        ]

    def _item_or_tuple(self, items: Iterable[Any]) -> Any:
        values = tuple(items)
        return values if self._is_multi else values[0]

    @property
    def output_size(self) -> Any:
        """The size of the attention, or of the cell's output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """The sizes of the state's parts."""
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=tf.TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(mechanism.alignments_size for mechanism in mechanisms),
            attention_state=self._states(lambda mechanism: mechanism.state_size),
            alignment_history=self._item_or_tuple(
                mechanism.alignments_size if self._alignment_history and not early() else () for mechanism in mechanisms
            ),
        )

    def _states(self, state_of: Callable[[Any], Any]) -> Any:
        """Returns `state_of(mechanism)` of each mechanism. Up to 1.4 the result is empty: alignments are the state."""
        return () if early() else self._item_or_tuple(map(state_of, self._attention_mechanisms))

    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """Returns the state before the first step. The session raises an error if the memory's batch size differs."""
        with v1.name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            state = self._initial_cell_state
            if state is None:
                state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            message = (
                f"When calling zero_state of AttentionWrapper {self._base_name}: the memory (encoder output) has "
                f"another batch size than the one asked for. {_HINT}"
            )
            with tf.control_dependencies(self._batch_size_checks(batch_size, message)):
                state = nest.map_structure(lambda tensor: v1.identity(tensor, name="checked_cell_state"), state)
            mechanisms = self._attention_mechanisms
            alignments = [mechanism.initial_alignments(batch_size, dtype) for mechanism in mechanisms]
            return AttentionWrapperState(
                cell_state=state,
                time=v1.zeros([], dtype=tf.int32),
                attention=zero_state(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._states(lambda mechanism: mechanism.initial_state(batch_size, dtype)),
                alignment_history=self._item_or_tuple(self._history(initial, dtype) for initial in alignments),
            )

    def _history(self, alignments: Any, dtype: Any) -> Any:
        if not self._alignment_history:
            return ()
        return tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=alignments.shape)

    def call(self, inputs: Any, state: Any) -> tuple[Any, AttentionWrapperState]:
        """Returns (output, next state) of one step."""
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(f"the state must be an AttentionWrapperState (see zero_state), not {type(state)}")
        output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        message = (
            f"When applying AttentionWrapper {self.name}: the batch sizes of the memory (encoder output) and the query "
            f"(decoder output) differ. {_HINT}"
        )
        batch = length(output, 0)
        with tf.control_dependencies(self._batch_size_checks(batch, message)):
            output = v1.identity(output, name="checked_cell_output")
        attentions, alignments, states, histories = zip(*self._attend(output, state), strict=True)
        attention = v1.concat(list(attentions), 1)
        following = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=attention,
            attention_state=() if early() else self._item_or_tuple(states),
            alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(histories),
        )
        return (attention if self._output_attention else output), following

    def _attend(self, output: Any, state: AttentionWrapperState) -> list[tuple[Any, Any, Any, Any]]:
        """Returns (attention, alignments, state, history) of each mechanism."""
        carried = state.alignments if early() else state.attention_state
        old_states = carried if self._is_multi else (carried,)
        histories = state.alignment_history if self._is_multi else (state.alignment_history,)
        layers = self._attention_layers or (None,) * len(self._attention_mechanisms)
        attended = []
        for mechanism, layer, old, history in zip(
            self._attention_mechanisms, layers, old_states, histories, strict=True
        ):
            attention, alignments, new = self._attention_fn(mechanism, output, old, layer)
            written = history.write(state.time, alignments) if self._alignment_history else ()
            attended.append((attention, alignments, new, written))
        return attended


def _mechanisms(mechanisms: Any) -> tuple[Any, ...]:
    as_tuple = tuple(mechanisms) if isinstance(mechanisms, (list, tuple)) else (mechanisms,)
    for mechanism in as_tuple:
        if not isinstance(mechanism, AttentionMechanism):
            raise TypeError(
                "attention_mechanism must be a tf.contrib.seq2seq.AttentionMechanism or a list of such, not of type "
                f"{type(mechanism).__name__}"
            )
    return as_tuple


def _one_each(name: str, entries: Any, mechanisms: tuple[Any, ...]) -> tuple[Any, ...]:
    as_tuple = tuple(entries) if isinstance(entries, (list, tuple)) else (entries,)
    if len(as_tuple) != len(mechanisms):
        raise ValueError(
            f"{name} has {len(as_tuple)} entries for {len(mechanisms)} attention mechanisms; give one each"
        )
    return as_tuple
