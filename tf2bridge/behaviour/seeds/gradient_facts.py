"""The facts that decide how many operations the gradient of an operation takes.

fixtures/seeds_probe.py reads this file on genuine TensorFlow too, so it keeps to Python 3.6 and to names that
TensorFlow 0.12 has.
"""

from typing import Any


def facts(op: Any, gradients: Any) -> Any:
    """Returns the type of an operation, its static shapes, and what its gradients are, as plain values (for JSON)."""
    return {
        "type": op.type,
        "inputs": [sizes(tensor) for tensor in op.inputs],
        "slices": [hasattr(gradient, "dense_shape") for gradient in gradients],
        "given": [gradient is not None for gradient in gradients],
        "inside": op._get_control_flow_context() is not None,
    }


def sizes(tensor: Any) -> Any:
    """Returns the static shape as a list, None for an unknown size, or None where not even the rank is known."""
    shape = tensor.get_shape()
    return None if shape.ndims is None else shape.as_list()
