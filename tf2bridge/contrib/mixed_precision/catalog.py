"""`tf.contrib.mixed_precision`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

OWN = {
    **names(
        "contrib.mixed_precision",
        "tf2bridge.contrib.mixed_precision.loss_scale_manager",
        "LossScaleManager FixedLossScaleManager ExponentialUpdateLossScaleManager",
    ),
    **names("contrib.mixed_precision", "tf2bridge.contrib.mixed_precision.loss_scale_optimizer", "LossScaleOptimizer"),
}
