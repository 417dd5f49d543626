"""Saving of cuDNN networks: as the weights of the equivalent cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.cudnn_rnn.cudnn_rnn_ops import weights as forms
from tf2bridge.internals.training import BaseSaverBuilder

v1 = tf.compat.v1


class _OpaqueParamsSaveable(BaseSaverBuilder.SaveableObject):  # type: ignore[misc]  # TensorFlow is untyped
    """Saves the opaque vector `opaque_params` under the names that cells have in a scope, and restores it."""

    _converter: type[forms.CudnnParamsFormatConverter]
    _cell = "basic_rnn_cell"
    _kernels: Sequence[str] = ("kernel",)
    _biases: Sequence[str] = ("bias",)

    def __init__(
        self,
        opaque_params: Any,
        num_layers: int,
        num_units: int,
        input_size: int,
        input_mode: str = forms.LINEAR_INPUT,
        direction: str = forms.ONE_WAY,
        scope: Any = None,
        name: str = "cudnn_rnn_saveable",
    ) -> None:
        self._variables = opaque_params
        self.format_converter = self._converter(
            num_layers, num_units, input_size, input_mode=input_mode, direction=direction
        )
        kernels, biases = self.format_converter.opaque_to_tf_canonical(opaque_params)
        prefix = getattr(scope, "name", scope)
        cells = _prefixes(num_layers, direction)
        names = [
            f"{cell}/{self._cell}/{part}" for kind in (self._kernels, self._biases) for cell in cells for part in kind
        ]
        names = [f"{prefix}/{part_name}" if prefix else part_name for part_name in names]
        pairs = zip([*kernels, *biases], names, strict=True)
        specs = [BaseSaverBuilder.SaveSpec(tensor, "", spec_name) for tensor, spec_name in pairs]
        super().__init__(v1.identity(opaque_params), specs, name)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any) -> Any:
        """Returns the operation that assigns the tensors of a checkpoint to the opaque vector."""
        del restored_shapes
        vector = self.format_converter.tf_canonical_to_opaque(restored_tensors)
        return v1.assign(self._variables, vector, validate_shape=False)


def _prefixes(layers: int, direction: str) -> list[str]:
    if direction == forms.ONE_WAY:
        return [f"rnn/multi_rnn_cell/cell_{layer}" for layer in range(layers)]
    stack = "stack_bidirectional_rnn/cell_{}/bidirectional_rnn/{}"
    return [stack.format(layer, side) for layer in range(layers) for side in ("fw", "bw")]


class CudnnLSTMSaveable(_OpaqueParamsSaveable):
    """The saveable of an LSTM, with the names of `CudnnCompatibleLSTMCell`."""

    _converter = forms.CudnnParamsFormatConverterLSTM
    _cell = "cudnn_compatible_lstm_cell"


class CudnnGRUSaveable(_OpaqueParamsSaveable):
    """The saveable of a GRU, with the names of `CudnnCompatibleGRUCell`."""

    _converter = forms.CudnnParamsFormatConverterGRU
    _cell = "cudnn_compatible_gru_cell"
    _kernels = ("gates/kernel", "candidate/input_projection/kernel", "candidate/hidden_projection/kernel")
    _biases = ("gates/bias", "candidate/input_projection/bias", "candidate/hidden_projection/bias")


class CudnnRNNTanhSaveable(CudnnLSTMSaveable):
    """The saveable of a plain network with tanh, with the names of `BasicRNNCell`."""

    _converter = forms.CudnnParamsFormatConverterTanh
    _cell = _OpaqueParamsSaveable._cell


class CudnnRNNReluSaveable(CudnnLSTMSaveable):
    """The saveable of a plain network with relu, with the names of `BasicRNNCell`."""

    _converter = forms.CudnnParamsFormatConverterRelu
    _cell = _OpaqueParamsSaveable._cell
