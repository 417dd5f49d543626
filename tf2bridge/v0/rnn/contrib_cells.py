"""Cells of `contrib.rnn` with the variables of 0.12: named as their class, "LSTMBlockCell/W"."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.rnn import attention, blocks, coupled, frequency, normalized

v1 = tf.compat.v1

_LINEAR = {"kernel": "Linear/Matrix", "bias": "Linear/Bias"}
_ATTENTION = {
    "attention/attn_w": "Attention/AttnW",
    "attention/attn_v": "Attention/AttnV",
    **{f"attention/{name}": f"Attention/{old}" for name, old in _LINEAR.items()},
    **{f"attn_output_projection/{name}": f"AttnOutputProjection/{old}" for name, old in _LINEAR.items()},
    **_LINEAR,
}


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
LSTMBlockCell = _as_in_0_12(blocks.LSTMBlockCell, {"kernel": "W", "bias": "b"})
LayerNormBasicLSTMCell = _as_in_0_12(normalized.LayerNormBasicLSTMCell, {"kernel": "linear/weights"})
TimeFreqLSTMCell = _as_in_0_12(frequency.TimeFreqLSTMCell)
