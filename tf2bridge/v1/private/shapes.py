"""What private modules of TensorFlow 1.x said of shapes, and of types that stand for tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import tensorflow as tf

Function = TypeVar("Function", bound=Callable[..., Any])


def vector(length: Any) -> Any:
    """Returns the shape [length]."""
    return tf.TensorShape([length])


def matrix(rows: Any, cols: Any) -> Any:
    """Returns the shape [rows, cols]."""
    return tf.TensorShape([rows, cols])


class RegisterShape:
    """The decorator of a shape function; since 1.0 shapes are inferred by the ops themselves, and it says nothing."""

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError(f"op_type must be a string, not {op_type!r}")

    def __call__(self, f: Function) -> Function:
        """Returns `f`."""
        return f


def register_dense_tensor_like_type(tensor_type: Any) -> None:
    """Takes note of nothing: what converts to a tensor is a tensor in TensorFlow 2.

    Raises TypeError unless `tensor_type` has the properties `name` and `dtype`.
    """
    for wanted in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, wanted, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{wanted}` property")


def set_shapes_for_outputs(op: Any) -> None:
    """Does nothing: since 1.5 the shapes of an op's outputs are set when it is made.

    Raises TypeError unless `op` is an operation.
    """
    if not isinstance(op, tf.Operation):
        raise TypeError(f"op must be a tf.Operation, not {op!r}")


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, list[Any]]:
    """Returns the shapes of an op's outputs as "shapes": they were inferred when the op was made."""
    del require_shape_fn
    return {"shapes": [output.shape for output in op.outputs], "handle_data": [None] * len(op.outputs)}


def set_call_cpp_shape_fn(call_cpp_shape_fn: Any) -> None:
    """Does nothing: since 1.5 the shapes of an op's outputs are set when it is made."""
    del call_cpp_shape_fn
