"""Names of `tf.config` that TensorFlow 2 gave other forms."""

from __future__ import annotations

import tensorflow as tf


def config_experimental_list_devices() -> list[str]:
    """Returns the names of this process's devices, such as "/job:localhost/replica:0/task:0/device:CPU:0"."""
    devices = [*tf.config.list_logical_devices("CPU"), *tf.config.list_logical_devices("GPU")]
    return [f"/job:localhost/replica:0/task:0{device.name}" for device in devices]
