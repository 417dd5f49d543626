"""`tf.Tensor.OVERLOADABLE_OPERATORS` of releases before 1.15, which has no `==` and `!=`.

Libraries give their own classes all operators on this list. Before 1.15 objects of such a class stay equal to
themselves alone (genuine 1.4.1 and 1.12.3 lack both names, 1.15.5 has them).
"""

from __future__ import annotations

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put

_LATER = {"__eq__", "__ne__"}


def install() -> None:
    """Takes the later operators off the list, in this process. TensorFlow reads it only while it is imported."""
    tensor = tensorflow().Tensor
    put(tensor, "OVERLOADABLE_OPERATORS", tensor.OVERLOADABLE_OPERATORS - _LATER)
