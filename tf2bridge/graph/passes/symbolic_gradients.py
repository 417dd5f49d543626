"""`SymbolicGradient`, by which TF 1.x asked for the gradient of a function, as the gradient of what it computes.

The runtime knows fewer gradients than Python does, and nothing else knows the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.passes.expansions import Expansion
from tf2bridge.graph.passes.inline_calls import GRADIENT_OF
from tf2bridge.graph.passes.prune import placeholder
from tf2bridge.graph.refusals import UnsupportedOpsError
from tf2bridge.internals.protos import graph_pb2

Prepare = Callable[..., Any]
"""`tf2bridge.graph.prepare.prepared`."""


def symbolic_gradients(nodes: Nodes, versions: Any, library: Any, prepare: Prepare) -> dict[str, Expansion]:
    """Returns what computes the gradients that nodes ask for of functions of `library`: operation -> function."""
    if not any(node.op == GRADIENT_OF for node in nodes.values()):
        return {}
    functions = functions_of(library)

    def gradient(attributes: Mapping[str, Any], *inputs: tf.Tensor) -> list[tf.Tensor]:
        """The gradients of a function's inputs; the inputs, and the gradients of its outputs, are given."""
        function = attributes["f"]
        count = len(functions[function.name].signature.input_arg)
        given, behind = inputs[:count], inputs[count:]
        call = _calling(function, [each.dtype.as_datatype_enum for each in given], versions, library)
        ends = [f"{function.name}/called:{port}" for port in range(len(behind))]
        part = prepare(call, {}, ends)
        known = {f"given_{place}": each for place, each in enumerate(given)}
        for place in [place for place, node in enumerate(part.graph_def.node) if node.name in known][::-1]:
            del part.graph_def.node[place]  # what is not fed would be imported too
        results = tf.graph_util.import_graph_def(part.graph_def, known, list(part.fetches), name="")
        try:
            found = tf.gradients(results, list(given), list(behind))
        except LookupError as error:
            raise UnsupportedOpsError([f"the gradient of {function.name} (SymbolicGradient): {error}"]) from error
        return [
            tf.zeros_like(value) if each is None else tf.convert_to_tensor(each)
            for each, value in zip(found, given, strict=True)
        ]

    return {GRADIENT_OF: gradient}


def _calling(function: Any, types: list[int], versions: Any, library: Any) -> Any:
    """A graph in which the node "FUNCTION/called" calls a function with placeholders "given_0", "given_1"."""
    made = graph_pb2.GraphDef(versions=versions, library=library)
    shape = tf.TensorShape(None).as_proto()
    made.node.extend(placeholder(f"given_{place}", dtype, shape) for place, dtype in enumerate(types))
    call = made.node.add(name=f"{function.name}/called", op=function.name, input=[each.name for each in made.node])
    for name, value in function.attr.items():
        call.attr[name].CopyFrom(value)
    return made
