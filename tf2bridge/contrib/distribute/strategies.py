"""Strategies with the parameters of contrib: how many GPUs, instead of a list of devices."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class MirroredStrategy(v1.distribute.MirroredStrategy):  # type: ignore[name-defined,misc]
    """`tf.distribute.MirroredStrategy` on `devices`, or on the first `num_gpus` GPUs; 0 is the CPU.

    As in 1.15.5, both `num_gpus` and `num_gpus_per_worker`, or one of them with `devices`, is a ValueError.
    """

    def __init__(
        self,
        devices: Any = None,
        num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None,
        cross_device_ops: Any = None,
        auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None:
        del auto_shard_dataset  # for several workers
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("give num_gpus or num_gpus_per_worker, not both")
        count = num_gpus_per_worker if num_gpus is None else num_gpus
        if devices is not None and count is not None:
            raise ValueError("give devices or a number of GPUs, not both")
        super().__init__(_first(count) if devices is None else devices, cross_device_ops or cross_tower_ops)


def _first(count: int | None) -> list[str] | None:
    if count is None:
        return None
    available = len(tf.config.list_logical_devices("GPU"))
    if count > available:
        raise ValueError(f"{count} GPUs are wanted, but this machine has {available}")
    return [f"/device:GPU:{place}" for place in range(count)] or ["/device:CPU:0"]
