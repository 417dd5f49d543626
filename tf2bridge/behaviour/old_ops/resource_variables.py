"""Resource variables as variables of TF 1.x: `isinstance(v, tf.Variable)`, `v.initialized_value()`.

In 1.15 `ResourceVariable` was a kind of `VariableV1`, which is `tf.Variable`; in 2.21 it is a sibling of that class,
and the method is empty (python/ops/resource_variable_ops.py of both). Variables of Keras layers are resource variables.
"""

from __future__ import annotations

import importlib
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Gives resource variables both in this process."""
    resource: Any = internals.ops.resource_variable_ops.BaseResourceVariable
    first: Any = internals.ops.variable_v1.VariableV1
    first.register(resource)
    put(resource, "initialized_value", initialized_value)


def initialized_value(self: Any) -> Any:
    """Returns the value of the variable, or its initial value before it is initialized.

    Initializers of other variables use it.
    """
    v1: Any = importlib.import_module("tensorflow").compat.v1
    with v1.init_scope():
        return v1.cond(v1.is_variable_initialized(self), self.read_value, lambda: self.initial_value)
