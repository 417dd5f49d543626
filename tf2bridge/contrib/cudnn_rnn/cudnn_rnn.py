"""The layers of `contrib.cudnn_rnn`. There is no cuDNN here: their numbers are computed on any device."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.cudnn_rnn.cudnn_rnn_ops import saving
from tf2bridge.contrib.cudnn_rnn.cudnn_rnn_ops import weights as forms
from tf2bridge.contrib.cudnn_rnn.cudnn_rnn_ops.networks import Steps, layer, turned
from tf2bridge.contrib.rnn.cell import InputSpec

v1 = tf.compat.v1
_Layer: Any = core_layers().Layer


class _CudnnRNN(_Layer):  # type: ignore[misc]  # tf_keras is untyped
    """Layers of `num_units`, in one direction or two, with all weights in the variable `opaque_kernel`.

    Raises:
        ValueError: cuDNN does not support the direction, input mode or dtype.
    """

    _rnn_mode = forms.LSTM
    _converter_cls: type[forms.CudnnParamsFormatConverter] = forms.CudnnParamsFormatConverterLSTM
    _saveable_cls: Any = saving.CudnnLSTMSaveable
    built: bool

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_mode: str = forms.LINEAR_INPUT,
        direction: str = forms.ONE_WAY,
        dropout: float = 0.0,
        seed: int | None = None,
        dtype: Any = tf.float32,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        forms.check_direction(direction)
        forms.check_input_mode(input_mode)
        if dtype not in (tf.float16, tf.float32, tf.float64):
            raise ValueError(f"cuDNN has networks of float16, float32 and float64, not of {dtype}")
        if input_mode == "skip_input":
            raise NotImplementedError("cuDNN's skip_input is not supplied; use linear_input")
        self._plain_dtype = dtype
        self._num_layers = num_layers
        self._num_units = num_units
        self._input_mode = input_mode
        self._direction = direction
        self._dropout = dropout
        self._seed = seed
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer
        self._input_size: int | None = None
        self._saveable: Any = None

    @property
    def num_layers(self) -> int:
        return self._num_layers

    @property
    def num_units(self) -> int:
        return self._num_units

    @property
    def input_mode(self) -> str:
        return self._input_mode

    @property
    def input_size(self) -> int:
        """The size of the inputs. Raises ValueError before the layer is built."""
        if not self._input_size:
            raise ValueError("input_size is not known before the layer is built")
        return self._input_size

    @property
    def rnn_mode(self) -> str:
        return self._rnn_mode

    @property
    def direction(self) -> str:
        return self._direction

    @property
    def num_dirs(self) -> int:
        return 1 if self._direction == forms.ONE_WAY else 2

    @property
    def saveable(self) -> Any:
        """The saveable that stores the weights as weights of cells. It is in the collection SAVEABLE_OBJECTS."""
        return self._saveable

    @property
    def canonical_weight_shapes(self) -> list[tuple[int, int]]:
        """The shapes of cuDNN's matrices. Raises RuntimeError before the layer is built."""
        return self._converter().shapes()[0]

    @property
    def canonical_bias_shapes(self) -> list[list[int]]:
        """The shapes of cuDNN's biases."""
        return [[self._num_units]] * (2 * forms.GATES[self._rnn_mode] * self.num_dirs * self._num_layers)

    def _converter(self) -> forms.CudnnParamsFormatConverter:
        if not self._input_size:
            raise RuntimeError(f"the weights of {type(self).__name__} have no shapes before its inputs are known")
        return self._converter_cls(self._num_layers, self._num_units, self._input_size, direction=self._direction)

    def build(self, input_shape: Any) -> None:
        if self.built:
            return
        shape = tf.TensorShape(input_shape)
        if shape.ndims != 3 or tf.compat.dimension_value(shape[-1]) is None:
            raise ValueError(f"{type(self).__name__} takes inputs [time, batch, size] of known size, not {shape}")
        self._input_size = int(shape[-1])
        self.input_spec = InputSpec(ndim=3, axes={-1: self._input_size})
        self._set_scope(None)
        with v1.variable_scope(self._scope, custom_getter=self._tracked):
            start = self._initial()
            self.kernel = v1.get_variable(
                "opaque_kernel", dtype=self._plain_dtype, initializer=start, validate_shape=False
            )
            if v1.get_variable_scope().reuse is not True:
                self._save()
        self.built = True

    def _tracked(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        variable = getter(*args, **kwargs)
        if all(variable is not weight for weight in self._trainable_weights):
            self._trainable_weights.append(variable)
        return variable

    def _initial(self) -> Any:
        dtype = self._plain_dtype
        kernel = self._kernel_initializer or v1.glorot_uniform_initializer(seed=self._seed, dtype=dtype)
        bias = self._bias_initializer or v1.constant_initializer(0.0, dtype=dtype)
        weights = [kernel(shape, dtype=dtype) for shape in self.canonical_weight_shapes]
        return forms.opaque(weights, [bias(shape, dtype=dtype) for shape in self.canonical_bias_shapes])

    def _save(self) -> None:
        self._saveable = self._saveable_cls(
            self.kernel,
            self._num_layers,
            self._num_units,
            self._input_size,
            self._input_mode,
            self._direction,
            v1.get_variable_scope(),
            f"{self.kernel.op.name}_saveable",
        )
        v1.add_to_collection(v1.GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def call(
        self,
        inputs: Any,
        initial_state: Any = None,
        sequence_lengths: Any = None,
        time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, Any]:
        """Returns (outputs, state) for `inputs` [time, batch, size], or [batch, time, size] if not `time_major`.

        The state of an LSTM is (outputs, memories), other states are (outputs,). All are [layers * directions, batch,
        units].

        Raises:
            TypeError: `initial_state` is not a tuple.
        """
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise TypeError(f"initial_state has to be a tuple, not {type(initial_state).__name__}")
        inputs = tf.convert_to_tensor(inputs, dtype=self.dtype)
        steps = Steps(inputs if time_major else v1.transpose(inputs, [1, 0, 2]), sequence_lengths)
        state = self._zero_state(v1.shape(steps.inputs)[1]) if initial_state is None else initial_state
        begin = [
            v1.unstack(tf.convert_to_tensor(part, dtype=self.dtype), self._num_layers * self.num_dirs) for part in state
        ]
        outputs, ends = self._run(steps, begin, training)
        parts = [v1.stack(list(ends_of_part)) for ends_of_part in zip(*ends, strict=True)]
        return outputs if time_major else v1.transpose(outputs, [1, 0, 2]), tuple(parts)

    def _run(self, steps: Steps, begin: list[list[Any]], training: bool) -> tuple[Any, list[tuple[Any, ...]]]:
        kernels, biases = self._converter().opaque_to_tf_canonical(self.kernel)
        per_layer = len(kernels) // (self._num_layers * self.num_dirs)
        ends: list[tuple[Any, ...]] = []
        for place in range(self._num_layers):
            if place:
                steps = Steps(self._dropped(steps.inputs, training), steps.lengths)
            outputs_of_directions = []
            for direction in range(self.num_dirs):
                number = len(ends)
                span = slice(number * per_layer, (number + 1) * per_layer)
                state = [part[number] for part in begin]
                memory = state[1] if len(state) == 2 else None
                given = steps.turned() if direction else steps
                outputs, last, end = layer(self._rnn_mode, given, [*kernels[span], *biases[span]], state[0], memory)
                outputs_of_directions.append(turned(outputs, steps.lengths) if direction else outputs)
                ends.append((last,) if end is None else (last, end))
            steps = Steps(
                outputs_of_directions[0] if len(outputs_of_directions) == 1 else v1.concat(outputs_of_directions, 2),
                steps.lengths,
            )
        return steps.inputs, ends

    def _dropped(self, outputs: Any, training: bool) -> Any:
        return v1.nn.dropout(outputs, rate=self._dropout, seed=self._seed) if self._dropout and training else outputs

    def state_shape(self, batch_size: Any) -> Any:
        """Returns the shapes of the parts of the state, as a tuple."""
        return ([self._num_layers * self.num_dirs, batch_size, self._num_units],)

    def _zero_state(self, batch_size: Any) -> tuple[Any, ...]:
        return tuple(v1.zeros(shape, dtype=self.dtype) for shape in self.state_shape(batch_size))


class CudnnLSTM(_CudnnRNN):
    """cuDNN's LSTM: no forget bias, no peepholes."""

    def state_shape(self, batch_size: Any) -> Any:
        return super().state_shape(batch_size) * 2


class CudnnGRU(_CudnnRNN):
    """cuDNN's GRU, which resets the mapped state."""

    _rnn_mode = forms.GRU
    _converter_cls = forms.CudnnParamsFormatConverterGRU
    _saveable_cls = saving.CudnnGRUSaveable


class CudnnRNNTanh(_CudnnRNN):
    """A plain network with tanh."""

    _rnn_mode = forms.TANH
    _converter_cls = forms.CudnnParamsFormatConverterTanh
    _saveable_cls = saving.CudnnRNNTanhSaveable


class CudnnRNNRelu(_CudnnRNN):
    """A plain network with relu."""

    _rnn_mode = forms.RELU
    _converter_cls = forms.CudnnParamsFormatConverterRelu
    _saveable_cls = saving.CudnnRNNReluSaveable
