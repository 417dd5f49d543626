"""Replaces the band diagonal operations of autumn 2019 (`V2`) by those of 2020 (`V3`).

TensorFlow 2.21 computes the old ones, but its gradients for them assume diagonals aligned at the right
(python/ops/array_grad.py). Here diagonals are aligned at the left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.graph.passes.expansions import Expansion


def _from_the_left(operation: Callable[..., tf.Tensor], *names: str) -> Expansion:
    def build(attributes: Mapping[str, Any], *inputs: tf.Tensor) -> list[tf.Tensor]:
        del attributes
        return [operation(**dict(zip(names, inputs, strict=True)), align="LEFT_LEFT")]

    return build


BANDS: dict[str, Expansion] = {
    "MatrixDiagV2": _from_the_left(tf.raw_ops.MatrixDiagV3, "diagonal", "k", "num_rows", "num_cols", "padding_value"),
    "MatrixDiagPartV2": _from_the_left(tf.raw_ops.MatrixDiagPartV3, "input", "k", "padding_value"),
    "MatrixSetDiagV2": _from_the_left(tf.raw_ops.MatrixSetDiagV3, "input", "diagonal", "k"),
}
"""Type of an operation -> the function that computes it."""
