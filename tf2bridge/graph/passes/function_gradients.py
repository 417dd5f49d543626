"""Functions that have a gradient of their own, `Defun(grad_func=...)`: TensorFlow 2 would differentiate their bodies.

The runtime of TensorFlow 2 is not told of a library's gradients. So what asks for one calls it; and a call of such a
function says, in attributes, which gradient a tape is to take.
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
    """Lets nodes, and functions of a library, use the library's gradients, in place; returns whether there are any.

    Raises UnsupportedOpsError where the gradient is asked of a function that only calls one with its own.
    """
    gradients = {each.function_name: each.gradient_func for each in library.gradient}
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
        asked = node.attr["f"].func.name if node.op == _ASKING else ""
        if asked in outer:
            wrong.append(f"{node.name} ({node.op}) is the gradient of {asked}, which calls one with its own gradient")
        elif asked in gradients:
            node.op = "StatefulPartitionedCall"
            node.attr["f"].func.name = gradients[asked]
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
