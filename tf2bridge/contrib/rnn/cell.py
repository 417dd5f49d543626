"""Parts of the cells of `contrib.rnn`: the base classes of tf_keras, and small functions of their equations."""

from __future__ import annotations

import inspect
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import supplier

v1 = tf.compat.v1
_legacy = supplier("tf_keras.src.layers.rnn.legacy_cells")

RNNCell: Any = _legacy.RNNCell
LayerRNNCell: Any = _legacy.LayerRNNCell
LSTMStateTuple = _legacy.LSTMStateTuple
InputSpec = supplier("tf_keras.src.engine.input_spec").InputSpec


class Sized:
    """A cell whose sizes are `_state_size` and `_output_size`.

    TensorFlow converts the Python code of every layer that is not its own, for the sake of `if` with tensors; ours
    needs none of it, which takes time. Classes with `holds_cells` are converted: a cell of the program may be within.
    """

    _state_size: Any
    _output_size: Any
    holds_cells = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        call = cls.__dict__.get("call")
        if call is not None and cls.__module__.startswith("tf2bridge.") and not cls.holds_cells:
            unconverted = tf.autograph.experimental.do_not_convert(call)
            unconverted.__signature__ = inspect.signature(call)  # Keras gives **kwargs what a cell may not take
            setattr(cls, "call", unconverted)  # noqa: B010  # no attribute of Sized

    @property
    def state_size(self) -> Any:
        return self._state_size

    @property
    def output_size(self) -> Any:
        return self._output_size


class Cell(Sized, RNNCell):  # type: ignore[misc]  # tf_keras is untyped
    """A cell that makes its variables in `call`, by `get_variable`."""


class LayerCell(Sized, LayerRNNCell):  # type: ignore[misc]  # tf_keras is untyped
    """A cell that makes its variables in `build`, as a layer does."""


NOT_A_CELL = "is not an RNNCell"
"""The text that tests look for in the error."""


def check_cell(name: str, cell: Any) -> None:
    """Raises TypeError if an object lacks the attributes of a cell."""
    lacks = _lacking(cell)
    if lacks:
        raise TypeError(f"the argument {name} ({cell!r}) {NOT_A_CELL}: it lacks {', '.join(lacks)}")


def like_rnncell(cell: Any) -> bool:
    """Returns True if an object has the attributes of a cell, as `_like_rnncell` of rnn_cell_impl up to 1.4."""
    return not _lacking(cell)


def _lacking(cell: Any) -> list[str]:
    lacks = [part for part in ("output_size", "state_size") if not hasattr(cell, part)]
    if not (hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state")):
        lacks.append("zero_state or get_initial_state")
    return lacks if callable(cell) else [*lacks, "__call__"]


def input_size(inputs: Any) -> int:
    """Returns the size of `inputs`, [batch, size]. Raises ValueError if it is unknown."""
    size = inputs.get_shape().with_rank(2).dims[1].value
    if size is None:
        raise ValueError(f"Could not infer input size from inputs.get_shape()[-1]: {inputs.get_shape()}")
    return int(size)


def known_size(shape: Any) -> int:
    """Returns the size of inputs with this shape, [batch, size]. Raises ValueError if it is unknown."""
    size = tf.compat.dimension_value(tf.TensorShape(shape)[1])
    if size is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
    return int(size)


def batch_size(inputs: Any) -> Any:
    """Returns the number of examples in `inputs`: an int if it is static, else a tensor."""
    return tf.compat.dimension_value(inputs.shape[0]) or v1.shape(inputs)[0]


def clipped(tensor: Any, limit: float | None) -> Any:
    """Returns `tensor` within [-limit, limit]; with None as it is."""
    return tensor if limit is None else v1.clip_by_value(tensor, -limit, limit)


def zeros_of(cell: Any, wrapped: Any, size: Any, dtype: Any) -> Any:
    """Returns the zero state of the wrapped cell, under the wrapper's name."""
    with v1.name_scope(f"{type(cell).__name__}ZeroState", values=[size]):
        return wrapped.zero_state(size, dtype)
