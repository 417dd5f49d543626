"""Functions of private modules of TensorFlow 1.x about shapes, and about types that convert to tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import tensorflow as tf

Function = TypeVar("Function", bound=Callable[..., Any])


def scalar() -> Any:
    """Returns the shape []."""
    return tf.TensorShape([])


def vector(length: Any) -> Any:
    """Returns the shape [length]."""
    return tf.TensorShape([length])


def matrix(rows: Any, cols: Any) -> Any:
    """Returns the shape [rows, cols]."""
    return tf.TensorShape([rows, cols])


def scalar_shape(unused_op: Any) -> list[Any]:
    """Returns the shapes of an op whose output is a scalar."""
    del unused_op
    return [tf.TensorShape([])]


def unchanged_shape(op: Any) -> list[Any]:
    """Returns the shapes of an op whose output is shaped like its first input."""
    return [op.inputs[0].shape]


def unchanged_shape_with_rank(rank: int) -> Callable[[Any], list[Any]]:
    """Returns the shape function of an op whose first input has this rank, and whose output has the same shape."""
    return lambda op: [op.inputs[0].shape.with_rank(rank)]


def unchanged_shape_with_rank_at_least(rank: int) -> Callable[[Any], list[Any]]:
    """Returns the shape function of an op whose first input has this rank or more, and whose output has its shape."""
    return lambda op: [op.inputs[0].shape.with_rank_at_least(rank)]


def unchanged_shape_with_rank_at_most(rank: int) -> Callable[[Any], list[Any]]:
    """Returns the shape function of an op whose first input has this rank or less, and whose output has its shape."""
    return lambda op: [op.inputs[0].shape.with_rank_at_most(rank)]


def no_outputs(unused_op: Any) -> list[Any]:
    """Returns the shapes of an op without outputs: an empty list."""
    del unused_op
    return []


def unknown_shape(op: Any) -> list[Any]:
    """Returns unknown shapes for all outputs of an op."""
    return [tf.TensorShape(None) for _ in op.outputs]


class RegisterShape:
    """The decorator of a shape function. It has no effect: since 1.0 the ops themselves infer shapes."""

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError(f"op_type must be a string, not {op_type!r}")

    def __call__(self, f: Function) -> Function:
        """Returns `f`."""
        return f


def register_dense_tensor_like_type(tensor_type: Any) -> None:
    """Does nothing: TensorFlow 2 treats every type that converts to a tensor alike.

    Raises:
        TypeError: `tensor_type` lacks the property `name` or `dtype`.
    """
    for wanted in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, wanted, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{wanted}` property")


def set_shapes_for_outputs(op: Any) -> None:
    """Does nothing: since 1.5 the shapes of an op's outputs are set when it is created.

    Raises:
        TypeError: `op` is not an operation.
    """
    if not isinstance(op, tf.Operation):
        raise TypeError(f"op must be a tf.Operation, not {op!r}")


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, list[Any]]:
    """Returns the shapes of an op's outputs as "shapes": they were inferred when it was created."""
    del require_shape_fn
    return {"shapes": [output.shape for output in op.outputs], "handle_data": [None] * len(op.outputs)}


def set_call_cpp_shape_fn(call_cpp_shape_fn: Any) -> None:
    """Does nothing: since 1.5 the shapes of an op's outputs are set when it is created."""
    del call_cpp_shape_fn
