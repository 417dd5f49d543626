"""Operations of the first type of their kind, where TensorFlow 2 makes a later one that computes the same.

Programs walk over graphs and ask for types, and graphs are written for runtimes of their time. The functions of genuine
releases (their math_ops.py, nn_impl.py and array_ops.py) make BatchMatMul up to 1.13, FusedBatchNorm up to 1.14, or
FusedBatchNormV2 for float16 and bfloat16, and Gather up to 1.7 unless an axis is given. Kernels and gradients of both
types give the same numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour import in_force
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import rebind

_HALVES = ("float16", "bfloat16")
Builder = Callable[..., Any]


def install() -> None:
    """Makes the functions build the first types in graphs, in this process."""
    products: Any = internals.ops.gen_math_ops
    networks: Any = internals.ops.gen_nn_ops
    arrays: Any = internals.ops.gen_array_ops
    multiply, normalize, gather = products.batch_mat_mul_v2, networks.fused_batch_norm_v3, arrays.gather_v2
    replaced = {
        multiply: _older(multiply, _product, (1, 14)),
        normalize: _older(normalize, _normalized, (1, 15)),
        gather: _older(gather, functools.partial(_gathered, gather), (1, 8)),
    }
    rebind({id(original): (original, older) for original, older in replaced.items()})


def _older(original: Builder, first: Builder, later: tuple[int, int]) -> Builder:
    executing_eagerly = tensorflow().executing_eagerly

    @functools.wraps(original)
    def build(*args: Any, **kwargs: Any) -> Any:
        return (original if not in_force.before(*later) or executing_eagerly() else first)(*args, **kwargs)

    return build


def _product(x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: Any = None, **later: Any) -> Any:
    return tensorflow().raw_ops.BatchMatMul(x=x, y=y, adj_x=adj_x, adj_y=adj_y, name=name, **later)


def _normalized(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, **options: Any) -> Any:
    raw_ops = tensorflow().raw_ops
    first = raw_ops.FusedBatchNormV2 if x.dtype.base_dtype.name in _HALVES else raw_ops.FusedBatchNorm
    outputs = first(x=x, scale=scale, offset=offset, mean=mean, variance=variance, **options)
    return (*outputs, None)  # the sixth output of the third type is for gradients on GPUs


def _gathered(original: Builder, params: Any, indices: Any, axis: Any, batch_dims: int = 0, name: Any = None) -> Any:
    if batch_dims or not isinstance(axis, int) or axis != 0:
        return original(params, indices, axis, batch_dims=batch_dims, name=name)
    return tensorflow().raw_ops.Gather(params=params, indices=indices, name=name)
