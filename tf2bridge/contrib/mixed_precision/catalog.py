"""`tf.contrib.mixed_precision`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_SCALES = "LossScaleManager FixedLossScaleManager ExponentialUpdateLossScaleManager LossScaleOptimizer"

OWN = names("contrib.mixed_precision", "tf2bridge.contrib.mixed_precision.loss_scale", _SCALES)
