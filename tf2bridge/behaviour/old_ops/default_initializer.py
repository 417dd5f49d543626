"""The default initializer of `get_variable`.

0.12.1 took `uniform_unit_scaling_initializer`, limits +-sqrt(3 / fan_in); 1.4.1 and later take Glorot's uniform one,
limits +-sqrt(6 / (fan_in + fan_out)) (python/ops/variable_scope.py of both).
"""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.patching import put


def _store() -> Any:
    return internals.ops.variable_scope._VariableStore


def install() -> None:
    """Gives floating point variables 0.12's default initializer, in this process."""
    original = _store()._get_default_initializer

    @functools.wraps(original)
    def default(self: Any, name: str, shape: Any = None, dtype: Any = tf.float32) -> tuple[Any, bool]:
        if tf.as_dtype(dtype).is_floating:
            return tf.compat.v1.uniform_unit_scaling_initializer(), False
        initializer: tuple[Any, bool] = original(self, name, shape=shape, dtype=dtype)
        return initializer

    put(_store(), "_get_default_initializer", default)
