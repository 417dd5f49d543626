"""Functions without outputs in graphs: calling one returns the operation of the call, as in 1.13 to 1.15.

`session.run(train_step())` runs it. In 2.21 the call returns None
(tensorflow/python/eager/function.py of 1.15.5, eager/polymorphic_function/concrete_function.py of 2.21).
"""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.patching import put

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


def install() -> None:
    """Makes concrete functions without outputs return the operation of the call, in this process."""
    concrete: Any = internals.eager.concrete_function.ConcreteFunction
    original = concrete._call_flat

    @functools.wraps(original)
    def called(self: Any, *arguments: Any, **keywords: Any) -> Any:
        result = original(self, *arguments, **keywords)
        is_call = result is None and not self.outputs and not tf.inside_function()
        return call_operation() if is_call and not tf.executing_eagerly() else result

    put(concrete, "_call_flat", called)


def call_operation() -> Any:
    """Returns the last operation in the default graph that calls a function."""
    operations = reversed(tf.compat.v1.get_default_graph().get_operations())
    return next((operation for operation in operations if operation.type in _CALLS), None)
