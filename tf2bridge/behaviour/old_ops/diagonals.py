"""Diagonals of matrices as 1.15 computes them.

The arguments `k`, `num_rows`, `num_cols` and `padding_value` belong to a later date than that of 1.15 (see `forward`).
So 1.15 silently ignores them, unless a program moves its date. Then the diagonals of a band are aligned at the left. In
TensorFlow 2 those above the main one are aligned at the right, so that the same call gives other numbers. The
operations of 1.15 (`MatrixDiagV2`) still exist, but TensorFlow 2.21 has wrong gradients for them.
"""

from __future__ import annotations

import warnings
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import in_force
from tf2bridge.behaviour.old_ops.forward import forward_compatible
from tf2bridge.internals.ops import array_ops


def matrix_diag(
    diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0
) -> Any:
    """Returns matrices with these diagonals: [..., n] -> [..., n, n]; with a band `k`, [..., diagonals, length]."""
    later = {"k": k, "num_rows": num_rows, "num_cols": num_cols, "padding_value": padding_value}
    if not _are_read("tf.matrix_diag", later):
        return array_ops.matrix_diag(diagonal, name=name, **_given(later))
    later["padding_value"] = _like(diagonal, padding_value)
    return tf.raw_ops.MatrixDiagV3(diagonal=diagonal, name=name, align=_LEFT, **later)


def matrix_diag_part(input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0) -> Any:  # noqa: A002  # TensorFlow's name
    """Returns the main diagonals of matrices, or their band `k`: [..., diagonals, length]."""
    later = {"k": k, "padding_value": padding_value}
    if not _are_read("tf.matrix_diag_part", later):
        return array_ops.matrix_diag_part(input, name=name, **_given(later))
    later["padding_value"] = _like(input, padding_value)
    return tf.raw_ops.MatrixDiagPartV3(input=input, name=name, align=_LEFT, **later)


def matrix_set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0) -> Any:  # noqa: A002  # TensorFlow's name
    """Returns matrices with other diagonals, or another band `k`."""
    later = {"k": k}
    if not _are_read("tf.matrix_set_diag", later):
        return array_ops.matrix_set_diag(input, diagonal, name=name, **_given(later))
    return tf.raw_ops.MatrixSetDiagV3(input=input, diagonal=diagonal, name=name, align=_LEFT, **later)


_LEFT = "LEFT_LEFT"
_USUAL = {"k": 0, "num_rows": -1, "num_cols": -1, "padding_value": 0}


def _given(later: dict[str, Any]) -> dict[str, Any]:
    """Returns the later arguments that a program of another release gives. TensorFlow 2 then takes or refuses them."""
    return {} if _is_of_1_15() else {name: value for name, value in later.items() if not _is_usual(name, value)}


def _are_read(function: str, later: dict[str, Any]) -> bool:
    if not _is_of_1_15():
        return False
    if forward_compatible(2019, 8, 31):
        return True
    names = [name for name, value in later.items() if not _is_usual(name, value)]
    if names:
        warnings.warn(
            f"{function}: TensorFlow 1.15 leaves {', '.join(names)} out of account, and so does this program under "
            "tf2bridge.v1; use tf.linalg of TensorFlow 2 for other diagonals than the main one",
            stacklevel=3,
        )
    return False


def _is_of_1_15() -> bool:
    return not in_force.before(1, 15)


def _is_usual(name: str, value: Any) -> bool:
    return isinstance(value, int | float) and value == _USUAL[name]


def _like(values: Any, padding: Any) -> Any:
    """Returns the padding; for tensors of bool, 0 becomes False."""
    return bool(padding) if getattr(values, "dtype", None) == "bool" else padding
