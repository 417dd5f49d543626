"""`Dataset.from_generator(generator, tf.int64)` converts the yielded values as 1.x did.

1.x makes a NumPy array of the given type of each component: 1.7 becomes 1, None becomes nan, "12" becomes 12. So
does TensorFlow 2 if shapes are given or there are several components. For one component without a shape, 2.21 takes
the path for composite tensors, which refuses all these: the test `if output_types and output_shapes` fails, as an
unknown shape counts as false.
"""

from __future__ import annotations

from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Makes unknown shapes count as true in that test, in this process."""
    module: Any = internals.data.from_generator_op
    put(module, "nest", _Nest(module.nest))


class _Nest:
    """The functions of `nest` that the module calls; the packed shape of a lone component counts as true."""

    def __init__(self, nest: Any) -> None:
        self._nest = nest
        shape: Any = internals.framework.tensor_shape.TensorShape
        self._shape = shape
        self._true_shape = type("TensorShape", (shape,), {"__bool__": lambda _: True})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._nest, name)

    def pack_sequence_as(self, structure: Any, flat_sequence: Any) -> Any:
        packed = self._nest.pack_sequence_as(structure, flat_sequence)
        return self._true_shape(packed) if isinstance(packed, self._shape) else packed
