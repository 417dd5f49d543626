"""`py_func` with keyword arguments and nests, as contrib.framework had it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.support import nest

v1 = tf.compat.v1


def py_func(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    output_types: Any = None,
    output_shapes: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Returns the tensors that `func(*args, **kwargs)` computes from NumPy arrays at run time.

    `output_types` and `output_shapes` are nests, or functions of the arguments that return nests.

    Raises:
        TypeError: `args` is not a list or tuple, or `kwargs` is not a dict.
    """
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(args, list | tuple):
        raise TypeError(f"py_func: args is a {type(args).__name__}, not a list")
    if not isinstance(kwargs, dict):
        raise TypeError(f"py_func: kwargs is a {type(kwargs).__name__}, not a dict")
    types = output_types(*args, **kwargs) if callable(output_types) else output_types
    shapes = output_shapes(*args, **kwargs) if callable(output_shapes) else output_shapes
    given = (args, kwargs)

    def run(*arrays: Any) -> Any:
        positional, named = nest.pack_sequence_as(given, arrays)
        returned = func(*positional, **named)
        nest.assert_shallow_structure(types, returned)
        return nest.flatten(returned)

    values = v1.py_func(run, nest.flatten(given), nest.flatten(types), stateful=stateful, name=name)
    if shapes is not None:
        known = nest.flatten(nest.map_structure_up_to(types, tf.TensorShape, shapes))
        for value, shape in zip(values, known, strict=True):
            value.set_shape(shape)
    return nest.pack_sequence_as(types, values)
