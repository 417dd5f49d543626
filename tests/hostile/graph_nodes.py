"""Nodes of hostile graphs, written by hand: TensorFlow's own functions would refuse some, and compute shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
FLOAT, STRING, VARIANT, INT32, INT64 = (
    each.as_datatype_enum for each in (tf.float32, tf.string, tf.variant, tf.int32, tf.int64)
)
SCALAR = tf.TensorShape([])
OF_FLOATS = {"output_types": [FLOAT], "output_shapes": [SCALAR]}
OF_TEXTS = {"output_types": [STRING], "output_shapes": [SCALAR]}
"""Attributes of data sets."""


def node(name: str, op: str, inputs: tuple[str, ...] = (), **attributes: Any) -> Any:
    """A NodeDef; an integer is a type, other values are AttrValues' own fields by their Python types."""
    made = v1.NodeDef(name=name, op=op, input=list(inputs))
    for key, value in attributes.items():
        made.attr[key].CopyFrom(attribute(value))
    return made


def attribute(value: Any) -> Any:
    """An AttrValue. int: a type; Number: a number; bytes, bool, float, list of types or texts, NameAttrList."""
    made = v1.AttrValue()
    if isinstance(value, v1.AttrValue):
        made.CopyFrom(value)
    elif isinstance(value, Number):
        made.i = value.value
    elif isinstance(value, bool):
        made.b = value
    elif isinstance(value, int):
        made.type = value
    elif isinstance(value, bytes):
        made.s = value
    elif isinstance(value, float):
        made.f = value
    elif isinstance(value, v1.NameAttrList):
        made.func.CopyFrom(value)
    elif isinstance(value, tf.TensorShape):
        made.shape.CopyFrom(value.as_proto())
    else:
        _fill(made.list, value)
    return made


def _fill(actual: Any, values: Any) -> None:
    actual.SetInParent()
    for value in values:
        if isinstance(value, bytes):
            actual.s.append(value)
        elif isinstance(value, v1.NameAttrList):
            actual.func.add().CopyFrom(value)
        elif isinstance(value, tf.TensorShape):
            actual.shape.append(value.as_proto())
        else:
            actual.type.append(value)


@dataclass(frozen=True)
class Number:
    """An attribute that is a number, and no type."""

    value: int


def const(name: str, value: Any, dtype: Any = None) -> Any:
    """A constant."""
    tensor = tf.make_tensor_proto(value, dtype)
    made = v1.NodeDef(name=name, op="Const")
    made.attr["dtype"].type = tensor.dtype
    made.attr["value"].tensor.CopyFrom(tensor)
    return made


@dataclass
class Nodes:
    """Nodes that begin with a name, in which they call each other by what follows it."""

    name: str
    made: list[Any] = field(default_factory=list)

    def const(self, name: str, value: Any, dtype: Any = None) -> Nodes:
        """Adds a constant."""
        self.made.append(const(f"{self.name}_{name}", value, dtype))
        return self

    def node(self, name: str, op: str, *inputs: str, **attributes: Any) -> Nodes:
        """Adds an operation."""
        self.made.append(
            node(f"{self.name}_{name}", op, tuple(f"{self.name}_{input_}" for input_ in inputs), **attributes)
        )
        return self

    def waiting(self) -> list[Any]:
        """The nodes, and a float that waits for the last of them."""
        value = const(self.name, 1.0)
        value.input.append(f"^{self.made[-1].name}")
        return [*self.made, value]

    def of_text(self) -> list[Any]:
        """The nodes, and the float that their last one's text says."""
        return [*self.made, node(self.name, "StringToNumber", (self.made[-1].name,), out_type=FLOAT)]

    def passed_on(self) -> list[Any]:
        """The nodes, and the float that the last of them gives."""
        return [*self.made, node(self.name, "Identity", (self.made[-1].name,), T=FLOAT)]
