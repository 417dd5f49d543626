"""`tf.contrib.sparsemax`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

OWN = names("contrib.sparsemax", "tf2bridge.contrib.sparsemax.sparsemax", "sparsemax sparsemax_loss")
