"""`tf.batch_gather` refuses ragged values whose rows do not fit as 1.15 refused them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put


def install() -> None:
    """Makes the function check its values, in this process."""
    module: Any = internals.ops.ragged_gather_ops
    put(module, "gather", _checked(module.gather))


def _checked(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def gather(params: Any, indices: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("batch_dims") != -1:  # tf.gather finds the original; batch_gather calls this one
            return original(params, indices, *args, **kwargs)
        ragged: Any = internals.ops.ragged_tensor
        with tensorflow().name_scope(kwargs.get("name") or "RaggedBatchGather"):
            convert = ragged.convert_to_tensor_or_ragged_tensor
            params, indices = convert(params, name="params"), convert(indices, name="indices")
        with tensorflow().control_dependencies(_checks(ragged.is_ragged, params, indices)):
            return original(params, indices, *args, **kwargs)

    return gather


def _checks(is_ragged: Callable[[Any], bool], params: Any, indices: Any) -> list[Any]:
    """Returns operations that compare the rows. Raises ValueError where shapes are known and do not fit."""
    checks: list[Any] = []
    while True:
        rank = indices.shape.rank
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if not is_ragged(indices):
            if rank > 2:
                raise ValueError(_UNLIKE)
            return checks
        if not is_ragged(params) and (rank > 2 or (params.shape.rank is not None and params.shape.rank < 2)):
            raise ValueError(_UNLIKE)
        if rank == 2:
            rows, wanted = params.shape[:1], indices.shape[:1]
            if not rows.is_compatible_with(wanted):
                raise ValueError(f"Dimensions {rows.as_list()[0]} and {wanted.as_list()[0]} are not compatible")
            return checks
        checks.append(tensorflow().compat.v1.assert_equal(params.row_splits, indices.row_splits))
        params, indices = params.values, indices.values


_UNLIKE = "batch shape from indices does not match params shape"
