"""`replicate_model_fn` and TowerOptimizer on one device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.util.function_utils import fn_args

from tf2bridge.estimator.refusals import DevicesUnavailableError

v1 = tf.compat.v1

_Optimizer: Any = v1.train.Optimizer

USED = "tower_optimizer_used"
"""The collection that tells whether a graph has a TowerOptimizer."""


def replicate_model_fn(
    model_fn: Callable[..., Any],
    loss_reduction: str = v1.losses.Reduction.SUM_BY_NONZERO_WEIGHTS,
    devices: Any = None,
) -> Callable[..., Any]:
    """Returns a model_fn that builds `model_fn` on one device: the one named, a GPU if there is one, or the CPU.

    Raises ValueError for losses that are not reduced, DevicesUnavailableError for several devices.
    """
    if loss_reduction == v1.losses.Reduction.NONE:
        raise ValueError(f"Tower losses need to be reduced in some way, yet {loss_reduction} reduction is specified.")
    devices = list(devices or _local_devices())
    if len(devices) > 1:
        raise DevicesUnavailableError(devices)

    def replicated(features: Any, labels: Any, mode: str, params: Any = None, config: Any = None) -> Any:
        names = fn_args(model_fn)
        given = {"params": params, "config": config}
        optional = {name: value for name, value in given.items() if name in names}
        with tf.device(devices[0]):
            return model_fn(mode=mode, features=features, labels=labels, **optional)

    return replicated


def _local_devices() -> list[str]:
    gpus = tf.config.list_physical_devices("GPU")
    return [f"/device:GPU:{place}" for place in range(len(gpus))] or ["/device:CPU:0"]


class TowerOptimizer(_Optimizer):  # type: ignore[misc]  # TensorFlow has no types
    """Stands for another optimizer, or for what a function makes, in a replicated model_fn."""

    def __init__(self, optimizer_or_optimizer_fn: Any) -> None:
        self._given = optimizer_or_optimizer_fn

    @staticmethod
    def has_been_used() -> bool:
        """Whether the default graph has one."""
        return bool(v1.get_collection(USED))

    def _own(self) -> Any:
        if callable(self._given):
            self._given = self._given()
        if not self.has_been_used():
            v1.add_to_collection(USED, True)
        return self._given

    def get_name(self) -> Any:
        """That of the other optimizer."""
        return self._own().get_name()

    def variables(self) -> Any:
        """Those of the other optimizer."""
        return self._own().variables()

    def get_slot(self, var: Any, name: str) -> Any:
        """That of the other optimizer."""
        return self._own().get_slot(var, name)

    def get_slot_names(self) -> Any:
        """Those of the other optimizer."""
        return self._own().get_slot_names()

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Those of the other optimizer: one tower's loss needs no scaling."""
        return self._own().compute_gradients(loss, *args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """What the other optimizer does."""
        return self._own().apply_gradients(grads_and_vars, global_step, name=name)
