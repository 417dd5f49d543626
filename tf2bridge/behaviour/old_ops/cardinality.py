"""The cardinality of a data set after `map`, which 1.13 to 1.15 return and TensorFlow 2 does not.

`Dataset.map` of 1.x may end a data set early, because an OutOfRangeError of its function is the end. It passes
`preserve_cardinality=False` to the kernel. TensorFlow 2 then returns -2 (unknown); 1.15 returns the cardinality of the
input. So this module counts a copy in which the attribute is true. The elements of the data set do not change.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import rebind

_ATTRIBUTE = "preserve_cardinality"
_UNKNOWN = -2


def install() -> None:
    """Installs the old `tf.data.experimental.cardinality` in this process."""
    original = internals.data.cardinality.cardinality
    rebind({id(original): (original, _counting(original))})


def _counting(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(original)
    def cardinality(dataset: Any) -> Any:
        tf = tensorflow()
        variant = dataset._variant_tensor
        if hasattr(variant, "graph"):
            with counter.uncounted(variant.graph):
                counted = _counted(variant, {})
            return tf.raw_ops.DatasetCardinality(input_dataset=counted)
        number = original(dataset)
        if int(number) != _UNKNOWN:
            return number
        try:
            return tf.raw_ops.DatasetCardinality(input_dataset=_counted_eagerly(dataset))
        except tf.errors.OpError:  # the data set cannot be serialized
            return number

    return cardinality


def _counted(variant: Any, copies: dict[Any, Any]) -> Any:
    """Returns the variant tensor of a copy of a data set whose maps keep the number of elements."""
    operation = variant.op
    if operation not in copies:
        copies[operation] = _copied(operation, copies)
    return copies[operation].outputs[variant.value_index]


def _copied(operation: Any, copies: dict[Any, Any]) -> Any:
    """Returns a copy of the operation, or the operation itself if no map up to it loses the cardinality."""
    variant = tensorflow().variant
    inputs = [_counted(tensor, copies) if tensor.dtype == variant else tensor for tensor in operation.inputs]
    attributes = {name: value for name, value in operation.node_def.attr.items() if name != "_class"}
    loses = _ATTRIBUTE in attributes and not attributes[_ATTRIBUTE].b
    if not loses and all(new is old for new, old in zip(inputs, operation.inputs, strict=True)):
        return operation
    if loses:
        kept: Any = type(attributes[_ATTRIBUTE])()
        kept.b = True
        attributes[_ATTRIBUTE] = kept
    types = [tensor.dtype for tensor in operation.outputs]
    with operation.graph.as_default(), tensorflow().device(operation.device):
        return operation.graph.create_op(
            operation.type, inputs, types, name="cardinality/counted", attrs=attributes, op_def=operation.op_def
        )


def _counted_eagerly(dataset: Any) -> Any:
    """Returns the variant tensor of such a copy of an eager data set, made from its serialized form."""
    tf = tensorflow()
    ignore = internals.data.options.ExternalStatePolicy.IGNORE
    text = dataset._as_serialized_graph(external_state_policy=ignore)
    graph = tf.compat.v1.GraphDef.FromString(text.numpy())
    for node in graph.node:
        if _ATTRIBUTE in node.attr:
            node.attr[_ATTRIBUTE].b = True
    return tf.raw_ops.DatasetFromGraph(graph_def=graph.SerializeToString())
