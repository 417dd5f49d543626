"""Operations and tensors: `tf.Operation(node_def, graph)`, `op._inputs`, `op._traceback`, `tensor._value_index`."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.behaviour.old_state import Derived, method, renamed
from tf2bridge.patching import put


class Frame(tuple[str, int, str, str]):
    """A call, as `(filename, lineno, name, line)`; 1.15 also had these as attributes."""

    @property
    def filename(self) -> str:
        """The file of the code."""
        return self[0]

    @property
    def lineno(self) -> int:
        """The line of the call."""
        return self[1]

    @property
    def name(self) -> str:
        """The function."""
        return self[2]

    @property
    def line(self) -> str:
        """The text of the line."""
        return self[3]


def frames(op: Any) -> list[Frame]:
    """Returns the calls that made the operation, the outermost first; none for one of an imported graph."""
    return [Frame((frame.filename, frame.lineno, frame.name, _text(frame))) for frame in op.traceback or ()]


def _text(frame: Any) -> str:
    return linecache.getline(frame.filename, frame.lineno).strip()


def _get_shape(tensor: Any) -> Any:
    return tensor.get_shape()


def install() -> None:
    """Makes `tensor._shape` the static shape, and lets `tf.Operation` make an operation of a NodeDef, as they did.

    In 2.21 it is a pair of sizes and a flag, which `tensor.shape` reads (python/framework/tensor.py), so that `shape`
    has to read the pair itself.
    """
    symbolic: Any = internals.framework.ops.SymbolicTensor
    shape = property(_reader(symbolic._shape))
    put(symbolic, "shape", shape)
    put(symbolic, "_shape", shape)
    operation: Any = internals.framework.ops.Operation
    put(operation, "__new__", _of_a_node(operation.__new__))


def _of_a_node(genuine: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the `__new__` of operations, which in 2.21 takes an operation of C++ alone (python/framework/ops.py)."""
    symbolic: Any = internals.framework.ops.SymbolicTensor

    def made(cls: Any, node_def: Any = None, g: Any = None, *args: Any, **kwargs: Any) -> Any:
        if g is symbolic:  # TensorFlow itself makes one of its two arguments
            return genuine(cls, node_def, g)
        for name, value, kind in (("node_def", node_def, tf.compat.v1.NodeDef), ("g", g, tf.Graph)):
            if not isinstance(value, kind):
                raise TypeError(f"{name} needs to be a {kind.__name__}: {value}")
        return cls.from_node_def(node_def, g, *args, **kwargs)

    return made


def _reader(pair: Any) -> Callable[[Any], Any]:
    shapes: Any = internals.framework.tensor_shape

    def shape(tensor: Any) -> Any:
        if tensor._shape_val is None:
            sizes, is_unknown = pair.__get__(tensor)
            tensor._shape_val = shapes.unknown_shape() if is_unknown else shapes.TensorShape(sizes)
        return tensor._shape_val

    return shape


ROWS = {
    "tensorflow.python.framework.ops:Operation": {
        "_inputs": renamed("inputs"),
        "_outputs": renamed("outputs"),
        "_control_inputs": renamed("control_inputs"),
        "_graph": renamed("graph"),
        "_input_dtypes": renamed("_input_types"),
        "_input_types_val": renamed("_input_types"),
        "_output_types_val": renamed("_output_types"),
        "_traceback": Derived(frames),
    },
    "tensorflow.python.framework.tensor:Tensor": {
        "_value_index": renamed("value_index"),
        "_consumers": Derived(lambda tensor: tensor.consumers()),
        "_c_api_shape": method(_get_shape),
    },
}
