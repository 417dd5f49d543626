"""Private functions that tell which tensors or variables depend on others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge import internals


def get_reachable_from_inputs(inputs: Sequence[Any], targets: Iterable[Any] | None = None) -> set[Any]:
    """Returns `inputs` and the tensors that depend on them; stops when all `targets` are among them.

    tf_keras has a function of this name, which returns operations too.
    """
    reachable, wanted, queue = set(inputs), set(targets or ()), list(inputs)
    while queue and not (wanted and wanted <= reachable):
        tensor = queue.pop()
        users = tensor.consumers() if hasattr(tensor, "consumers") else [tensor.op]
        new = [output for user in users for output in user.outputs if output not in reachable]
        reachable.update(new)
        queue = [*reversed(new), *queue]
    return reachable


def get_dependent_variables(input_ops: Any, output_ops: Any) -> list[Any]:
    """Returns the variables between two structures of tensors; those of `python.ops.custom_gradient` may be nested."""
    gradients: Any = internals.ops.custom_gradient
    found: list[Any] = gradients._get_dependent_variables(tf.nest.flatten(input_ops), tf.nest.flatten(output_ops))
    return found
