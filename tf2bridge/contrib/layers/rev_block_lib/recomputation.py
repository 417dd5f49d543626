"""`recompute_grad`: a function that recomputes its activations for the gradient instead of keeping them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import arg_scope, current_arg_scope

v1 = tf.compat.v1
_BY_DEVICE = "__rev_block_lib_default"


def recompute_grad(*args: Any, **kwargs: Any) -> Any:
    """Returns the function, or a decorator: `recompute_grad(fn, use_data_dep=False, tupleize_grads=False)`.

    The function takes tensors and returns tensors. Its variables must be resource variables in its own scope. The
    second computation waits for the gradients by a control dependency, or with `use_data_dep` by a data dependency.

    Raises:
        ValueError: the function closes over a tensor or variable, or an argument is not a tensor.
    """
    if len(args) == 1 and not kwargs and callable(args[0]):
        return _recomputed(args[0])
    return lambda fn: _recomputed(fn, *args, **kwargs)


def _recomputed(fn: Any, use_data_dep: Any = _BY_DEVICE, tupleize_grads: bool = False) -> Callable[..., Any]:
    for name, value in _closed_over(fn):
        if isinstance(value, tf.Tensor | tf.Variable):
            raise ValueError(
                f"fn_with_recompute closes over the Tensor or Variable {value.name} (as {name}), which would get no "
                "gradient through it: make it an argument"
            )
    by_data = use_data_dep is True  # the default held for TPUs only

    @functools.wraps(fn)
    def wrapped(*tensors: Any) -> Any:
        if not all(isinstance(tensor, tf.Tensor) for tensor in tensors):
            raise ValueError("all inputs to a function of recompute_grad must be Tensors")
        return _call(fn, tensors, by_data, tupleize_grads)

    return wrapped


def _closed_over(fn: Any) -> list[tuple[str, Any]]:
    names = fn.__code__.co_freevars
    return [(name, cell.cell_contents) for name, cell in zip(names, fn.__closure__ or (), strict=True)]


def _call(fn: Any, tensors: Sequence[Any], by_data: bool, tupleize: bool) -> Any:
    tells = "is_recomputing" in inspect.signature(fn).parameters

    @tf.custom_gradient  # type: ignore[untyped-decorator]
    def with_recomputation(*inputs: Any) -> Any:
        scope, defaults = v1.get_variable_scope(), current_arg_scope()
        with tf.GradientTape() as tape:
            outputs = fn(*inputs, **({"is_recomputing": False} if tells else {}))
        used = list(tape.watched_variables())

        def recompute(*values: Any) -> Any:
            with arg_scope(defaults), v1.variable_scope(scope, reuse=True), tf.GradientTape() as second:
                outputs_again = fn(*values, **({"is_recomputing": True} if tells else {}))
            _check_same(used, second.watched_variables())
            return list(outputs_again) if isinstance(outputs_again, list | tuple) else [outputs_again]

        def gradient(*upstream: Any, variables: Any = None) -> Any:
            _check_same(used, variables or ())
            gradients = _gradients(recompute, inputs, list(variables or ()), upstream, by_data, tupleize)
            values, weights = gradients[: len(inputs)], gradients[len(inputs) :]
            return (values, weights) if used else values

        def gradient_of_inputs(*upstream: Any) -> Any:
            return gradient(*upstream)

        return outputs, gradient if used else gradient_of_inputs  # a function without variables may not be asked

    return with_recomputation(*tensors)


def _check_same(used: Sequence[Any], now: Sequence[Any]) -> None:
    if {id(variable) for variable in used} != {id(variable) for variable in now}:
        raise ValueError(
            "a function of recompute_grad used other variables when it was computed again: it may have been called "
            "twice in the same enclosing scope; call it in a variable scope that is given by name and used once"
        )


def _gradients(
    recompute: Callable[..., Any], tensors: Any, variables: list[Any], upstream: Any, by_data: bool, tupleize: bool
) -> list[Any]:
    inputs = [tf.identity(tensor) for tensor in tensors]
    with v1.control_dependencies([slope for slope in upstream if slope is not None]):
        if by_data:
            inputs = _depending(upstream, inputs)
        outputs = recompute(*inputs)
    gradients = v1.gradients(outputs, inputs + variables, list(upstream))
    if tupleize:
        gradients = _depending(gradients, gradients) if by_data else v1.tuple(gradients)
    return list(gradients)


def _depending(first: Sequence[Any], then: Sequence[Any]) -> list[Any]:
    """Returns the tensors `then`, which depend on the tensors `first`: a tiny multiple of `first` is added."""
    tensors = [tensor for tensor in first if tensor is not None]
    corners = [tf.slice(tensor, [0] * tensor.shape.rank, [1] * tensor.shape.rank) for tensor in tensors]
    total = tf.add_n([tf.reshape(corner, []) for corner in corners])
    if not total.dtype.is_floating:
        raise ValueError(f"use_data_dep needs floating point gradients, not {total.dtype.name}")
    tiny = tf.stop_gradient(float(np.finfo(total.dtype.as_numpy_dtype).tiny) * total)
    return [None if tensor is None else tf.identity(tensor) + tiny for tensor in then]
