"""Cells of `contrib.rnn` with the variables of 0.12: named as their class, "LSTMBlockCell/W"."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn import attention, blocks, coupled, frequency, normalized
from tf2bridge.contrib.rnn.cell import known_size
from tf2bridge.v1.refusals import ArgumentError

v1 = tf.compat.v1

_LINEAR = {"kernel": "Linear/Matrix", "bias": "Linear/Bias"}
_ATTENTION = {
    "attention/attn_w": "Attention/AttnW",
    "attention/attn_v": "Attention/AttnV",
    **{f"attention/{name}": f"Attention/{old}" for name, old in _LINEAR.items()},
    **{f"attn_output_projection/{name}": f"AttnOutputProjection/{old}" for name, old in _LINEAR.items()},
    **_LINEAR,
}
_BLOCK = {"kernel": "W", "bias": "b", "w_i_diag": "wci", "w_f_diag": "wcf", "w_o_diag": "wco"}
_CLIP = 3.0
"""What the operations of 0.12 clipped the memory at where no limit was given; 1.0 and later do not clip it."""
_GATES = ("w_i_diag", "w_f_diag", "w_o_diag")
"""The peepholes in the order in which the operation takes them."""


def _renaming(scope: str, names: Mapping[str, str], getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Makes a variable of the cell under its older name."""
    above, found, rest = name.rpartition(f"{scope}/")
    return getter(above + found + names.get(rest, rest) if found else name, *args, **kwargs)


def _as_in_0_12(kind: Any, names: Mapping[str, str] | None = None) -> Any:
    """The cell with the scope of its class's name, and other `names` for its variables."""

    class Cell(kind):  # type: ignore[misc]  # tf_keras is untyped
        __doc__ = kind.__doc__

        @functools.wraps(kind.__init__)  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._base_name = kind.__name__

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            getter = functools.partial(_renaming, kind.__name__, names or {})
            with v1.variable_scope(v1.get_variable_scope(), custom_getter=getter, auxiliary_name_scope=False):
                found = super().__call__(*args, **kwargs)
            if not v1.get_collection(v1.GraphKeys.UPDATE_OPS):
                v1.get_default_graph().clear_collection(v1.GraphKeys.UPDATE_OPS)  # a layer leaves it there, empty
            return found

    Cell.__name__ = Cell.__qualname__ = kind.__name__
    return Cell


AttentionCellWrapper = _as_in_0_12(attention.AttentionCellWrapper, _ATTENTION)
CoupledInputForgetGateLSTMCell = _as_in_0_12(coupled.CoupledInputForgetGateLSTMCell)
GRUBlockCell = _as_in_0_12(blocks.GRUBlockCell)
_LSTMBlockCell: Any = _as_in_0_12(blocks.LSTMBlockCell, _BLOCK)
LayerNormBasicLSTMCell = _as_in_0_12(normalized.LayerNormBasicLSTMCell, {"kernel": "linear/weights"})
TimeFreqLSTMCell = _as_in_0_12(frequency.TimeFreqLSTMCell)


class LSTMBlockCell(_LSTMBlockCell):  # type: ignore[misc]  # tf_keras is untyped
    """The cell with the parameters of 0.12. Raises ArgumentError for `use_compatible_names`."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        use_peephole: bool = False,
        use_compatible_names: bool = False,
    ) -> None:
        if use_compatible_names:
            parameters = "num_units, forget_bias, use_peephole, use_compatible_names"
            raise ArgumentError("contrib.rnn.LSTMBlockCell", parameters, "has only names of its own for variables")
        super().__init__(num_units, forget_bias=forget_bias, cell_clip=_CLIP, use_peephole=use_peephole)

    def build(self, inputs_shape: Any) -> None:
        """Makes the variables in the order of 0.12: the peephole of the output gate before that of the forget gate."""
        size, units = known_size(inputs_shape), self._num_units
        kernel = self.add_weight("kernel", [size + units, units * 4])
        bias = self.add_weight("bias", [units * 4], initializer=v1.constant_initializer(0.0))
        made = ("w_i_diag", "w_o_diag", "w_f_diag") if self._use_peephole else ()
        see = {name: self.add_weight(name, [units]) for name in made}
        self._weights = (kernel, bias, *(see[name] for name in _GATES if name in see))
        self.built = True


_Fused: Any = _as_in_0_12(blocks.LSTMBlockFusedCell)


class LSTMBlockFusedCell(_Fused):  # type: ignore[misc]  # tf_keras is untyped
    """The network with the parameters and the variables of 0.12."""

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: float | None = None, use_peephole: bool = False
    ) -> None:
        clip = _CLIP if cell_clip is None else cell_clip
        super().__init__(num_units, forget_bias, cell_clip=clip, use_peephole=use_peephole, name="LSTMBlockFusedCell")

    def build(self, input_shape: Any) -> None:
        """Makes the variables in the order of 0.12."""
        size, units = tf.TensorShape(input_shape).dims[2].value, self._num_units
        kernel = self.add_weight("W_0", [size + units, units * 4])
        bias = self.add_weight("B", [units * 4], initializer=v1.constant_initializer(0.0))
        see = {gate: self.add_weight(f"W_{gate}_diag", [units]) for gate in "IOF" if self._use_peephole}
        self._weights = (kernel, bias, *(see[gate] for gate in "IFO" if gate in see))
        self.built = True
