"""Cells of `contrib.rnn` with the variables of 0.12: named as their class, "LSTMBlockCell/W"."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn import gru_ops, lstm_ops
from tf2bridge.contrib.rnn.cell import known_size
from tf2bridge.contrib.rnn.rnn_cell import attention, coupled, frequency, normalized

v1 = tf.compat.v1

_LINEAR = {"kernel": "Linear/Matrix", "bias": "Linear/Bias"}
_ATTENTION = {
    "attention/attn_w": "Attention/AttnW",
    "attention/attn_v": "Attention/AttnV",
    **{f"attention/{name}": f"Attention/{old}" for name, old in _LINEAR.items()},
    **{f"attn_output_projection/{name}": f"AttnOutputProjection/{old}" for name, old in _LINEAR.items()},
    **_LINEAR,
}
_BLOCK = ("W", "b", "wci", "wco", "wcf")
_COMPATIBLE = ("W_0", "B", "W_I_diag", "W_O_diag", "W_F_diag")
"""The variables of a block cell and of `nn.rnn_cell.LSTMCell`: kernel, bias, and the peepholes of i, o and f."""
_CLIP = 3.0
"""The default limit at which the operations of 0.12 clip the memory. 1.0 and later do not clip it by default."""


def _renaming(scope: str, names: Mapping[str, str], getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Creates a variable of the cell under its older name."""
    above, matched_scope, rest = name.rpartition(f"{scope}/")
    return getter(above + matched_scope + names.get(rest, rest) if matched_scope else name, *args, **kwargs)


def _as_in_0_12(kind: Any, names: Mapping[str, str] | None = None) -> Any:
    """Returns the cell with a scope of its class's name, and with the `names` of 0.12 for its variables."""

    class Cell(kind):  # type: ignore[misc]  # tf_keras is untyped
        __doc__ = kind.__doc__

        @functools.wraps(kind.__init__)  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._base_name = kind.__name__

        def add_weight(self, name: str, shape: Any, initializer: Any = None, **kwargs: Any) -> Any:
            """Adds a variable. The default initializer is that of 0.12; layers would take Glorot's."""
            default = v1.get_variable_scope().initializer or v1.uniform_unit_scaling_initializer()
            return super().add_weight(name, shape, initializer=initializer or default, **kwargs)

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            getter = functools.partial(_renaming, kind.__name__, names or {})
            with v1.variable_scope(v1.get_variable_scope(), custom_getter=getter, auxiliary_name_scope=False):
                outputs = super().__call__(*args, **kwargs)
            if not v1.get_collection(v1.GraphKeys.UPDATE_OPS):
                v1.get_default_graph().clear_collection(
                    v1.GraphKeys.UPDATE_OPS
                )  # the layer created an empty collection
            return outputs

    Cell.__name__ = Cell.__qualname__ = kind.__name__
    return Cell


AttentionCellWrapper = _as_in_0_12(attention.AttentionCellWrapper, _ATTENTION)
CoupledInputForgetGateLSTMCell = _as_in_0_12(coupled.CoupledInputForgetGateLSTMCell)
GRUBlockCell = _as_in_0_12(gru_ops.GRUBlockCell)
_LSTMBlockCell: Any = _as_in_0_12(lstm_ops.LSTMBlockCell)
_LSTMBlockFusedCell: Any = _as_in_0_12(lstm_ops.LSTMBlockFusedCell)
LayerNormBasicLSTMCell = _as_in_0_12(normalized.LayerNormBasicLSTMCell, {"kernel": "linear/weights"})
TimeFreqLSTMCell = _as_in_0_12(frequency.TimeFreqLSTMCell)


class LSTMBlockCell(_LSTMBlockCell):  # type: ignore[misc]  # tf_keras is untyped
    """The cell with the parameters of 0.12. `use_compatible_names` selects the names of `nn.rnn_cell.LSTMCell`."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        use_peephole: bool = False,
        use_compatible_names: bool = False,
    ) -> None:
        super().__init__(num_units, forget_bias=forget_bias, cell_clip=_CLIP, use_peephole=use_peephole)
        self._variables = _COMPATIBLE if use_compatible_names else _BLOCK
        if use_compatible_names:
            self._base_name = "LSTMCell"

    def build(self, inputs_shape: Any) -> None:
        """Creates the variables in the order of 0.12: the output gate's peephole before the forget gate's."""
        self._weights = _made(self, self._variables, known_size(inputs_shape), self._num_units, self._use_peephole)
        self.built = True


class LSTMBlockFusedCell(_LSTMBlockFusedCell):  # type: ignore[misc]  # tf_keras is untyped
    """The network with the parameters and the variables of 0.12."""

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: float | None = None, use_peephole: bool = False
    ) -> None:
        clip = _CLIP if cell_clip is None else cell_clip
        super().__init__(num_units, forget_bias, cell_clip=clip, use_peephole=use_peephole, name="LSTMBlockFusedCell")

    def _make(self, size: int) -> tuple[Any, ...]:
        return _made(self, _COMPATIBLE, size, self._num_units, self._use_peephole)


def _made(cell: Any, names: tuple[str, ...], size: int, units: int, peepholes: bool) -> tuple[Any, ...]:
    """Returns the variables of a cell in the order of the operation's arguments; the peepholes are of i, f and o."""
    kernel = cell.add_weight(names[0], [size + units, units * 4])
    bias = cell.add_weight(names[1], [units * 4], initializer=v1.constant_initializer(0.0))
    see = [cell.add_weight(name, [units]) for name in names[2:] if peepholes]
    return (kernel, bias, *see[:1], *see[:0:-1])
