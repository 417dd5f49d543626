"""`RegAdagradOptimizer`: Adagrad that can leave its accumulators as they are."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class RegAdagradOptimizer(v1.train.AdagradOptimizer):  # type: ignore[name-defined,misc]
    """`tf.train.AdagradOptimizer` that does not update its accumulators inside `avoid_updating_slots`."""

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "RegAdagrad",
    ) -> None:
        super().__init__(
            learning_rate, initial_accumulator_value=initial_accumulator_value, use_locking=use_locking, name=name
        )
        self._should_update_slots = True

    @contextlib.contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Makes steps that are built in this context leave the accumulators unchanged."""
        before = self._should_update_slots
        self._should_update_slots = False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _arguments(self, dtype: Any) -> dict[str, Any]:
        rate = tf.cast(self._learning_rate_tensor, dtype)
        return {"lr": rate, "use_locking": self._use_locking, "update_slots": self._should_update_slots}

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        accumulator = self.get_slot(var, "accumulator")
        return tf.raw_ops.ApplyAdagrad(var=var, accum=accumulator, grad=grad, **self._arguments(var.dtype.base_dtype))

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        accumulator = self.get_slot(var, "accumulator").handle
        arguments = self._arguments(grad.dtype.base_dtype)
        return tf.raw_ops.ResourceApplyAdagrad(var=var.handle, accum=accumulator, grad=grad, **arguments)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        accumulator = self.get_slot(var, "accumulator")
        arguments = self._arguments(var.dtype.base_dtype)
        return tf.raw_ops.SparseApplyAdagrad(
            var=var, accum=accumulator, grad=grad.values, indices=grad.indices, **arguments
        )

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        accumulator = self.get_slot(var, "accumulator").handle
        arguments = self._arguments(grad.dtype)
        return tf.raw_ops.ResourceSparseApplyAdagrad(
            var=var.handle, accum=accumulator, grad=grad, indices=indices, **arguments
        )
