"""`tf.compat.v1`, which had the names of 1.x again, and `tf.compat.v2`, which was TensorFlow 2.0 inside 1.15."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_KERAS = "tf_keras.api._v2.keras"
_PLAIN = "ones zeros fill ones_like zeros_like shape size"

OWN = names("", "tf2bridge.behaviour.old_ops.plain", " ".join(f"compat.v2.{name}" for name in _PLAIN.split()))

_SAME = (
    "matmul linalg.matmul nn.top_k math.top_k scatter_nd tensor_scatter_nd_add tensor_scatter_nd_sub "
    "image.adjust_jpeg_quality numpy_function config.experimental_list_devices estimator"
)
_OPTIMIZERS = "get serialize deserialize schedules"

ALIASES = {
    "compat.v1": "",
    "compat.v2.compat.v1": "",
    "compat.v2.compat.v2": "compat.v2",
    **same("compat.v2.optimizers", "keras.optimizers", _OPTIMIZERS),
    **same("compat.v2.keras.optimizers", "keras.optimizers", _OPTIMIZERS),
    **same("compat.v2", "", _SAME),
}

SOURCES = {
    "compat.v2.keras": _KERAS,
    "compat.v2.initializers": f"{_KERAS}.initializers",
    "compat.v2.losses": f"{_KERAS}.losses",
    "compat.v2.metrics": f"{_KERAS}.metrics",
    "compat.v2.optimizers": f"{_KERAS}.optimizers.legacy",
    "compat.v2.keras.optimizers": f"{_KERAS}.optimizers.legacy",
}
"""TensorFlow 2.21 has Keras 3 in their place."""
