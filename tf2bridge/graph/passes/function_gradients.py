"""Uses the gradients that functions define, `Defun(grad_func=...)`; TensorFlow 2 would differentiate their bodies.

The runtime of TensorFlow 2 ignores the gradients of a function library. So a node that asks for such a gradient becomes
a call of the gradient function, and a call of such a function gets attributes that name the gradient for a tape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tf2bridge.formats.graphs.called import all_called, functions_of
from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.passes.numbered_gradients import CHOSEN
from tf2bridge.graph.passes.strip import GRADIENT_FUNCTION
from tf2bridge.graph.refusals import UnsupportedOpsError

GRADIENT = "tf2bridge_gradient_of_a_function"
"""The name under which `tf2bridge.graph.gradient_registration` registers the gradient of a call."""
_ASKING = "SymbolicGradient"


def with_function_gradients(nodes: Nodes, library: Any) -> bool:
    """Makes nodes and functions use the gradients of the library, in place.

    Returns:
        Whether the library has gradients.

    Raises:
        UnsupportedOpsError: a node asks for the gradient of a function that calls a function with its own gradient.
    """
    gradients = {gradient.function_name: gradient.gradient_func for gradient in library.gradient}
    if not gradients:
        return False
    functions = functions_of(library)
    outer = {
        name
        for name, function in functions.items()
        if name not in gradients and gradients.keys() & all_called(function.node_def, functions)
    }
    wrong = []
    for node in _all(nodes.values(), library):
        target = node.attr["f"].func.name if node.op == _ASKING else ""
        if target in outer:
            wrong.append(f"{node.name} ({node.op}) is the gradient of {target}, which calls one with its own gradient")
        elif target in gradients:
            node.op = "StatefulPartitionedCall"
            node.attr["f"].func.name = gradients[target]
        elif node.op in gradients or node.op in outer:
            node.attr[CHOSEN].s = GRADIENT.encode()
            node.attr[GRADIENT_FUNCTION].s = gradients.get(node.op, "").encode()
    if wrong:
        raise UnsupportedOpsError(wrong)
    return True


def _all(nodes: Iterable[Any], library: Any) -> Iterator[Any]:
    yield from nodes
    for function in library.function:
        yield from function.node_def
