"""Tensors of a beam search: [batch * beam, ...] for the cell, [batch, beam, ...] for the search."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1
nest = tf.nest

_TURN_OFF = "set reorder_tensor_arrays=False to leave TensorArrays of the state as they are"


def tile_batch(t: Any, multiplier: int, name: str | None = None) -> Any:
    """Returns the nest `t` with each row of its tensors repeated: [batch * multiplier, ...].

    Raises:
        ValueError: a tensor is a scalar, or its rank is unknown.
    """
    with v1.name_scope(name, "tile_batch", [*nest.flatten(t), multiplier]):
        return nest.map_structure(lambda tensor: _tiled(tensor, multiplier), t)


def _tiled(t: Any, multiplier: int) -> Any:
    t = tf.convert_to_tensor(t, name="t")
    shape = v1.shape(t)
    if not t.shape.ndims:
        raise ValueError(f"tile_batch needs a tensor of known rank with a batch dimension, not of shape {t.shape}")
    tiling = [1] * (t.shape.ndims + 1)
    tiling[1] = multiplier
    batch = tf.compat.dimension_value(t.shape[0])
    tiled = v1.tile(v1.expand_dims(t, 1), tiling)
    tiled = v1.reshape(tiled, v1.concat(([shape[0] * multiplier], shape[1:]), 0))
    static = tf.TensorShape([None if batch is None else batch * multiplier])
    tiled.set_shape(static.concatenate(t.shape[1:]))
    return tiled


def check_rank(t: Any) -> None:
    """Raises ValueError if the rank of the tensor is unknown."""
    if t.shape.ndims is None:
        raise ValueError(f"the rank of {t} must be known in a beam search; call set_shape")


def merged(t: Any, size: Any, batch: Any, width: int) -> Any:
    """Returns [batch * beam, *size] for `t` [batch, beam, *size]."""
    shape = v1.shape(t)
    static = tf.get_static_value(batch)
    beams = v1.reshape(t, v1.concat(([batch * width], shape[2:]), 0))
    rows = None if static is None else static * width
    beams.set_shape(tf.TensorShape([rows]).concatenate(_static(size)))
    return beams


def split(t: Any, size: Any, batch: Any, width: int) -> Any:
    """Returns [batch, beam, *size] for `t` [batch * beam, *size]. Raises ValueError if `t` has another shape."""
    shape = v1.shape(t)
    beams = v1.reshape(t, v1.concat(([batch, width], shape[1:]), 0))
    expected = tf.TensorShape([tf.get_static_value(batch), width]).concatenate(_static(size))
    if not beams.shape.is_compatible_with(expected):
        raise ValueError(
            f"a state of shape {beams.shape} was found, and {expected} = [batch, beam, depth] expected: the zero_state "
            "of the cell must be made for batch_size * beam_width sequences"
        )
    beams.set_shape(expected)
    return beams


def _static(size: Any) -> Any:
    return tf.TensorShape(tf.get_static_value(size) if tf.is_tensor(size) else size)


def reorderable(shape: Any, batch: Any, width: int) -> bool:
    """Returns True if elements of static shape `shape` can hold all beams. Otherwise warns and returns False."""
    if shape.ndims is None or shape.ndims < 1:
        logging.warn(f"a TensorArray with elements of shape {shape} in the state is not sorted; {_TURN_OFF}")
        return False
    rows, *rest = shape.as_list()
    if batch is None or rows is None:
        return True
    second = rest[0] if rest else None
    if rows != batch * width or (second is not None and (rows != batch or second != width)):
        logging.warn(f"elements of shape {shape} are not [{batch}, {width}, ...], and not sorted; {_TURN_OFF}")
        return False
    return True


def check_rows(t: Any, batch: Any, width: int) -> Any:
    """Returns an op that raises an error unless `t` is [time, batch * beam, ...] or [time, batch, beam, ...]."""
    message = f"{t.name}: elements must be [batch_size * beam_width, ...]; {_TURN_OFF}"
    rank = t.shape.ndims
    shape = v1.shape(t)
    condition = v1.equal(shape[1], batch * width)
    if rank != 2:
        separate = v1.logical_and(v1.equal(shape[1], batch), v1.equal(shape[2], width))
        condition = v1.logical_or(condition, separate)
    return v1.Assert(condition, [message])


def gathered(indices: Any, source: Any, batch: Any, span: Any, shape: list[Any], name: str | None = None) -> Any:
    """Reshapes `source` to `shape`, and returns the rows `indices` [batch, beam] of each batch entry."""
    with v1.name_scope(name, "tensor_gather_helper"):
        offsets = v1.expand_dims(v1.range(batch) * span, 1)
        flat = v1.reshape(indices + offsets, [-1])
        rows = v1.gather(v1.reshape(source, shape), flat)
        final = v1.shape(source)[: 1 + len(shape)]
        static = tf.TensorShape([tf.get_static_value(batch)]).concatenate(source.shape[1 : 1 + len(shape)])
        beams = v1.reshape(rows, final, name="output")
        beams.set_shape(static)
        return beams


def maybe_gathered(indices: Any, source: Any, batch: Any, span: Any, shape: list[Any]) -> Any:
    """Returns `gathered` of a tensor with a row for each beam. Other tensors and TensorArrays stay unchanged."""
    if isinstance(source, tf.TensorArray):
        return source
    check_rank(source)
    if source.shape.ndims < len(shape):
        return source
    return gathered(indices, source, batch, span, shape)
