"""`tf.nn.embedding_lookup_sparse` as in TF 1.x: each row is looked up once, then rows are summed by segment.

Without weights TensorFlow 2 sums rows of the table directly (python/ops/embedding_ops.py of 2.21), so the graph and its
gradient have other operations. A mean whose weights sum to 0 is 0 in TensorFlow 2 and NaN in 1.x. Since 1.11 rows of
float16 are summed in float32, and the sums stay float32; up to 1.10 the sums are float16.
"""

from __future__ import annotations

import functools
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_sums_rows: ContextVar[bool] = ContextVar("_sums_rows", default=False)
"""True while a sparse lookup runs, whose rows are summed."""


class _Over:
    """A module with some names laid over it."""

    def __init__(self, under: Any, **names: Any) -> None:
        self.__dict__.update(names)
        self._under = under

    def __getattr__(self, name: str) -> Any:
        return getattr(self._under, name)


def install() -> None:
    """Makes sparse lookups work as in 1.x, in this process."""
    embeddings: Any = internals.ops.embedding_ops
    put(embeddings, "compat", SimpleNamespace(forward_compatible=lambda *_: False))  # it asks for the direct sums alone
    put(embeddings, "math_ops", _Over(embeddings.math_ops, div_no_nan=embeddings.math_ops.div))
    put(embeddings, "embedding_lookup", _widened(embeddings.embedding_lookup, embeddings.math_ops.cast))
    put(embeddings, "embedding_lookup_sparse_impl", _summing(embeddings.embedding_lookup_sparse_impl))


def _summing(original: Any) -> Any:
    return during(original, _sums_rows, lambda *_, **__: True)


def _widened(original: Any, cast: Any) -> Any:
    from tf2bridge.behaviour import in_force

    @functools.wraps(original)
    def lookup(*args: Any, **kwargs: Any) -> Any:
        rows = original(*args, **kwargs)
        narrow = rows.dtype.name in ("float16", "bfloat16") and not in_force.before(1, 11)
        return cast(rows, "float32") if narrow and _sums_rows.get() else rows

    return lookup
