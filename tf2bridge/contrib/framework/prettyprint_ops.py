"""`print_op`: a tensor whose name, type, shape and values are printed whenever it is evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def print_op(
    input_: Any,
    data: Sequence[Any] | None = None,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_shape: bool = True,
    summarize_indicator_vector: bool = True,
    name: str | None = None,
) -> Any:
    """Returns `input_`, a Tensor, SparseTensor or TensorArray, which prints itself and `data` `first_n` times.

    Raises:
        ValueError: `input_` is none of these.
    """
    _check(input_)
    flags = print_tensor_name, print_tensor_type, print_shape, summarize_indicator_vector
    shown = [part for tensor in (input_, *(data or ())) for part in _shown(tensor, *flags)]

    def printed(passed_on: Any) -> Any:
        return v1.Print(passed_on, shown, message or "", first_n, summarize, name)

    if isinstance(input_, tf.Tensor | tf.Variable):
        return printed(input_)
    with v1.control_dependencies([printed(v1.constant([]))]):
        if isinstance(input_, tf.SparseTensor):
            parts = input_.indices, input_.values, input_.dense_shape
            return tf.SparseTensor(*(v1.identity(part) for part in parts))
        return v1.TensorArray(dtype=input_.dtype, handle=input_.handle, flow=input_.flow)


def _check(tensor: Any) -> None:
    if not isinstance(tensor, tf.Tensor | tf.Variable | tf.SparseTensor | v1.TensorArray):
        raise ValueError(f"print_op takes a Tensor, SparseTensor, TensorArray or Variable, not {type(tensor).__name__}")


def _shown(tensor: Any, with_name: bool, with_type: bool, with_shape: bool, with_first_true: bool) -> list[Any]:
    """Returns the tensors that describe `tensor`: name, type, shape and so on."""
    _check(tensor)
    parts: list[Any] = []
    is_tensor, is_sparse = isinstance(tensor, tf.Tensor), isinstance(tensor, tf.SparseTensor)
    is_array = isinstance(tensor, v1.TensorArray)
    if with_name and is_tensor:
        parts.append(v1.constant(f"Name: {tensor.name}"))
    if with_type:
        kinds = {"Tensor": is_tensor, "SparseTensor": is_sparse, "TensorArray": is_array, "Variable": True}
        kind = next(kind_name for kind_name, applies in kinds.items() if applies)
        parts.append(v1.constant(f"Type: {kind} ({tensor.dtype.name})"))
    if with_shape:
        if is_sparse:
            parts += [v1.constant("Shape:"), tensor.dense_shape]
        elif is_tensor:
            parts.append(v1.constant(f"Shape: {tensor.get_shape().dims}"))
        elif is_array:
            parts += [v1.constant("Size:"), tensor.size()]
    if with_first_true and tensor.dtype == tf.bool:
        flags = v1.cast(tensor, tf.uint8)
        parts += [v1.constant("First True in Boolean tensor at:"), v1.argmax(flags, 0)]
    if is_sparse:
        parts += [v1.constant("Sparse indices:"), tensor.indices, v1.constant("Sparse values:"), tensor.values]
    elif is_tensor or is_array:
        parts += [v1.constant("Value:"), tensor.stack() if is_array else tensor]
    return parts
