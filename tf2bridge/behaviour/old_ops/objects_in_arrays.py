"""Tensors and resource variables of graphs as objects in NumPy's arrays: `np.array([x, y])`, `np.sum([x, y])`.

In 1.x NumPy made arrays of objects of them, so that `np.sum(losses)` is a tensor (measured with 1.4.1, 1.12.3 and
1.15.5). `__array__` of 2.21 raises an error for tensors of graphs, and NumPy 2 passes the error on. `__array__` of
resource variables reads the value, which a graph does not have.

1.15 refused an array of one tensor alone, `np.array(x)`; releases before made an array of an object, as here.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Lets NumPy hold tensors and variables of graphs, in this process."""
    tensor: Any = importlib.import_module("tensorflow").Tensor
    for holder in (tensor, internals.ops.resource_variable_ops.BaseResourceVariable):
        put(holder, "__array__", _object_in_graphs(holder.__array__))


def _object_in_graphs(original: Any) -> Any:
    @functools.wraps(original)
    def array(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if importlib.import_module("tensorflow").executing_eagerly():
            return original(self, *arguments, **keywords)
        array_of_one = np.empty(1, object)
        array_of_one[0] = self
        return array_of_one.reshape(())

    return array
