"""Slot variables of optimizers as in TensorFlow 0.x: new ones, even in a variable scope with `reuse`.

0.x created a slot by `tf.Variable`, 1.0 and later by `tf.get_variable` (python/training/slot_creator.py of both). So
with 1.0 and later, a program that calls `reuse_variables()` on the outermost scope, as multi-tower programs do, fails
in `apply_gradients`: "Variable w/Momentum/ does not exist, or was not created with tf.get_variable()".
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Makes slots ignore the `reuse` of their variable scope, in this process."""
    slots: Any = internals.training.slot_creator
    scopes = internals.ops.variable_scope
    original = slots._create_slot_var

    @functools.wraps(original)
    def create(*args: Any, **kwargs: Any) -> Any:
        scope = scopes.get_variable_scope()
        reuse, scope._reuse = scope._reuse, False
        try:
            return original(*args, **kwargs)
        finally:
            scope._reuse = reuse

    put(slots, "_create_slot_var", create)
