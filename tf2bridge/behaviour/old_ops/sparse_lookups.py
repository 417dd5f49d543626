"""`tf.nn.embedding_lookup_sparse` as TF 1.x built it: rows looked up once each, then summed by segment.

TensorFlow 2 sums rows of the table directly where there are no weights (python/ops/embedding_ops.py of 2.21), so the
graph and its gradient had other operations, and takes 0 for a mean whose weights sum to 0, which was NaN in 1.x. Rows
of float16 were summed in float32 from 1.11 on, and the sums stayed float32; up to 1.10 all was float16.
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
    """Looks rows up so, in this process."""
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
