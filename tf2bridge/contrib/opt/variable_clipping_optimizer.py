"""`VariableClippingOptimizer`: clips variables after each step."""

from __future__ import annotations

import contextlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1


class VariableClippingOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Runs `opt`, then clips variables to `max_norm` over the dimensions `vars_to_clip_dims` gives for each."""

    def __init__(
        self,
        opt: Any,
        vars_to_clip_dims: Any,
        max_norm: Any,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ) -> None:
        super().__init__(use_locking, name)
        self._opt = opt
        self._dimensions = {_key(variable): dims[:] for variable, dims in vars_to_clip_dims.items()}
        self._max_norm = max_norm
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the gradients of the wrapped optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a slot of the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the names of the slots of the wrapped optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns an op that runs one step and then clips."""
        with v1.name_scope(name, self._name) as scope:
            update = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            clips = []
            with tf.control_dependencies([update]):
                for gradient, variable in grads_and_vars:
                    if gradient is None or _key(variable) not in self._dimensions:
                        continue
                    with v1.name_scope("clip_" + variable.op.name):
                        dense = isinstance(gradient, tf.Tensor)
                        clips.append(self._clip(variable) if dense else self._clip_rows(gradient, variable))
            return tf.group(update, *clips, name=scope)

    def _clip(self, variable: Any) -> Any:
        with self._place(variable):
            value = variable.read_value()
            clipped = tf.clip_by_norm(value, self._max_norm, self._dimensions[_key(variable)])
            surplus = value - clipped
        with v1.colocate_with(variable):
            return variable.assign_sub(surplus, use_locking=self._use_locking)

    def _clip_rows(self, gradient: Any, variable: Any) -> Any:
        dimensions = self._dimensions[_key(variable)]
        if 0 in dimensions:
            logging.warning(
                "Clipping %s over dimensions %s reads all of it, for dimension 0 is the sparse one.",
                variable.op.name,
                dimensions,
            )
            return self._clip(variable)
        with v1.colocate_with(variable):
            rows = tf.gather(variable, gradient.indices)
        with self._place(variable):
            clipped = tf.clip_by_norm(rows, self._max_norm, dimensions)
            surplus = tf.IndexedSlices(rows - clipped, gradient.indices, gradient.dense_shape)
        with v1.colocate_with(variable):
            return variable.scatter_sub(surplus, use_locking=self._use_locking)

    def _place(self, variable: Any) -> Any:
        return v1.colocate_with(variable) if self._colocate_clip_ops_with_vars else contextlib.nullcontext()


def _key(variable: Any) -> Any:
    return variable.ref() if hasattr(variable, "ref") else variable
