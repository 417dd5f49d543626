"""Differences for which a number is not enough: steps of this TensorFlow that an older release does not do.

A rule is a function that takes the original and returns its replacement. Operations that are made under
`counter.uncounted` do not change the virtual count.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.behaviour.seeds.datasets import functions_of
from tf2bridge.patching import Function


def _default_graph() -> Any:
    from tf2bridge.internals.framework import ops

    return ops.get_default_graph()


def skip(original: Function) -> Function:
    """0.12 uses the initial value of a variable directly; later releases copy it if it depends on other variables."""

    @functools.wraps(original)
    def uncounted(*args: Any, **kwargs: Any) -> Any:
        with counter.uncounted(_default_graph()):
            return original(*args, **kwargs)

    return uncounted


def cheaper_stack(original: Function) -> Function:
    """Up to 1.3 the stack that keeps the values of a loop for its gradient has no operation for its size."""

    @functools.wraps(original)
    def add_forward_accumulator(*args: Any, **kwargs: Any) -> Any:
        stack = original(*args, **kwargs)
        counter.of(stack.graph).correction -= 1
        return stack

    return add_forward_accumulator


def densify(original: Function) -> Function:
    """Up to 1.12 clipping made a dense tensor of `IndexedSlices`; later releases clip the values."""

    @functools.wraps(original)
    def clip(t: Any, *args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import indexed_slices, ops

        if not isinstance(t, indexed_slices.IndexedSlices):
            return original(t, *args, **kwargs)
        return original(ops.convert_to_tensor(t, name="t"), *args, **kwargs)

    return clip


def join_slices(original: Function) -> Function:
    """Up to 1.12 the sum of `IndexedSlices` and dense gradients is `IndexedSlices`; now it is dense."""

    @functools.wraps(original)
    def aggregate(grads: Sequence[Any]) -> Any:
        from tf2bridge.internals.ops import math_ops

        given = [grad for grad in grads if grad is not None]
        sparse = any(hasattr(grad, "dense_shape") for grad in given)
        return original(math_ops._as_indexed_slices_list(given) if sparse and len(grads) > 1 else grads)

    return aggregate


def plain_product(original: Function) -> Function:
    """Up to 1.12 `matmul` is the plain operation if one factor is known to be a matrix; now both must be."""
    bind = binder(original)

    @functools.wraps(original)
    def matmul(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.ops import gen_math_ops

        given = bind(args, kwargs) or {}
        ranks = {getattr(getattr(given.get(name), "shape", None), "ndims", 0) for name in "ab"}
        special = [given.get(name) for name in ("adjoint_a", "adjoint_b", "a_is_sparse", "b_is_sparse", "output_type")]
        if ranks != {None, 2} or any(special):
            return original(*args, **kwargs)
        turned = given["transpose_a"], given["transpose_b"]
        return gen_math_ops.mat_mul(given["a"], given["b"], *turned, name=given["name"])

    return matmul


def zeros_at_once(original: Function) -> Function:
    """Up to 1.4 the zeros of a branch that is not taken do not wait for a pivot."""

    @functools.wraps(original)
    def zeros_like(op: Any, index: int) -> Any:
        zeros = original(op, index)
        counter.of(op.graph).correction -= op._get_control_flow_context() is not None
        return zeros

    return zeros_like


def reach_all(flows: bool) -> Callable[[Function], Function]:
    """Up to 1.4 gradients are taken of everything that depends on a variable, also through shapes and other integers.

    With `flows`, gradients also pass the state of a TensorArray, which in 0.12 begins as a constant.
    """

    def replace(_: Function) -> Function:
        def mark(from_ops: Sequence[Any], reached: set[Any], _func_graphs: Any) -> None:
            waiting = list(from_ops)
            while waiting:
                op = waiting.pop()
                if op not in reached:
                    reached.add(op)
                    outputs = op.outputs if flows or op.type != "TensorArrayV3" else op.outputs[:1]
                    waiting += [consumer for output in outputs for consumer in output.consumers()]

        return mark

    return replace


def unmeasured(original: Function) -> Function:
    """Up to 1.12 a data set and its inputs have no operations until an iterator is made."""

    @functools.wraps(original)
    def init(*args: Any, **kwargs: Any) -> None:
        counter.of(_default_graph()).unmeasured.add("tf.data.Dataset")
        original(*args, **kwargs)

    return init


def optimize_data(original: Function) -> Function:
    """In 1.13 to 1.15 an initializable iterator adds operations to its data set for settings that are options today.

    Each of these settings (threads, optimizations, the model that tunes them) takes an operation and a constant. Static
    optimizations are left out if a function of the data set captures a variable that is not a resource.
    """

    @functools.wraps(original)
    def make_initializable_iterator(dataset: Any, *args: Any, **kwargs: Any) -> Any:
        options = dataset.options()
        threads = (options.threading.max_intra_op_parallelism, options.threading.private_threadpool_size)
        made = 2 * sum(number is not None for number in threads)
        made += 2 * (options.experimental_optimization.apply_default_optimizations is not False and not _reads(dataset))
        made += options.autotune.enabled is not False
        counter.of(_default_graph()).correction += made
        return original(dataset, *args, **kwargs)

    return make_initializable_iterator


def _reads(dataset: Any) -> bool:
    """Returns whether a function of the data set, or of its inputs, captures a variable that is not a resource."""
    captured = (value for wrapped in functions_of(dataset) for value in wrapped.function.captured_inputs)
    return any(value.dtype._is_ref_dtype for value in captured)
