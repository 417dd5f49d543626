"""Replaces `SymbolicGradient`, by which TF 1.x asks for the gradient of a function, by the gradient's operations.

The runtime has fewer gradients than Python, and other compilers do not know the operation.
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
    """Returns expansions that compute the gradients of functions: type of the operation -> function.

    Args:
        nodes: the nodes that may ask for gradients.
        versions: the VersionDef of the graph.
        library: the functions of the graph.
        prepare: `tf2bridge.graph.prepare.prepared`.
    """
    if not any(node.op == GRADIENT_OF for node in nodes.values()):
        return {}
    functions = functions_of(library)

    def gradient(attributes: Mapping[str, Any], *inputs: tf.Tensor) -> list[tf.Tensor]:
        """Returns the gradients of a function's inputs. `inputs` are those inputs and the gradients of the outputs."""
        function = attributes["f"]
        count = len(functions[function.name].signature.input_arg)
        tensors, output_gradients = inputs[:count], inputs[count:]
        call = _calling(function, [tensor.dtype.as_datatype_enum for tensor in tensors], versions, library)
        ends = [f"{function.name}/called:{port}" for port in range(len(output_gradients))]
        part = prepare(call, {}, ends)
        known = {f"given_{place}": tensor for place, tensor in enumerate(tensors)}
        for place in [place for place, node in enumerate(part.graph_def.node) if node.name in known][::-1]:
            del part.graph_def.node[place]  # a placeholder that `known` replaces must not be imported, too
        results = tf.graph_util.import_graph_def(part.graph_def, known, list(part.fetches), name="")
        try:
            gradients = tf.gradients(results, list(tensors), list(output_gradients))
        except LookupError as error:
            raise UnsupportedOpsError([f"the gradient of {function.name} (SymbolicGradient): {error}"]) from error
        return [
            tf.zeros_like(value) if gradient is None else tf.convert_to_tensor(gradient)
            for gradient, value in zip(gradients, tensors, strict=True)
        ]

    return {GRADIENT_OF: gradient}


def _calling(function: Any, types: list[int], versions: Any, library: Any) -> Any:
    """Returns a graph whose node "FUNCTION/called" calls a function with placeholders "given_0", "given_1"."""
    made = graph_pb2.GraphDef(versions=versions, library=library)
    shape = tf.TensorShape(None).as_proto()
    made.node.extend(placeholder(f"given_{place}", dtype, shape) for place, dtype in enumerate(types))
    call = made.node.add(name=f"{function.name}/called", op=function.name, input=[node.name for node in made.node])
    for name, value in function.attr.items():
        call.attr[name].CopyFrom(value)
    return made
