"""Rows of a comparison that was made of arrays of known differences."""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import DEFAULT, Verdict


def row(tensor: str, call: int | None, apart: float, *, kind: str = "fetch", size: int = 6) -> Comparison:
    """A tensor whose new values are 1 + apart times the old ones."""
    old = np.arange(1, size + 1, dtype=np.float64) if size > 1 else np.asarray(2.0 * (1 + (call or 0)))
    return Comparison(kind, call, tensor, "", "train.py:7", old.shape, distance(old * (1 + apart), old, DEFAULT))


def missing(tensor: str) -> Comparison:
    return Comparison("final", None, tensor, "", "", (), Distance(Verdict.MISSING, note="no such variable"))


def of_training(calls: int, layers: int) -> list[Comparison]:
    """A loss, which goes apart in the fifth call, and activations of layers, equal in even calls."""
    rows = [row(f"layer_{n}/weights", None, 0.0, kind="initial") for n in range(layers)]
    for call in range(calls):
        rows.append(row("loss:0", call, 0.0 if call < 5 else 0.5, size=1))
        rows += [row(f"layer_{n}/Relu:0", call, 1e-10 * (call % 2) * (n + 1)) for n in range(layers)]
    return [*rows, missing("layer_0/lost")]
