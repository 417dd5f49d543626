"""Ranks of values in loops: a product of matrices shows them, and TensorFlow 2 loses them."""

from __future__ import annotations

from collections.abc import Iterator

from tf2bridge.decompile.inferred_shapes import with_inferred_shapes
from tf2bridge.decompile.ir import Function, Node, Spec, Value, all_nodes
from tf2bridge.decompile.parameter_shapes import demanded_of_factor


def with_ensured_ranks(function: Function) -> Function:
    """Returns the function, changed: in loops and branches, a factor of unknown rank is ensured to be a matrix.

    The operation MatMul takes matrices alone, so that its product is one. `tf.matmul` takes stacks of them, too: its
    product has a known rank only if its factors have. What an array gives, such as the input of a step, has none.
    """
    ensured: dict[Value, Value] = {}
    for node, place in list(_open_factors(function)):
        value = node.inputs[place]
        if value not in ensured or ensured[value].node.owner is not node.owner:
            shape = demanded_of_factor(node, place) or (None, None)
            spec = Spec(value.spec.dtype, shape)
            made = Node(value.node.name, "EnsureShape", [value], {"shape": list(shape)}, [spec], node.owner)
            ensured[value] = Value(made, 0)
        node.inputs[place] = ensured[value]
    return with_inferred_shapes(function, [value.node for value in ensured.values()])


def _open_factors(function: Function) -> Iterator[tuple[Node, int]]:
    """Yields each product of matrices in a loop or branch with the number of a factor whose rank is unknown."""
    for node in all_nodes(function):
        if node.op == "MatMul" and node.owner is not function:
            yield from ((node, place) for place, value in enumerate(node.inputs) if value.spec.shape is None)
