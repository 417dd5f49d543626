"""Collects the regularization loss of a variable as TF 1.x did: as one tensor, computed once.

TensorFlow 2's `_VariableStore._get_single_variable` calls a regularizer once only to see whether it returns None, and
collects an object that computes the loss anew wherever it is used (python/ops/variable_scope.py of 2.21 and 1.15). So a
program that counts calls, compares the collected losses or reads the names of their ops would see a difference.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put


def install() -> None:
    """Makes `tf.get_variable` collect plain tensors in graphs, in this process."""
    scopes: Any = internals.ops.variable_scope
    store = scopes._VariableStore
    put(store, "_get_single_variable", _collecting_tensors(store._get_single_variable, scopes))


def _collecting_tensors(original: Any, scopes: Any) -> Any:
    """Returns the method with a regularizer that runs once.

    The regularizer is always a keyword, because only TensorFlow's own code calls this private method.
    """

    @functools.wraps(original)
    def get_variable(*args: Any, **kwargs: Any) -> Any:
        regularizer = kwargs.get("regularizer")
        if not regularizer or not _in_plain_graph(scopes):  # programs pass {} for none
            return original(*args, **kwargs)
        once = kwargs["regularizer"] = _Once(regularizer)
        lazy, scopes._LazyEvalTensor = scopes._LazyEvalTensor, _now
        try:
            return original(*args, **kwargs)
        finally:
            scopes._LazyEvalTensor = lazy
            once.drop_nothing(scopes)

    return get_variable


class _Once:
    """A regularizer that runs only when its loss is read."""

    def __init__(self, regularizer: Callable[[Any], Any]) -> None:
        self._regularizer = regularizer
        self._asked = False
        self._gave_none = False

    def __call__(self, variable: Any) -> Any:
        if not self._asked:
            self._asked = True
            return variable  # something that is not None
        loss = self._regularizer(variable)
        self._gave_none = loss is None
        return loss

    def drop_nothing(self, scopes: Any) -> None:
        """Removes None, which a regularizer may return instead of a loss, from the collection."""
        if self._gave_none:
            collected = scopes.ops.get_collection_ref(scopes.ops.GraphKeys.REGULARIZATION_LOSSES)
            collected[:] = [loss for loss in collected if loss is not None]


def _now(thunk: Callable[[], Any]) -> Any:
    ops = internals.framework.ops
    with ops.init_scope():  # as 1.15 did: outside of conditions and loops
        return thunk()


def _in_plain_graph(scopes: Any) -> bool:
    if scopes.context.executing_eagerly():
        return False
    return not scopes.ops.get_default_graph().building_function
