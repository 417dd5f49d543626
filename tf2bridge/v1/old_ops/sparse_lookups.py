"""`tf.nn.embedding_lookup_sparse` as TF 1.x built it: rows looked up once each, then summed by segment.

TensorFlow 2 sums rows of the table directly where there are no weights (python/ops/embedding_ops.py of 2.21), so the
graph and its gradient had other operations, and takes 0 for a mean whose weights sum to 0, which was NaN in 1.x.
"""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any


class _Over:
    """A module with some names laid over it."""

    def __init__(self, under: Any, **names: Any) -> None:
        self.__dict__.update(names)
        self._under = under

    def __getattr__(self, name: str) -> Any:
        return getattr(self._under, name)


def install() -> None:
    """Looks rows up so, in this process; twice is harmless."""
    embeddings: Any = importlib.import_module("tensorflow.python.ops.embedding_ops")
    if isinstance(embeddings.math_ops, _Over):
        return
    embeddings.compat = SimpleNamespace(forward_compatible=lambda *_: False)  # its only use asks for the direct sums
    embeddings.math_ops = _Over(embeddings.math_ops, div_no_nan=embeddings.math_ops.div)
